package llm

import (
	"encoding/json"

	"github.com/openai/openai-go/v3/responses"
)

// responsesAnswer is the part of a streamed response of the responses API received so
// far.
type responsesAnswer struct {
	begun  bool
	calls  []Call
	opaque []json.RawMessage // encrypted reasoning, to be sent back
	usage  *Usage
	finish Finish
}

// add adds an event and returns the text and reasoning in it.
func (a *responsesAnswer) add(e responses.ResponseStreamEventUnion) (Chunk, error) {
	a.begun = true
	switch e.Type {
	case "response.output_text.delta", "response.refusal.delta":
		return Chunk{Text: e.Delta}, nil
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		return Chunk{Reasoning: e.Delta}, nil
	case "response.output_item.done":
		a.addItem(e.Item)
	case "response.completed", "response.incomplete":
		a.close(e.Response)
	case "response.failed":
		return Chunk{}, a.failed(string(e.Response.Error.Code), e.Response.Error.Message)
	case "error":
		return Chunk{}, a.failed(e.Code, e.Message)
	}
	return Chunk{}, nil
}

func (a *responsesAnswer) failed(code, message string) error {
	return &Error{Class: classify(0, code, message), Message: message, BrokeOff: true}
}

func (a *responsesAnswer) addItem(item responses.ResponseOutputItemUnion) {
	switch item.Type {
	case "function_call":
		a.calls = append(a.calls, Call{ID: item.CallID, Name: item.Name, Arguments: orEmptyObject([]byte(item.Arguments.OfString))})
	case "reasoning":
		if item.EncryptedContent != "" {
			a.opaque = append(a.opaque, json.RawMessage(item.RawJSON()))
		}
	}
}

func (a *responsesAnswer) close(r responses.Response) {
	a.usage = &Usage{
		In:     int(r.Usage.InputTokens),
		Out:    int(r.Usage.OutputTokens),
		Cached: int(r.Usage.InputTokensDetails.CachedTokens),
	}
	switch {
	case r.IncompleteDetails.Reason == "content_filter":
		a.finish = FinishContentFilter
	case r.IncompleteDetails.Reason != "":
		a.finish = FinishLength
	case len(a.calls) > 0:
		a.finish = FinishToolCalls
	default:
		a.finish = FinishStop
	}
}

// end yields the calls, which are now complete, and the last chunk.
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
