package llm

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/repair"
)

// writtenCalls holds back what may be a call that a model has written as text, since its server
// does not parse the calls of this model. Only a call outside of code counts, which ends the answer
// and names a tool that was offered.
type writtenCalls struct {
	tools []ToolSpec
	held  []byte
	code  repair.CodeTracker // of what is held
}

// newWrittenCalls returns one for a request that offers tools. Without any it holds nothing back.
func newWrittenCalls(tools []ToolSpec) writtenCalls {
	return writtenCalls{tools: tools, code: repair.NewCodeTracker()}
}

// callMarks begin calls in the formats of models.
var callMarks = []string{"<tool_call", "<toolcall", "<function_call", "<functioncall", "<function=", "<function name=", "<invoke name=",
	"[TOOL_CALL", "<|tool_call", "<|channel|>commentary", "<|start|>assistant<|channel|>commentary", "<|start|>assistant to=", "<|python_tag|>",
	"<｜tool▁call", "<minimax:tool_call>", "<|DSML|", "<TOOLCALL>", "<|START_ACTION|>", "functools[", "<|return|>", "<|call|>", "<|im_end|>"}

// add adds a piece of text and returns what is certain to be text.
func (w *writtenCalls) add(piece string) (text string) {
	if len(w.tools) == 0 {
		return piece
	}
	w.held = append(w.held, piece...)
	n := 0
	for n < len(w.held) && !w.mayBegin(w.held[n:]) {
		w.code.Pass(w.held[n])
		n++
	}
	if n == 0 {
		return ""
	}
	text = string(w.held[:n])
	w.held = append(w.held[:0], w.held[n:]...)
	return text
}

// drop returns what is held back, which is not a part of the answer.
func (w *writtenCalls) drop() string {
	held := string(w.held)
	w.held, w.code = nil, repair.NewCodeTracker()
	return held
}

// mayBegin reports whether a text may begin with a call.
func (w *writtenCalls) mayBegin(held []byte) bool {
	if w.code.InCode() || !strings.ContainsRune("<[{f", rune(held[0])) || held[0] == 'f' && !w.code.LineBegins {
		return false // a word of the answer may end with f
	}
	text := string(held[:min(len(held), maxWords)])
	for _, mark := range callMarks {
		if strings.HasPrefix(mark, text) {
			return true
		}
		if rest, ok := strings.CutPrefix(text, mark); ok {
			return !saysOfCall(rest)
		}
	}
	return w.code.LineBegins && (mayBeBareCall(text) || w.mayBeNamed(text))
}

// mayBeNamed reports whether a text may be calls as in Python, or a call in a tag, which both begin
// with the name of a tool: [read_file(file="a.go")] and <read_file><file>a.go</file></read_file>.
func (w *writtenCalls) mayBeNamed(text string) bool {
	return slices.ContainsFunc(w.tools, func(t ToolSpec) bool {
		for _, head := range []string{"[" + t.Name + "(", "<" + t.Name + ">"} {
			if strings.HasPrefix(text, head) || strings.HasPrefix(head, text) {
				return true
			}
		}
		return false
	})
}

// saysOfCall reports whether what follows the mark of a call is a sentence about calls.
func saysOfCall(rest string) bool {
	rest = strings.TrimLeft(strings.TrimLeft(rest, "sS|_>]"), ">]")
	return len(rest) > 1 && rest[0] == ' ' && (rest[1] >= 'a' && rest[1] <= 'z' || rest[1] >= 'A' && rest[1] <= 'Z') &&
		!strings.HasPrefix(" to=", rest[:min(len(rest), 4)])
}

// bareKeys are the first keys of calls that are only JSON.
var bareKeys = []string{`"name":`, `"arguments":`, `"parameters":`, `"function":`, `"type":"function"`, `"tool_calls":`, `"id":`}

// mayBeBareCall reports whether a text may be a call, or a list of calls, that is only JSON.
func mayBeBareCall(text string) bool {
	if text == "[" {
		return true
	}
	packed := strings.Join(strings.Fields(text), "")
	packed = strings.TrimPrefix(packed, "[")
	if packed == "" {
		return true
	}
	if packed, ok := strings.CutPrefix(packed, "{"); ok {
		return slices.ContainsFunc(bareKeys,
			func(key string) bool { return strings.HasPrefix(packed, key) || strings.HasPrefix(key, packed) })
	}
	return false
}

// endMark matches the marks with which models end, if the server has left one in the text.
var endMark = lazyregexp.New(`^<\|(return|call|im_end)\|>\s*$`)

// unparsedNotice tells a person why a call has not been run.
const unparsedNotice = "the model has written a tool call as text, which was not run: its server does not parse the " +
	"calls of this model. " +
	"Start llama.cpp's server with --jinja, vLLM with --enable-auto-tool-choice and --tool-call-parser, or choose " +
	"another model"

// end adds the last piece and returns what of the text is not a call, and the calls. It adds a notice
// to an answer that has a call which can't be run.
func (w *writtenCalls) end(piece string, end *ending) (text string, calls []Call) {
	text = w.add(piece)
	held := string(w.held)
	w.held = nil
	if held == "" || end.finish == FinishLength || end.finish == FinishContentFilter {
		return text + held, nil
	}
	r := writtenReader{rest: held, tools: w.tools}
	r.read()
	if len(end.calls) > 0 {
		if r.rest == "" && r.repeats(end.calls) {
			held = ""
		}
		return text + held, nil
	}
	marked := slices.ContainsFunc(callMarks, func(mark string) bool { return strings.HasPrefix(held, mark) })
	switch {
	case r.rest == "" && (r.offered() || len(r.calls) == 0 && endMark.MatchString(held)):
		return text, r.calls
	case marked && len(r.calls) > 0, r.namesTool(held):
		end.notice = unparsedNotice
	}
	return text + held, nil
}
