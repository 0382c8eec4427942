package llm

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// anthropicAnswer is the part of a message received so far, which is streamed or comes as one object.
type anthropicAnswer struct {
	blocks  []*anthropicBlock // all but text, in order
	usage   Usage
	finish  Finish
	begun   bool // an event has come
	known   bool // one whose type is known
	stopped bool // the message is complete
}

// anthropicBlock is a block that is passed on only when it is complete.
type anthropicBlock struct {
	index     int64
	kind      string // the API's type
	id, name  string
	args      openAICall // only its arguments
	thinking  []byte
	signature []byte
	data      string // of redacted reasoning
}

func (a *anthropicAnswer) knows(name string, e gjson.Result) bool {
	return anthropicType(name, e) != "" || wordsIn(e, 0) == ""
}

// anthropicType returns the type of an event. Some servers give it only as the name of the event, or not at all.
func anthropicType(name string, e gjson.Result) string {
	types := []string{"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop", "message", "ping", "error"}
	kind := e.Get("type").String()
	for _, given := range []string{kind, name} {
		if slices.Contains(types, given) && (given != "error" || given == kind) &&
			(given != "message" || isContent(e.Get("content"))) {
			return given
		}
	}
	switch delta := e.Get("delta"); {
	case e.Get("content_block").IsObject():
		return "content_block_start"
	case delta.Get("stop_reason").Exists():
		return "message_delta"
	case delta.IsObject():
		return "content_block_delta"
	case e.Get("message").IsObject():
		return "message_start"
	case isContent(e.Get("content")):
		return "message"
	}
	return ""
}

// isContent reports whether a value is the content of a message.
func isContent(v gjson.Result) bool { return v.IsArray() || v.Type == gjson.String }

// add adds an event and returns the text and reasoning in it.
func (a *anthropicAnswer) add(name string, e gjson.Result) (c Chunk, err error) {
	kind := anthropicType(name, e)
	a.begun, a.known = true, a.known || kind != ""
	switch kind {
	case "message_start":
		return a.addMessage(e.Get("message")), nil
	case "message":
		a.stopped = true
		a.end(e)
		return a.addMessage(e), nil
	case "content_block_start":
		return a.open(e.Get("index").Int(), e.Get("content_block")), nil
	case "content_block_delta":
		return a.extend(e.Get("index"), e.Get("delta")), nil
	case "message_delta":
		a.count(e.Get("usage"))
		a.end(e.Get("delta"))
	case "message_stop":
		a.stopped = true
	}
	return Chunk{}, nil
}

// addMessage adds a message, of which a stream has only the beginning.
func (a *anthropicAnswer) addMessage(message gjson.Result) (all Chunk) {
	a.count(message.Get("usage"))
	if text := message.Get("content"); text.Type == gjson.String {
		return Chunk{Text: text.Str}
	}
	for i, block := range listOf(message, "content") {
		c := a.open(int64(i), block)
		all.Text, all.Reasoning = all.Text+c.Text, all.Reasoning+c.Reasoning
	}
	return all
}

func (a *anthropicAnswer) end(v gjson.Result) {
	if reason := v.Get("stop_reason").String(); reason != "" {
		a.finish = anthropicFinish(reason)
	}
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

func (a *anthropicAnswer) open(index int64, given gjson.Result) Chunk {
	b := func(field string) string { return given.Get(field).String() }
	if b("type") == "text" {
		return Chunk{Text: b("text")}
	}
	block := &anthropicBlock{index: index, kind: b("type"), id: b("id"), name: b("name"), thinking: []byte(b("thinking")),
		signature: []byte(b("signature")), data: b("data")}
	if input := given.Get("input"); input.IsObject() && len(input.Map()) > 0 { // some servers send the arguments at once
		block.args.addArguments(input.Raw)
	} else if input.Type == gjson.String {
		block.args.addArguments(input.Str)
	}
	a.blocks = append(a.blocks, block)
	return Chunk{Reasoning: b("thinking")}
}

func (a *anthropicAnswer) extend(index, delta gjson.Result) Chunk {
	thinking := delta.Get("thinking").String()
	if b := a.block(index, delta); b != nil {
		b.args.addArguments(delta.Get("partial_json").String())
		b.thinking = append(b.thinking, thinking...)
		b.signature = append(b.signature, delta.Get("signature").String()...)
	}
	return Chunk{Text: delta.Get("text").String(), Reasoning: thinking}
}

// block returns the block that a delta extends, the last one with the index or, without one, of the
// kind. It begins a block of reasoning that has no beginning.
func (a *anthropicAnswer) block(index, delta gjson.Result) *anthropicBlock {
	kind := ""
	switch {
	case delta.Get("partial_json").Exists():
		kind = "tool_use"
	case delta.Get("thinking").Exists(), delta.Get("signature").Exists():
		kind = "thinking"
	}
	for _, b := range slices.Backward(a.blocks) {
		if fits := strings.HasSuffix(b.kind, kind); fits && index.Exists() && b.index == index.Int() ||
			b.kind == kind && !index.Exists() {
			return b
		}
	}
	if kind != "thinking" {
		return a.lastCall()
	}
	b := &anthropicBlock{index: index.Int(), kind: kind}
	a.blocks = append(a.blocks, b)
	return b
}

// lastCall returns the last call, or nil.
func (a *anthropicAnswer) lastCall() *anthropicBlock {
	for _, b := range slices.Backward(a.blocks) {
		if b.kind == "tool_use" {
			return b
		}
	}
	return nil
}

func (a *anthropicAnswer) complete(done bool) error {
	switch {
	case a.finish != "", a.stopped, done && a.known:
		return nil
	case a.begun && !a.known:
		return &Error{Class: BadResponse, Message: "the answer is empty: it has no content"}
	}
	return errBrokeOff
}

func (a *anthropicAnswer) unknownError() Class { return BadResponse }

func (a *anthropicAnswer) ended() ending {
	end := ending{usage: &a.usage, finish: a.finish}
	for _, b := range a.blocks {
		switch {
		case b.kind == "tool_use":
			end.calls = append(end.calls, Call{ID: b.id, Name: b.name, Arguments: orEmptyObject(b.args.args)})
		case strings.HasSuffix(b.kind, "thinking") && len(b.thinking)+len(b.signature)+len(b.data) > 0:
			end.attached.Anthropic = append(end.attached.Anthropic, b.thought())
		}
	}
	return end
}

// thought returns the block as it must be sent back. Only Anthropic's own reasoning is signed.
func (b *anthropicBlock) thought() json.RawMessage {
	var block any = struct {
		Signature string `json:"signature,omitempty"`
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
	case "pause_turn":
		return FinishPaused
	default:
		return FinishStop
	}
}
