package llm

import (
	"encoding/json"

	"ploke-lsp/session/llm/repair"
)

// chatMessage is a message of a request. Beside what the protocol says it has what its author attached.
type chatMessage struct {
	Content          *string           `json:"content,omitempty"`
	ReasoningContent string            `json:"reasoning_content,omitempty"`
	Reasoning        string            `json:"reasoning,omitempty"`
	ReasoningDetails []json.RawMessage `json:"reasoning_details,omitempty"`
	ToolCalls        []json.RawMessage `json:"tool_calls,omitempty"` // each a chatCall with more keys
	ToolCallID       string            `json:"tool_call_id,omitempty"`
	Role             Role              `json:"role"`

	more map[string]json.RawMessage // other fields
}

// appendTo appends the JSON of a message.
func (m chatMessage) appendTo(to []byte) ([]byte, error) {
	to, err := appendJSON(to, m)
	if err != nil || len(m.more) == 0 {
		return to, err
	}
	more, err := appendJSON(nil, m.more)
	if err != nil {
		return to, err
	}
	return append(append(to[:len(to)-1], ','), more[1:]...), nil
}

type chatCall struct {
	ID       string `json:"id"`
	Function struct {
		Arguments string `json:"arguments"`
		Name      string `json:"name"`
	} `json:"function"`
	Type string `json:"type"`
}

// chatMessageOf returns a message of a conversation with origin, by its index.
func chatMessageOf(origin string, messages []Message, index int) chatMessage {
	m := &messages[index]
	c := chatMessage{Role: m.Role}
	if m.Role != Assistant || m.Text != "" || len(m.Calls) == 0 {
		c.Content = &m.Text
	}
	switch own := ownsCalls(origin, messages, index); m.Role {
	case Tool:
		c.ToolCallID = repair.ID(m.CallID, own)
	case Assistant:
		c.attach(m.Calls, attachedBy(origin, m).Chat, own)
	}
	return c
}

// attach adds an assistant's calls and attachments.
func (c *chatMessage) attach(calls []Call, attached *chatAttachments, own bool) {
	if attached == nil {
		attached = &chatAttachments{}
	}
	c.ReasoningContent, c.Reasoning = attached.ReasoningContent, attached.Reasoning
	c.ReasoningDetails = attached.ReasoningDetails
	c.more = attached.More
	for i := range calls {
		call := chatCall{ID: repair.ID(calls[i].ID, own), Type: "function"}
		call.Function.Name, call.Function.Arguments = repair.Name(calls[i].Name), string(repair.Object(calls[i].Arguments))
		var more json.RawMessage
		if i < len(attached.Calls) {
			more = attached.Calls[i]
		}
		c.ToolCalls = append(c.ToolCalls, withKeys(call, more))
	}
}

// withKeys returns the JSON of a call with the keys of an object, which may be missing.
func withKeys(call chatCall, object json.RawMessage) json.RawMessage {
	raw, err := appendJSON(nil, call)
	if err != nil {
		panic(err) // strings
	}
	if len(object) <= len("{}") || object[0] != '{' {
		return raw
	}
	return append(append(raw[:len(raw)-1], ','), object[1:]...)
}
