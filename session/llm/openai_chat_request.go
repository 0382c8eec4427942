package llm

import (
	"bytes"
	"encoding/json"
)

// chatRequest is the body of a request for a chat completion, less its messages.
type chatRequest struct {
	Model               string        `json:"model"`
	MaxTokens           int           `json:"max_tokens,omitempty"`
	MaxCompletionTokens int           `json:"max_completion_tokens,omitempty"`
	ParallelToolCalls   *bool         `json:"parallel_tool_calls,omitempty"`
	ReasoningEffort     string        `json:"reasoning_effort,omitempty"`
	StreamOptions       streamOptions `json:"stream_options"`
	Tools               []chatTool    `json:"tools,omitempty"`
	Stream              bool          `json:"stream"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type chatTool struct {
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"` // in its own order, which carries meaning for models
	} `json:"function"`
	Type string `json:"type"`
}

// chatBody returns the body of a request without what was refused.
func (p *openAI) chatBody(req *Request, refused refusals) ([]byte, error) {
	r := chatRequest{Model: req.Model, ReasoningEffort: req.Effort, StreamOptions: streamOptions{IncludeUsage: true},
		Stream: true}
	for _, t := range req.Tools {
		tool := chatTool{Type: "function"}
		tool.Function.Name, tool.Function.Description, tool.Function.Parameters = t.Name, t.Description, t.Schema
		r.Tools = append(r.Tools, tool)
	}
	if p.ownEndpoint { // OpenAI's newer models reject max_tokens; other servers may not support the new name
		r.MaxCompletionTokens = req.MaxTokens
	} else {
		r.MaxTokens = req.MaxTokens
	}
	if req.SerialTools && len(req.Tools) > 0 {
		r.ParallelToolCalls = new(bool)
	}
	rest, err := appendJSON(nil, r)
	if err != nil {
		return nil, err
	}
	return p.sent.body(p.origin(req.Model), layout(req.Messages), refused.appliedTo(rest))
}

// appendJSON appends the JSON of a value. It leaves <, > and & as they are, of which code has many.
func appendJSON(to []byte, value any) ([]byte, error) {
	b := bytes.NewBuffer(to)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
