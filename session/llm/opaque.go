package llm

import (
	"encoding/json"

	"github.com/tidwall/gjson"
)

// opaque is the content of an [Opaque]: who gave the message, and what it attached, by protocol.
type opaque struct {
	From      string            `json:"from,omitempty"`      // the [endpoint.origin] of the message
	Chat      *chatAttachments  `json:"chat,omitempty"`      // of a chat completion
	Ollama    string            `json:"ollama,omitempty"`    // thoughts
	OpenAI    []json.RawMessage `json:"openai,omitempty"`    // items of the responses API
	Anthropic []json.RawMessage `json:"anthropic,omitempty"` // blocks of a message
}

// chatAttachments is what a server has attached to a chat completion, under the names under which it came.
type chatAttachments struct {
	ReasoningContent string            `json:"reasoning_content,omitempty"`
	Reasoning        string            `json:"reasoning,omitempty"`
	ReasoningDetails []json.RawMessage `json:"reasoning_details,omitempty"`
	// More has other fields of thoughts, by their names.
	More map[string]json.RawMessage `json:"more,omitempty"`
	// Calls has an object with the unknown keys of each call, or null, in the order of the calls; nil if no call has any.
	Calls []json.RawMessage `json:"calls,omitempty"`
}

func (o opaque) empty() bool {
	return o.From+o.Ollama == "" && o.Chat == nil && len(o.OpenAI)+len(o.Anthropic) == 0
}

func (o opaque) marshal() Opaque {
	if o.empty() {
		return nil
	}
	b, err := json.Marshal(o)
	if err != nil {
		return nil // invalid JSON of a provider can't be sent back
	}
	return b
}

// opaqueOf decodes the result of [opaque.marshal].
func opaqueOf(raw Opaque) (o opaque) {
	if len(raw) > 0 && json.Unmarshal(raw, &o) != nil {
		return opaque{}
	}
	return o
}

// isFrom reports whether origin is the author of a message that has calls or attachments.
func isFrom(origin string, m *Message) bool {
	return len(m.Opaque) > 0 && gjson.GetBytes(m.Opaque, "from").Str == origin
}

// ownsCalls reports whether origin has given the ids of the calls that a message makes or answers.
// The message is one of a conversation, by its index.
func ownsCalls(origin string, messages []Message, index int) bool {
	for ; index >= 0 && messages[index].Role == Tool; index-- {
	}
	return index >= 0 && isFrom(origin, &messages[index])
}

// attachedBy returns what origin has attached to a message: nothing to those of others.
func attachedBy(origin string, m *Message) opaque {
	if !isFrom(origin, m) {
		return opaque{}
	}
	return opaqueOf(m.Opaque)
}

// signed adds the origin to what a response has attached, so that it goes back to no other server.
func signed(attached Opaque, origin string) Opaque {
	o := opaqueOf(attached)
	o.From = origin
	return o.marshal()
}

// orEmptyObject returns args, or an empty object for a call without arguments.
func orEmptyObject(args []byte) json.RawMessage {
	if len(args) == 0 {
		return json.RawMessage("{}")
	}
	return args
}
