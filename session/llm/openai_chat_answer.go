package llm

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// chatAnswer is the part of a chat completion received so far: chunks of a stream, or one object.
type chatAnswer struct {
	begun    bool
	chosen   bool // a chunk had a choice
	whole    bool // a chunk was a whole answer
	deltas   bool // a choice had a delta
	text     bool // text has come
	thought  bool // reasoning has come
	calls    chatCalls
	attached attaching
	usage    *Usage
	finish   Finish
}

func (a *chatAnswer) knows(_ string, c gjson.Result) bool {
	return len(listOf(c, "choices")) > 0 || c.Get("usage").IsObject() || wordsIn(c, 0) == ""
}

// noteUsage takes the usage from the first of the places that has one.
func (a *chatAnswer) noteUsage(places ...gjson.Result) {
	for _, usage := range places {
		if usage.IsObject() {
			a.usage = usageOf(usage)
			return
		}
	}
}

// add adds a chunk and returns the text and reasoning in it.
func (a *chatAnswer) add(_ string, c gjson.Result) (Chunk, error) {
	a.begun = true
	choice := c.Get("choices.0")
	a.noteUsage(c.Get("usage"), choice.Get("usage"), c.Get("x_groq.usage"))
	if !choice.IsObject() {
		return Chunk{}, nil
	}
	a.chosen = true
	a.whole = a.whole || c.Get("object").Str == "chat.completion" && choice.Get("message").IsObject()
	reason := choice.Get("finish_reason").String()
	if hasContent(choice.Get("error")) {
		return Chunk{}, streamedError([]byte(choice.Raw), true)
	}
	if isFailure(reason) {
		return Chunk{}, &Error{Class: Overloaded, Message: failedAnswer, BrokeOff: true}
	}
	if !isNone(reason) {
		a.finish = finishOf(reason)
	}
	return a.addChoice(choice), nil
}

// addChoice adds the piece in a choice. What is not streamed has a message instead of a delta; some
// servers send it at the end of a stream, too, where only what is missing counts.
func (a *chatAnswer) addChoice(choice gjson.Result) (c Chunk) {
	calls := len(a.calls.all)
	c = a.addPiece(choice.Get("delta"), true, true, true)
	if message := choice.Get("message"); message.IsObject() {
		a.deltas = a.deltas || c.Text+c.Reasoning != "" || len(a.calls.all) > calls
		m := a.addPiece(message, !a.deltas || !a.text, !a.deltas || !a.thought, !a.deltas || len(a.calls.all) == 0)
		return Chunk{Text: c.Text + m.Text, Reasoning: c.Reasoning + m.Reasoning}
	}
	a.deltas = a.deltas || a.text || a.thought || len(a.calls.all) > 0
	if text := choice.Get("text"); c.Text == "" && text.Type == gjson.String { // of an older API
		c.Text, a.text = text.Str, a.text || text.Str != ""
	}
	return c
}

// addPiece adds the text, the reasoning and the calls of a delta or a message.
func (a *chatAnswer) addPiece(piece gjson.Result, text, reasoning, calls bool) (c Chunk) {
	if !piece.IsObject() {
		return c
	}
	if reasoning {
		c.Reasoning = a.attached.add(piece)
	}
	said, thought := textParts(piece.Get("content"))
	if refusal := piece.Get("refusal"); refusal.Type != gjson.Null {
		said += refusal.String()
	}
	if text {
		c.Text = said
	}
	if reasoning {
		c.Reasoning = cmp.Or(c.Reasoning, thought)
	}
	if calls {
		a.calls.addAll(piece)
	}
	a.text, a.thought = a.text || c.Text != "", a.thought || c.Reasoning != ""
	return c
}

// complete implements [streamedAnswer].
func (a *chatAnswer) complete(done bool) error {
	switch {
	case a.finish != "", done && a.chosen, a.whole:
		return nil
	case a.begun && !a.chosen:
		return &Error{Class: BadResponse, Message: "the answer is empty: it has no choices"}
	}
	return errBrokeOff
}

func (a *chatAnswer) unknownError() Class { return BadResponse }

func (a *chatAnswer) ended() ending {
	end := ending{usage: a.usage, finish: a.finish}
	end.calls, a.attached.Calls = a.calls.complete()
	if all := a.attached.all(); !all.empty() {
		end.attached.Chat = all
	}
	return end
}

// finishOf returns the reason to end by the words of many servers.
func finishOf(reason string) Finish {
	switch strings.ToLower(reason) {
	case "tool_calls", "tool_call", "tool_use", "function_call":
		return FinishToolCalls
	case "length", "max_tokens", "model_length", "max_output_tokens":
		return FinishLength
	case "content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii", "sensitive":
		return FinishContentFilter
	}
	return FinishStop
}

// isNone reports whether a value says that there is none.
func isNone(word string) bool {
	return slices.Contains([]string{"", "null", "none", "false"}, strings.ToLower(word))
}

// isFailure reports whether a reason to end says that the server has failed.
func isFailure(reason string) bool {
	reason = strings.ToLower(reason)
	return strings.Contains(reason, "error") || slices.Contains([]string{"failed", "abort", "aborted", "cancelled", "insufficient_system_resource"}, reason)
}

func usageOf(u gjson.Result) *Usage {
	return &Usage{
		In:     int(u.Get("prompt_tokens").Int()),
		Out:    int(u.Get("completion_tokens").Int()),
		Cached: int(u.Get("prompt_tokens_details.cached_tokens").Int()),
		Cost:   u.Get("cost").Num, // OpenRouter's
	}
}
