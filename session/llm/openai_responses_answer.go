package llm

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// responsesAnswer is the part of a response of the responses API received so far, which is streamed
// or comes as one object. Servers tell a text or a call in pieces, at the end of its item, at the
// end of the response, or several times.
type responsesAnswer struct {
	items  responsesItems
	usage  *Usage
	finish Finish
}

func (a *responsesAnswer) knows(_ string, e gjson.Result) bool {
	kind := e.Get("type").String()
	return strings.HasPrefix(kind, "response.") || kind == "error" || e.Get("output").IsArray() || wordsIn(e, 0) == ""
}

// add adds an event and returns the text and reasoning in it.
func (a *responsesAnswer) add(name string, e gjson.Result) (Chunk, error) {
	kind := e.Get("type").String()
	if kind == "" && strings.HasPrefix(name, "response.") {
		kind = name
	}
	switch kind {
	case "response.output_text.delta", "response.refusal.delta":
		return a.items.of(e, "message").addText(e.Get("delta").String()), nil
	case "response.output_text.done", "response.refusal.done":
		return a.items.of(e, "message").fillPart(e), nil
	case "response.content_part.done":
		if isThought(e.Get("part")) {
			return Chunk{}, nil
		}
		return a.items.of(e, "message").fillPart(e), nil
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		return a.items.of(e, "reasoning").addText(e.Get("delta").String()), nil
	case "response.function_call_arguments.delta":
		item := a.items.of(e, "function_call")
		item.args = append(item.args, e.Get("delta").String()...)
	case "response.function_call_arguments.done":
		a.items.of(e, "function_call").fillCall(e)
	case "response.output_item.added":
		a.items.addItem(e, e.Get("item"), false)
	case "response.output_item.done":
		return a.items.addItem(e, e.Get("item"), true), nil
	case "response.completed", "response.incomplete", "response.done":
		return a.close(e.Get("response"))
	case "response.failed", "response.cancelled":
		return Chunk{}, a.failed(e.Get("response.error.code").String(), e.Get("response.error.message").String())
	case "error":
		return Chunk{}, a.failed(e.Get("code").String(), e.Get("message").String())
	case "":
		if e.Get("output").IsArray() {
			return a.close(e)
		}
	}
	return Chunk{}, nil
}

func (a *responsesAnswer) failed(code, message string) error {
	return &Error{Class: classify(0, code, message), Message: cmp.Or(message, code, failedAnswer), BrokeOff: true}
}

// close takes the whole response, and returns the text and reasoning that was not streamed.
func (a *responsesAnswer) close(response gjson.Result) (Chunk, error) {
	if status := response.Get("status").String(); status == "failed" || status == "cancelled" {
		return Chunk{}, a.failed(response.Get("error.code").String(), response.Get("error.message").String())
	}
	a.usage = &Usage{
		In:     int(response.Get("usage.input_tokens").Int()),
		Out:    int(response.Get("usage.output_tokens").Int()),
		Cached: int(response.Get("usage.input_tokens_details.cached_tokens").Int()),
	}
	switch reason := response.Get("incomplete_details.reason").String(); {
	case reason == "content_filter":
		a.finish = FinishContentFilter
	case reason != "", response.Get("status").String() == "incomplete":
		a.finish = FinishLength
	default:
		a.finish = FinishStop
	}
	c := a.items.addOutput(listOf(response, "output"))
	if text := response.Get("output_text"); text.Type == gjson.String && !a.items.has("message") {
		c.Text = a.items.begin("message").addText(text.Str).Text
	}
	return c, nil
}

func (a *responsesAnswer) complete(done bool) error {
	if a.finish == "" && !(done && len(a.items.all) > 0) {
		return errBrokeOff
	}
	return nil
}

func (a *responsesAnswer) unknownError() Class { return BadResponse }

func (a *responsesAnswer) ended() ending {
	end := ending{usage: a.usage, finish: a.finish}
	for _, item := range a.items.all {
		switch {
		case item.kind == "function_call":
			end.calls = append(end.calls, Call{ID: item.callID, Name: item.name, Arguments: orEmptyObject(item.args)})
		case item.attached != nil:
			end.attached.OpenAI = append(end.attached.OpenAI, json.RawMessage(item.attached))
		}
	}
	return end
}
