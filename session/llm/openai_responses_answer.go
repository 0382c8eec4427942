package llm

import (
	"encoding/json"

	"github.com/tidwall/gjson"
)

// responsesAnswer is the part of a streamed response of the responses API received so
// far.
type responsesAnswer struct {
	calls  []Call
	opaque []json.RawMessage // encrypted reasoning, to be sent back
	usage  *Usage
	finish Finish
}

// add adds an event and returns the text and reasoning in it.
func (a *responsesAnswer) add(e gjson.Result) (Chunk, error) {
	if err := checkObject(e); err != nil {
		return Chunk{}, err
	}
	switch e.Get("type").String() {
	case "response.output_text.delta", "response.refusal.delta":
		return Chunk{Text: e.Get("delta").String()}, nil
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		return Chunk{Reasoning: e.Get("delta").String()}, nil
	case "response.output_item.done":
		a.addItem(e.Get("item"))
	case "response.completed", "response.incomplete":
		a.close(e)
	case "response.failed":
		return Chunk{}, a.failed(e.Get("response.error.code").String(), e.Get("response.error.message").String())
	case "error":
		return Chunk{}, a.failed(e.Get("code").String(), e.Get("message").String())
	}
	return Chunk{}, nil
}

func (a *responsesAnswer) failed(code, message string) error {
	return &Error{Class: classify(0, code, message), Message: message, BrokeOff: true}
}

func (a *responsesAnswer) addItem(item gjson.Result) {
	if !item.IsObject() {
		return
	}
	switch item.Get("type").String() {
	case "function_call":
		args := []byte(item.Get("arguments").String())
		a.calls = append(a.calls, Call{ID: item.Get("call_id").String(), Name: item.Get("name").String(), Arguments: orEmptyObject(args)})
	case "reasoning":
		if item.Get("encrypted_content").String() != "" {
			a.opaque = append(a.opaque, json.RawMessage(item.Raw))
		}
	}
}

func (a *responsesAnswer) close(e gjson.Result) {
	a.usage = &Usage{
		In:     int(e.Get("response.usage.input_tokens").Int()),
		Out:    int(e.Get("response.usage.output_tokens").Int()),
		Cached: int(e.Get("response.usage.input_tokens_details.cached_tokens").Int()),
	}
	switch reason := e.Get("response.incomplete_details.reason").String(); {
	case reason == "content_filter":
		a.finish = FinishContentFilter
	case reason != "":
		a.finish = FinishLength
	case len(a.calls) > 0:
		a.finish = FinishToolCalls
	default:
		a.finish = FinishStop
	}
}

func (a *responsesAnswer) complete() error {
	if a.finish == "" {
		return errBrokeOff
	}
	return nil
}

func (a *responsesAnswer) end(emit func(Chunk) bool) {
	if a.finish == FinishToolCalls {
		for _, c := range a.calls {
			if !emit(Chunk{Call: &c}) {
				return
			}
		}
	}
	emit(Chunk{Usage: a.usage, Finish: a.finish, Opaque: opaque{OpenAI: a.opaque}.marshal()})
}
