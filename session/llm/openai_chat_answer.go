package llm

import (
	"encoding/json"

	"github.com/openai/openai-go/v3"
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
func (a *chatAnswer) add(c openai.ChatCompletionChunk) Chunk {
	a.begun = true
	if c.JSON.Usage.Valid() {
		a.usage = usageOf(c.Usage)
	}
	if len(c.Choices) == 0 {
		return Chunk{}
	}
	a.chosen = true
	choice := c.Choices[0]
	for _, d := range choice.Delta.ToolCalls {
		a.addCall(d)
	}
	if choice.FinishReason != "" {
		a.finish = finishOf(choice.FinishReason)
	}
	return Chunk{Text: choice.Delta.Content + choice.Delta.Refusal, Reasoning: reasoningOf(choice.Delta)}
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
func (a *chatAnswer) addCall(d openai.ChatCompletionChunkChoiceDeltaToolCall) {
	call := a.latest[d.Index]
	if call == nil || d.ID != "" && call.id != "" && d.ID != call.id {
		call = &openAICall{}
		a.calls = append(a.calls, call)
		if a.latest == nil {
			a.latest = map[int64]*openAICall{}
		}
		a.latest[d.Index] = call
	}
	if d.ID != "" {
		call.id = d.ID
	}
	if string(call.name) != d.Function.Name { // some servers repeat the full name, others send it once
		call.name = append(call.name, d.Function.Name...)
	}
	call.args = append(call.args, d.Function.Arguments...)
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

func usageOf(u openai.CompletionUsage) *Usage {
	usage := &Usage{
		In:     int(u.PromptTokens),
		Out:    int(u.CompletionTokens),
		Cached: int(u.PromptTokensDetails.CachedTokens),
	}
	// OpenRouter adds the cost of the request; values of other types are ignored.
	_ = json.Unmarshal([]byte(u.JSON.ExtraFields["cost"].Raw()), &usage.Cost)
	return usage
}

// reasoningOf returns the reasoning in a delta. Servers use two names for it.
func reasoningOf(d openai.ChatCompletionChunkChoiceDelta) string {
	for _, name := range []string{"reasoning_content", "reasoning"} {
		var text string
		if json.Unmarshal([]byte(d.JSON.ExtraFields[name].Raw()), &text) == nil && text != "" {
			return text
		}
	}
	return ""
}
