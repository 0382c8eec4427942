package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// A turn goes nowhere if the model repeats a call that failed, or one that only reads and had the same
// result. The results say so at first; then the turn ends. Counted are responses, since the model sees results
// only after its response.
const (
	repeatWarnFrom = 3 // responses with the same call after which results carry a warning
	maxRepeats     = 5 // responses with the same failing call that end the turn
	maxReads       = 6 // responses with the same call and result that end the turn
)

// failureCounts counts the responses of a turn with the same failed call, by callKey.
type failureCounts map[string]int

// callKey returns the same key for calls of one tool with equal arguments.
func callKey(tool string, arguments json.RawMessage) string {
	var v any
	if json.Unmarshal(arguments, &v) == nil {
		arguments = json.RawMessage(records.Marshal(v)) // canonical order and spacing
	}
	return tool + " " + string(arguments)
}

// add counts the failed calls of a response, equal ones once. It ends the turn if one
// call has failed in too many responses.
func (n failureCounts) add(batch []records.ToolCall) error {
	counted := map[string]bool{}
	for _, c := range batch {
		key := callKey(c.Tool, c.Arguments)
		if !c.Failed() || counted[key] {
			continue
		}
		counted[key] = true
		if n[key]++; n[key] >= maxRepeats {
			return &limitError{bus.ErrorModel,
				fmt.Sprintf("the model repeated a failing call of %s %d times: %s; tell it what to do instead, or choose another "+
					"model",
					c.Tool, n[key], orText(c.Error, c.Summary))}
		}
	}
	return nil
}

// addWarning adds a warning to the result of a call that has failed before. It
// ignores the other calls of the batch, so that results don't depend on which call
// ends first.
func (n failureCounts) addWarning(r bus.ToolCallRequested, c *records.ToolCall) {
	times := n[callKey(r.Name, r.Arguments)] + 1
	object, isObject := bytes.CutSuffix(c.Content, []byte("}"))
	if times < repeatWarnFrom || !isObject || !c.Failed() {
		return
	}
	c.Content = fmt.Appendf(nil, `%s,%q:%s}`, object, tools.RepeatedField,
		records.Marshal(fmt.Sprintf("this call has failed %d times with the same arguments; don't make it again: change "+
			"it, or go on without it", times)))
}

// repeats holds the calls of a turn that have only read. A result that the model has is not sent again.
type repeats struct {
	last  map[string]*reading // of each call, by callKey
	cited map[string]bool     // calls (the model's ids) whose results stand for those of the last response
}

// reading is a result, which one or more calls have had.
type reading struct {
	tool   string
	hash   [sha256.Size]byte // of the content
	callID string            // the call whose result is sent whole
	times  int               // responses with such a call since something was changed
}

func newRepeats() repeats { return repeats{last: map[string]*reading{}} }

// add adds the calls of a response. It returns notes for the results that the model has already, by the calls' ids
// that it knows. whole reports whether the result of a call is still sent whole. add also returns an error that ends
// the turn, if the model has read the same too often.
func (n *repeats) add(set *tools.Set, batch []records.ToolCall,
	whole func(callID string) bool) (notes map[string]string, looped error) {
	n.cited = map[string]bool{}
	notes = map[string]string{}
	n.forgetTimes(set, batch)
	counted := map[*reading]bool{} // in this response
	for _, c := range batch {
		tool, known := set.Get(c.Tool)
		if !known || !tool.ReadOnly || c.Failed() {
			continue
		}
		key, hash := callKey(c.Tool, tool.Canonical(c.Arguments)), sha256.Sum256(c.Content)
		r := n.find(tool, key, hash)
		had := r != nil && whole(r.callID) // else the model asks for what it lacks
		if !had {
			r = &reading{tool: c.Tool, hash: hash, callID: c.CallID}
		}
		if n.last[key] = r; !counted[r] {
			counted[r] = true
			r.times++
		}
		if had {
			notes[c.CallID], n.cited[r.callID] = r.note(), true
		}
		if r.times >= maxReads {
			looped = &limitError{bus.ErrorModel,
				fmt.Sprintf("the model repeated a call of %s %d times, though its result stayed the same; tell it what to do "+
					"instead, or choose another model", c.Tool, r.times)}
		}
	}
	return notes, looped
}

// forgetTimes begins to count again if a response has changed something: it makes sense to look again, even if nothing
// shows.
func (n *repeats) forgetTimes(set *tools.Set, batch []records.ToolCall) {
	for _, c := range batch {
		if tool, known := set.Get(c.Tool); known && !tool.ReadOnly && !c.Failed() {
			for _, r := range n.last {
				r.times = 0
			}
		}
	}
}

// find returns the last result of a call if it is the same, else nil. Equal calls of some tools may be written
// differently.
func (n *repeats) find(tool *tools.Tool, key string, hash [sha256.Size]byte) *reading {
	if r := n.last[key]; r != nil && r.hash == hash {
		return r
	}
	if tool.NamesSource {
		for _, r := range n.last {
			if r.tool == tool.Name && r.hash == hash {
				return r
			}
		}
	}
	return nil
}

// note returns what the model reads of a result that it has.
func (r *reading) note() string {
	note := fmt.Sprintf("unchanged since call %s of %s, whose result is above (if it gets shortened, %s returns it all "+
		"for call_id %s)",
		r.callID, r.tool, tools.RecallToolResult, r.callID)
	if r.times >= repeatWarnFrom {
		note += fmt.Sprintf("\nthis call was made %d times and had the same result each time; don't make it again: use "+
			"what you have, look elsewhere, or answer", r.times)
	}
	return note
}

func orText(s, other string) string {
	if s != "" {
		return s
	}
	return other
}
