package llm

import (
	"encoding/json"

	"ploke-lsp/session/llm/repair"
)

// ollamaChat is a request to /api/chat.
type ollamaChat struct {
	Model    string          `json:"model"`
	Messages []ollamaMessage `json:"messages"`
	Tools    []ollamaTool    `json:"tools,omitempty"`
	Stream   bool            `json:"stream"`
	Think    any             `json:"think,omitempty"` // a boolean, or an effort
	Options  struct {
		ContextTokens int `json:"num_ctx,omitempty"`
		AnswerTokens  int `json:"num_predict,omitempty"`
	} `json:"options,omitzero"`
}

type ollamaMessage struct {
	Role       string       `json:"role"`
	Content    string       `json:"content"`
	Thinking   string       `json:"thinking,omitempty"`
	ToolCalls  []ollamaCall `json:"tool_calls,omitempty"`
	ToolName   string       `json:"tool_name,omitempty"`
	ToolCallID string       `json:"tool_call_id,omitempty"`
}

type ollamaCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

type ollamaTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

func newOllamaChat(origin string, req *Request) ollamaChat {
	chat := ollamaChat{Model: req.Model, Stream: true}
	switch {
	case req.Effort != "":
		chat.Think = req.Effort
	case req.Reasoning:
		chat.Think = true
	}
	chat.Options.ContextTokens, chat.Options.AnswerTokens = req.ContextTokens, req.MaxTokens
	messages := layout(req.Messages)
	for i := range messages {
		chat.Messages = append(chat.Messages,
			newOllamaMessage(&messages[i], attachedBy(origin, &messages[i]).Ollama, ownsCalls(origin, messages, i)))
	}
	for _, t := range req.Tools {
		tool := ollamaTool{Type: "function"}
		tool.Function.Name, tool.Function.Description, tool.Function.Parameters = t.Name, t.Description, t.Schema
		chat.Tools = append(chat.Tools, tool)
	}
	return chat
}

func newOllamaMessage(m *Message, thoughts string, own bool) ollamaMessage {
	out := ollamaMessage{Role: string(m.Role), Content: m.Text, Thinking: thoughts}
	if m.Role == Tool {
		out.ToolName, out.ToolCallID = repair.Name(m.Name), repair.ID(m.CallID, own)
	}
	for _, c := range m.Calls {
		call := ollamaCall{ID: repair.ID(c.ID, own)}
		call.Function.Name, call.Function.Arguments = repair.Name(c.Name), repair.Object(c.Arguments)
		out.ToolCalls = append(out.ToolCalls, call)
	}
	return out
}
