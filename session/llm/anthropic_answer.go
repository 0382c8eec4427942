package llm

import (
	"encoding/json"

	"github.com/tidwall/gjson"
)

// anthropicAnswer is the part of a streamed message received so far.
type anthropicAnswer struct {
	blocks []*anthropicBlock // reasoning and calls, in order
	usage  Usage
	finish Finish
}

// anthropicBlock is a block that is passed on only when it is complete.
type anthropicBlock struct {
	index     int64
	kind      string // the API's type
	id, name  string
	args      []byte
	thinking  []byte
	signature []byte
	data      string // of redacted reasoning
}

// add adds an event and returns the text and reasoning in it.
func (a *anthropicAnswer) add(e gjson.Result) (Chunk, error) {
	switch e.Get("type").String() {
	case "message_start":
		a.count(e.Get("message.usage"))
	case "content_block_start":
		return a.open(e), nil
	case "content_block_delta":
		return a.extend(e), nil
	case "message_delta":
		a.count(e.Get("usage"))
		if reason := e.Get("delta.stop_reason").String(); reason != "" {
			a.finish = anthropicFinish(reason)
		}
	}
	return Chunk{}, nil
}

// count takes cumulative numbers, which only some events have. Anthropic's input
// tokens exclude the tokens written to and read from the cache.
func (a *anthropicAnswer) count(usage gjson.Result) {
	if !usage.IsObject() {
		return
	}
	tokens := func(kind string) int { return int(usage.Get(kind).Int()) }
	written, read := tokens("cache_creation_input_tokens"), tokens("cache_read_input_tokens")
	a.usage.In = max(a.usage.In, tokens("input_tokens")+written+read)
	a.usage.Cached = max(a.usage.Cached, read)
	a.usage.Written = max(a.usage.Written, written)
	a.usage.Out = max(a.usage.Out, tokens("output_tokens"))
}

func (a *anthropicAnswer) open(e gjson.Result) Chunk {
	b := func(field string) string { return e.Get("content_block." + field).String() }
	switch kind := b("type"); kind {
	case "text":
		return Chunk{Text: b("text")}
	case "thinking", "redacted_thinking", "tool_use":
		block := &anthropicBlock{index: e.Get("index").Int(), kind: kind, id: b("id"), name: b("name"), thinking: []byte(b("thinking")), signature: []byte(b("signature")), data: b("data")}
		if given := e.Get("content_block.input"); given.IsObject() && len(given.Map()) > 0 { // some servers send the arguments at once
			block.args = []byte(given.Raw)
		}
		a.blocks = append(a.blocks, block)
	}
	return Chunk{Reasoning: b("thinking")}
}

func (a *anthropicAnswer) extend(e gjson.Result) Chunk {
	thinking := e.Get("delta.thinking").String()
	if n := len(a.blocks); n > 0 && a.blocks[n-1].index == e.Get("index").Int() {
		b := a.blocks[n-1]
		b.args = append(b.args, e.Get("delta.partial_json").String()...)
		b.thinking = append(b.thinking, thinking...)
		b.signature = append(b.signature, e.Get("delta.signature").String()...)
	}
	return Chunk{Text: e.Get("delta.text").String(), Reasoning: thinking}
}

func (a *anthropicAnswer) complete() error {
	if a.finish == "" {
		return errBrokeOff
	}
	return nil
}

func (a *anthropicAnswer) end(emit func(Chunk) bool) {
	var thoughts []json.RawMessage
	for _, b := range a.blocks {
		switch {
		case b.kind != "tool_use":
			if len(b.signature) > 0 || b.data != "" { // the API rejects unsigned reasoning
				thoughts = append(thoughts, b.thought())
			}
		case a.finish == FinishToolCalls:
			if !emit(Chunk{Call: &Call{ID: b.id, Name: b.name, Arguments: orEmptyObject(b.args)}}) {
				return
			}
		}
	}
	emit(Chunk{Usage: &a.usage, Finish: a.finish, Opaque: opaque{Anthropic: thoughts}.marshal()})
}

// thought returns the block as it must be sent back.
func (b *anthropicBlock) thought() json.RawMessage {
	var block any = struct {
		Signature string `json:"signature"`
		Thinking  string `json:"thinking"`
		Type      string `json:"type"`
	}{string(b.signature), string(b.thinking), b.kind}
	if b.kind == "redacted_thinking" {
		block = struct {
			Data string `json:"data"`
			Type string `json:"type"`
		}{b.data, b.kind}
	}
	raw, err := json.Marshal(block)
	if err != nil {
		panic(err) // strings
	}
	return raw
}

func anthropicFinish(reason string) Finish {
	switch reason {
	case "tool_use":
		return FinishToolCalls
	case "max_tokens", "model_context_window_exceeded":
		return FinishLength
	case "refusal":
		return FinishContentFilter
	default:
		return FinishStop
	}
}
