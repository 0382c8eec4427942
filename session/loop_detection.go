package session

import (
	"bytes"
	"encoding/json"
	"fmt"

	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
)

const (
	repeatWarnFrom = 3 // responses with the same failing call after which results carry a warning
	maxRepeats     = 5 // responses with the same failing call that end the turn
)

// failureCounts counts the responses of a turn with the same failed call, by callKey.
type failureCounts map[string]int

// callKey returns the same key for calls of one tool with equal arguments.
func callKey(tool string, arguments json.RawMessage) string {
	var v any
	if json.Unmarshal(arguments, &v) == nil {
		arguments = json.RawMessage(marshal(v)) // canonical order and spacing
	}
	return tool + " " + string(arguments)
}

// failed reports whether the call failed, or its result says ok:false.
func (c *ToolCall) failed() bool {
	var content struct{ OK *bool }
	return c.Code != "" || json.Unmarshal(c.Content, &content) == nil && content.OK != nil && !*content.OK
}

// add counts the failed calls of a response, equal ones once. It ends the turn if one
// call has failed in too many responses.
func (n failureCounts) add(batch []ToolCall) error {
	counted := map[string]bool{}
	for _, c := range batch {
		key := callKey(c.Tool, c.Arguments)
		if !c.failed() || counted[key] {
			continue
		}
		counted[key] = true
		if n[key]++; n[key] >= maxRepeats {
			return &limitError{bus.ErrorModel, fmt.Sprintf("the model repeated a failing call of %s %d times: %s; tell it what to do instead, or choose another model",
				c.Tool, n[key], orText(c.Error, c.Summary))}
		}
	}
	return nil
}

// addWarning adds a warning to the result of a call that has failed before. It
// ignores the other calls of the batch, so that results don't depend on which call
// ends first.
func (n failureCounts) addWarning(r bus.ToolCallRequested, c *ToolCall) {
	times := n[callKey(r.Name, r.Arguments)] + 1
	object, isObject := bytes.CutSuffix(c.Content, []byte("}"))
	if times < repeatWarnFrom || !isObject || !c.failed() {
		return
	}
	c.Content = fmt.Appendf(nil, `%s,%q:%s}`, object, tools.RepeatedField,
		marshal(fmt.Sprintf("this call has failed %d times with the same arguments; don't make it again: change it, or go on without it", times)))
}

func orText(s, other string) string {
	if s != "" {
		return s
	}
	return other
}
