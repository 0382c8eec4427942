package llm

import (
	"cmp"

	"github.com/tidwall/gjson"
)

// chatAnswer is the part of a streamed response received so far.
type chatAnswer struct {
	begun  bool
	chosen bool // a chunk had a choice
	calls  []*openAICall
	latest map[int64]*openAICall // by index
	usage  *Usage
	finish Finish
}

type openAICall struct {
	id   string
	name []byte
	args []byte
}

// add adds a chunk and returns the text and reasoning in it.
func (a *chatAnswer) add(c gjson.Result) (Chunk, error) {
	if err := checkObject(c); err != nil {
		return Chunk{}, err
	}
	a.begun = true
	if usage := c.Get("usage"); usage.IsObject() {
		a.usage = usageOf(usage)
	}
	choice := c.Get("choices.0")
	if !choice.IsObject() {
		return Chunk{}, nil
	}
	a.chosen = true
	delta := choice.Get("delta")
	for _, piece := range delta.Get("tool_calls").Array() {
		if piece.IsObject() {
			a.addCall(piece)
		}
	}
	if reason := choice.Get("finish_reason").String(); reason != "" {
		a.finish = finishOf(reason)
	}
	return Chunk{
		Text:      delta.Get("content").String() + delta.Get("refusal").String(),
		Reasoning: cmp.Or(delta.Get("reasoning_content").Str, delta.Get("reasoning").Str), // servers use two names
	}, nil
}

// complete returns the error of a stream that ended without error but too early, or
// nil.
func (a *chatAnswer) complete() error {
	switch {
	case a.finish != "":
		return nil
	case a.begun && !a.chosen:
		return &Error{Class: BadResponse, Message: "the answer is empty: it has no choices"}
	default:
		return errBrokeOff
	}
}

// addCall adds a piece of a call. Some servers number all calls 0 and begin a new
// call by a new id.
func (a *chatAnswer) addCall(piece gjson.Result) {
	index, id, name := piece.Get("index").Int(), piece.Get("id").String(), piece.Get("function.name").String()
	call := a.latest[index]
	if call == nil || id != "" && call.id != "" && id != call.id {
		call = &openAICall{}
		a.calls = append(a.calls, call)
		if a.latest == nil {
			a.latest = map[int64]*openAICall{}
		}
		a.latest[index] = call
	}
	if id != "" {
		call.id = id
	}
	if string(call.name) != name { // some servers repeat the full name, others send it once
		call.name = append(call.name, name...)
	}
	call.args = append(call.args, piece.Get("function.arguments").String()...)
}

// end yields the calls, which are now complete, and the last chunk.
func (a *chatAnswer) end(emit func(Chunk) bool) {
	if a.finish == FinishStop && len(a.calls) > 0 {
		a.finish = FinishToolCalls
	}
	if a.finish == FinishToolCalls {
		for _, c := range a.calls {
			if len(c.args) == 0 {
				c.args = []byte("{}")
			}
			if !emit(Chunk{Call: &Call{ID: c.id, Name: string(c.name), Arguments: c.args}}) {
				return
			}
		}
	}
	emit(Chunk{Usage: a.usage, Finish: a.finish})
}

func finishOf(reason string) Finish {
	switch reason {
	case "tool_calls", "function_call":
		return FinishToolCalls
	case "length":
		return FinishLength
	case "content_filter":
		return FinishContentFilter
	default:
		return FinishStop
	}
}

func usageOf(u gjson.Result) *Usage {
	return &Usage{
		In:     int(u.Get("prompt_tokens").Int()),
		Out:    int(u.Get("completion_tokens").Int()),
		Cached: int(u.Get("prompt_tokens_details.cached_tokens").Int()),
		Cost:   u.Get("cost").Num, // OpenRouter's
	}
}
