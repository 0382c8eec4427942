package llm

import (
	"encoding/json"

	"github.com/anthropics/anthropic-sdk-go"
)

// anthropicAnswer is the part of a streamed message received so far.
type anthropicAnswer struct {
	begun  bool
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
func (a *anthropicAnswer) add(e anthropic.MessageStreamEventUnion) Chunk {
	a.begun = true
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		a.count(u.InputTokens, u.CacheCreationInputTokens, u.CacheReadInputTokens, u.OutputTokens)
	case "content_block_start":
		return a.open(e)
	case "content_block_delta":
		return a.extend(e)
	case "message_delta":
		u := e.Usage
		a.count(u.InputTokens, u.CacheCreationInputTokens, u.CacheReadInputTokens, u.OutputTokens)
		if e.Delta.StopReason != "" {
			a.finish = anthropicFinish(e.Delta.StopReason)
		}
	}
	return Chunk{}
}

// count takes cumulative numbers, which only some events have. Anthropic's input
// tokens exclude the tokens written to and read from the cache.
func (a *anthropicAnswer) count(in, cacheWritten, cacheRead, out int64) {
	a.usage.In = max(a.usage.In, int(in+cacheWritten+cacheRead))
	a.usage.Cached = max(a.usage.Cached, int(cacheRead))
	a.usage.Written = max(a.usage.Written, int(cacheWritten))
	a.usage.Out = max(a.usage.Out, int(out))
}

func (a *anthropicAnswer) open(e anthropic.MessageStreamEventUnion) Chunk {
	b := e.ContentBlock
	switch b.Type {
	case "text":
		return Chunk{Text: b.Text}
	case "thinking", "redacted_thinking", "tool_use":
		block := &anthropicBlock{index: e.Index, kind: b.Type, id: b.ID, name: b.Name, thinking: []byte(b.Thinking), signature: []byte(b.Signature), data: b.Data}
		if given, ok := b.Input.(map[string]any); ok && len(given) > 0 { // some servers send the arguments at once
			block.args, _ = json.Marshal(given) // just decoded from JSON
		}
		a.blocks = append(a.blocks, block)
	}
	return Chunk{Reasoning: b.Thinking}
}

func (a *anthropicAnswer) extend(e anthropic.MessageStreamEventUnion) Chunk {
	d := e.Delta
	if n := len(a.blocks); n > 0 && a.blocks[n-1].index == e.Index {
		b := a.blocks[n-1]
		b.args = append(b.args, d.PartialJSON...)
		b.thinking = append(b.thinking, d.Thinking...)
		b.signature = append(b.signature, d.Signature...)
	}
	return Chunk{Text: d.Text, Reasoning: d.Thinking}
}

// end yields the calls, which are now complete, and the last chunk.
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
	block := anthropic.NewThinkingBlock(string(b.signature), string(b.thinking))
	if b.kind == "redacted_thinking" {
		block = anthropic.NewRedactedThinkingBlock(b.data)
	}
	raw, err := json.Marshal(block)
	if err != nil {
		panic(err) // strings
	}
	return raw
}

func anthropicFinish(reason anthropic.StopReason) Finish {
	switch reason {
	case anthropic.StopReasonToolUse:
		return FinishToolCalls
	case anthropic.StopReasonMaxTokens, anthropic.StopReasonModelContextWindowExceeded:
		return FinishLength
	case anthropic.StopReasonRefusal:
		return FinishContentFilter
	default:
		return FinishStop
	}
}
