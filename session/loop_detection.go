package session

import (
	"bytes"
	"encoding/json"
	"fmt"

	"ploke-lsp/session/bus"
)

const (
	repeatWarnFrom = 3 // failures of equal calls from which on their results say so
	maxRepeats     = 5 // failures of equal calls that end a turn
)

// failureCounts counts the calls of a turn that failed, equal ones together.
type failureCounts map[string]int

// callKey is the same for calls of one tool with equal arguments.
func callKey(tool string, arguments json.RawMessage) string {
	var v any
	if json.Unmarshal(arguments, &v) == nil {
		arguments = json.RawMessage(marshal(v)) // fields in one order, no spaces
	}
	return tool + " " + string(arguments)
}

// failed reports whether the model will read that the call didn't work.
func (c *ToolCall) failed() bool {
	var content struct{ OK *bool }
	return c.Code != "" || json.Unmarshal(c.Content, &content) == nil && content.OK != nil && !*content.OK
}

// add counts a batch, and ends the turn when the model doesn't learn.
func (n failureCounts) add(batch []ToolCall) error {
	for _, c := range batch {
		if !c.failed() {
			continue
		}
		key := callKey(c.Tool, c.Arguments)
		if n[key]++; n[key] >= maxRepeats {
			return &limitError{fmt.Sprintf("the model made the same call of %s %d times though it fails: %s; say what it should do instead, or choose another model",
				c.Tool, n[key], orText(c.Error, c.Summary))}
		}
	}
	return nil
}

// addWarning adds to a result that the same call has failed before. Calls of one
// batch are not before each other, so that its results don't depend on which of
// them ends first.
func (n failureCounts) addWarning(r bus.ToolCallRequested, c *ToolCall) {
	times := n[callKey(r.Name, r.Arguments)] + 1
	object, isObject := bytes.CutSuffix(c.Content, []byte("}"))
	if times < repeatWarnFrom || !isObject || !c.failed() {
		return
	}
	c.Content = fmt.Appendf(nil, `%s,"repeated":%s}`, object,
		marshal(fmt.Sprintf("this call has failed %d times with the same arguments; don't make it again: change it, or go on without it", times)))
}

func orText(s, other string) string {
	if s != "" {
		return s
	}
	return other
}
