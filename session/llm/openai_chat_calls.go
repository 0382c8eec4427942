package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// chatCalls are the calls of a chat completion received so far. Servers number them, or not, or all
// alike; repeat the name or the id with each piece, or give each piece another id; and send
// arguments in pieces, at once, or twice.
type chatCalls struct {
	all    []*openAICall
	listed bool                  // calls came as a list
	latest map[int64]*openAICall // by index
}

type openAICall struct {
	index   int64 // of its first piece
	id      string
	name    []byte
	args    []byte
	piece   []byte                     // the last one of the arguments
	grew    bool                       // the last piece began with the one before
	ends    valueEnd                   // of the arguments
	whole   bool                       // the arguments are complete
	unknown map[string]json.RawMessage // keys of its pieces that only its server knows
}

// callPiece is a piece of a call.
type callPiece struct {
	index      int64 // its place in its list, if it has no index
	numbered   bool  // it has an index
	alone      bool  // in its list
	id, name   string
	args       string
	attachment gjson.Result // the piece as it came
}

// addAll adds the pieces of calls in a delta.
func (c *chatCalls) addAll(delta gjson.Result) {
	pieces := listOf(delta, "tool_calls")
	if one := delta.Get("tool_calls"); one.IsObject() {
		pieces = []gjson.Result{one}
	}
	c.listed = c.listed || len(pieces) > 0
	for i, piece := range pieces {
		if piece.IsObject() {
			c.add(pieceOf(piece, i, len(pieces) == 1))
		}
	}
	if old := delta.Get("function_call"); old.IsObject() &&
		!c.listed { // of an older API, with which some servers send a list
		c.add(callPiece{alone: true, name: old.Get("name").String(), args: old.Get("arguments").String()})
	}
}

func pieceOf(v gjson.Result, place int, alone bool) callPiece {
	p := callPiece{index: int64(place), alone: alone, id: v.Get("id").String(), attachment: v}
	if index := v.Get("index"); index.Type == gjson.Number || index.Type == gjson.String {
		p.index, p.numbered = index.Int(), true
	}
	function := v.Get("function")
	if !function.IsObject() {
		p.name, function = function.Str, v
	}
	p.name = cmp.Or(function.Get("name").String(), p.name)
	for _, key := range argumentKeys {
		if p.args = function.Get(key).String(); p.args != "" {
			break
		}
	}
	return p
}

// argumentKeys are where servers put the arguments of a call.
var argumentKeys = []string{"arguments", "parameters", "input"}

// add adds a piece to the call that it continues, or begins a call.
func (c *chatCalls) add(p callPiece) {
	call := c.callOf(p)
	if call == nil {
		call = &openAICall{index: p.index}
		c.all = append(c.all, call)
	}
	if c.latest == nil {
		c.latest = map[int64]*openAICall{}
	}
	c.latest[p.index] = call
	call.add(p)
}

// callOf returns the call that a piece continues, or nil.
func (c *chatCalls) callOf(p callPiece) *openAICall {
	call := c.latest[p.index]
	if same := c.withID(p.id); same != nil && (!p.numbered || p.name == "" && (call == nil || call.id != p.id)) {
		call = same
	} else if !p.numbered && p.name == "" && p.alone {
		call = c.last()
	}
	switch same := c.repeated(p); {
	case same != nil:
		return same
	case call == nil && p.name == "" && p.args != "":
		return c.last()
	case call != nil && call.beginsAnother(p):
		return nil
	}
	return call
}

func (c *chatCalls) last() *openAICall {
	if len(c.all) == 0 {
		return nil
	}
	return c.all[len(c.all)-1]
}

// repeated returns the call that a piece repeats as a whole, or nil. Some servers send all calls again at the end.
func (c *chatCalls) repeated(p callPiece) *openAICall {
	if p.name == "" || !strings.HasSuffix(strings.TrimSpace(p.args), "}") {
		return nil
	}
	for _, call := range c.all {
		if same := call.id == p.id &&
			(p.id == "" || call.index == p.index); same && string(call.name) == p.name && call.complete() &&
			sameJSON(call.args, []byte(p.args)) {
			return call
		}
	}
	return nil
}

func (c *chatCalls) withID(id string) *openAICall {
	for _, call := range c.all {
		if id != "" && call.id == id {
			return call
		}
	}
	return nil
}

// beginsAnother reports whether a piece with the number of this call belongs to another one.
func (c *openAICall) beginsAnother(p callPiece) bool {
	if p.name == "" || len(c.name) == 0 {
		return false
	}
	newID := p.id != "" && c.id != "" && p.id != c.id
	begins := strings.HasPrefix(strings.TrimSpace(p.args), "{")
	switch {
	case len(c.args) == 0:
		return newID
	case c.complete():
		repeats := string(c.name) == p.name && !newID &&
			(p.args == "" || emptyObject(c.args) || sameJSON(c.args, []byte(p.args)))
		return !repeats
	case string(c.name) == p.name:
		return newID && (begins || p.args == "")
	}
	return newID || begins
}

// add adds a piece to a call.
func (c *openAICall) add(p callPiece) {
	if p.id != "" && (c.id == "" || p.name != "") {
		c.id = p.id
	}
	if string(c.name) != p.name { // some servers repeat the full name, others send it once
		c.name = append(c.name, p.name...)
	}
	c.addArguments(p.args)
	p.attachment.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "index", "id", "type", "function", "name", "arguments", "parameters", "input":
		default:
			if c.unknown == nil {
				c.unknown = map[string]json.RawMessage{}
			}
			c.unknown[key.Str] = json.RawMessage(value.Raw)
		}
		return true
	})
}

// addArguments adds a piece of arguments, unless it repeats all of them.
func (c *openAICall) addArguments(piece string) {
	if c.complete() && strings.TrimSpace(piece) != "" {
		if sameJSON(c.args, []byte(piece)) {
			return
		}
		c.ends, c.whole = valueEnd{}, false
	}
	c.args = append(c.args, piece...)
	if piece != "" {
		c.grew = len(c.piece) > 0 && strings.HasPrefix(piece, string(c.piece))
		c.piece = []byte(piece)
	}
	for i := 0; i < len(piece) && !c.whole; i++ {
		c.whole = c.ends.closes(piece[i])
	}
}

// arguments returns the arguments: all pieces, or the last one if each has repeated what came before.
func (c *openAICall) arguments() []byte {
	if c.grew && c.piece[0] == '{' && json.Valid(c.piece) {
		return c.piece
	}
	return c.args
}

// complete reports whether the arguments so far are an object.
func (c *openAICall) complete() bool { return c.whole && json.Valid(c.args) }

// complete returns the calls, and for each the keys that only its server knows, or null; nil if no call has any. A call
// without a name and arguments is none.
func (c *chatCalls) complete() (calls []Call, unknown []json.RawMessage) {
	some := false
	for _, call := range c.all {
		if len(call.name) == 0 && len(bytes.TrimSpace(call.args)) == 0 {
			continue
		}
		calls = append(calls, Call{ID: call.id, Name: string(call.name), Arguments: orEmptyObject(call.arguments())})
		keys := json.RawMessage("null")
		if len(call.unknown) > 0 {
			keys, _ = appendJSON(nil, call.unknown) // of what was decoded
			some = true
		}
		unknown = append(unknown, keys)
	}
	if !some {
		unknown = nil
	}
	return calls, unknown
}
