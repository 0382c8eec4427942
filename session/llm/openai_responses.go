package llm

import (
	"encoding/json"

	"ploke-lsp/session/llm/repair"
)

// responsesRequest is the body of a request to the responses API.
type responsesRequest struct {
	MaxOutputTokens   int                 `json:"max_output_tokens,omitempty"`
	ParallelToolCalls *bool               `json:"parallel_tool_calls,omitempty"`
	Store             bool                `json:"store"`
	Include           []string            `json:"include,omitempty"`
	Input             []any               `json:"input"` // items, and JSON that the API sent
	Model             string              `json:"model"`
	Reasoning         *responsesReasoning `json:"reasoning,omitempty"`
	Tools             []responsesTool     `json:"tools,omitempty"`
	Stream            bool                `json:"stream"`
}

type responsesReasoning struct {
	Effort  string `json:"effort,omitempty"`
	Summary string `json:"summary,omitempty"`
}

type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict"`
}

type responsesMessage struct {
	Content string `json:"content"`
	Role    Role   `json:"role"`
}

type responsesCall struct {
	Arguments string `json:"arguments"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Type      string `json:"type"`
}

type responsesOutput struct {
	Output string `json:"output"`
	CallID string `json:"call_id"`
	Type   string `json:"type"`
}

// responsesBody returns the body of a request without what was refused. The effort stays, since the person has chosen
// it.
func (p *openAI) responsesBody(req *Request, refused refusals) ([]byte, error) {
	r := newResponsesRequest(p.origin(req.Model), req)
	if req.Effort != "" {
		if r.Reasoning == nil || refused.has("reasoning") {
			r.Reasoning = &responsesReasoning{}
		}
		r.Reasoning.Effort, refused = req.Effort, refused.without("reasoning")
	}
	body, err := appendJSON(nil, r)
	return refused.appliedTo(body), err
}

// newResponsesRequest stores nothing at the provider: each request contains the entire
// conversation and the encrypted reasoning.
func newResponsesRequest(origin string, req *Request) responsesRequest {
	r := responsesRequest{Model: req.Model, MaxOutputTokens: req.MaxTokens, Stream: true}
	messages := layout(req.Messages)
	for i := range messages {
		r.Input = append(r.Input, inputItems(origin, messages, i)...)
	}
	for _, t := range req.Tools {
		r.Tools = append(r.Tools,
			responsesTool{Type: "function", Name: t.Name, Description: t.Description, Parameters: t.Schema})
	}
	if req.SerialTools && len(req.Tools) > 0 {
		r.ParallelToolCalls = new(bool)
	}
	if req.Reasoning {
		r.Reasoning = &responsesReasoning{Summary: "auto"}
		r.Include = []string{"reasoning.encrypted_content"}
	}
	return r
}

// inputItems returns the items of a message of a conversation with origin, by its index.
func inputItems(origin string, messages []Message, index int) []any {
	m, own := &messages[index], ownsCalls(origin, messages, index)
	switch m.Role {
	case Tool:
		return []any{responsesOutput{Output: m.Text, CallID: repair.ID(m.CallID, own), Type: "function_call_output"}}
	case Assistant:
		return assistantItems(m, attachedBy(origin, m).OpenAI, own)
	default:
		return []any{responsesMessage{Content: m.Text, Role: m.Role}}
	}
}

func assistantItems(m *Message, attached []json.RawMessage, own bool) (items []any) {
	for _, item := range attached {
		items = append(items, item)
	}
	if m.Text != "" {
		items = append(items, responsesMessage{Content: m.Text, Role: Assistant})
	}
	for _, c := range m.Calls {
		items = append(items,
			responsesCall{Arguments: string(repair.Object(c.Arguments)), CallID: repair.ID(c.ID, own), Name: repair.Name(c.Name),
				Type: "function_call"})
	}
	return items
}
