package llm

import (
	"encoding/json"
)

// anthropicAnswerTokens bounds an answer if the model's limit is unknown. The API
// requires a number, and all its models since 2024 accept this one.
const anthropicAnswerTokens = 8192

// anthropicRequest is the body of a request to the messages API.
type anthropicRequest struct {
	MaxTokens    int                  `json:"max_tokens"`
	Messages     []anthropicMessage   `json:"messages"`
	Model        string               `json:"model"`
	CacheControl *anthropicCache      `json:"cache_control"`
	System       any                  `json:"system,omitempty"` // a text or a list of them
	Thinking     *anthropicThinking   `json:"thinking,omitempty"`
	OutputConfig *anthropicOutput     `json:"output_config,omitempty"`
	ToolChoice   *anthropicToolChoice `json:"tool_choice,omitempty"`
	Tools        []anthropicTool      `json:"tools,omitempty"`
	Stream       bool                 `json:"stream"`
}

// anthropicCache marks where what may be cached ends.
type anthropicCache struct {
	Type string `json:"type"`
}

var ephemeral = &anthropicCache{Type: "ephemeral"}

type anthropicThinking struct {
	Display string `json:"display"`
	Type    string `json:"type"`
}

type anthropicOutput struct {
	Effort string `json:"effort"`
}

type anthropicToolChoice struct {
	DisableParallelToolUse bool   `json:"disable_parallel_tool_use"`
	Type                   string `json:"type"`
}

type anthropicTool struct {
	InputSchema json.RawMessage `json:"input_schema"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
}

func (p *anthropicAPI) request(req *Request, refused refusals) anthropicRequest {
	r := anthropicRequest{Model: req.Model, MaxTokens: anthropicAnswerTokens, CacheControl: ephemeral, Stream: true}
	if req.MaxTokens > 0 {
		r.MaxTokens = req.MaxTokens
	}
	if req.Reasoning {
		r.Thinking = &anthropicThinking{Display: "summarized", Type: "adaptive"}
	}
	if req.Effort != "" {
		r.OutputConfig = &anthropicOutput{Effort: req.Effort}
	}
	messages := p.layout(req.Messages)
	if len(messages) > 0 && messages[0].Role == System {
		r.System = []anthropicText{{Text: messages[0].Text, CacheControl: ephemeral, Type: "text"}}
		if refused.has("cache_control") {
			r.System = messages[0].Text
		}
		messages = messages[1:]
	}
	r.Messages = p.messages(p.origin(req.Model), messages)
	for _, t := range req.Tools {
		r.Tools = append(r.Tools, anthropicTool{InputSchema: t.Schema, Name: t.Name, Description: t.Description})
	}
	if req.SerialTools && len(req.Tools) > 0 {
		r.ToolChoice = &anthropicToolChoice{DisableParallelToolUse: true, Type: "auto"}
	}
	return r
}

// body returns the body of a request without what was refused.
func (p *anthropicAPI) body(req *Request, refused refusals) ([]byte, error) {
	body, err := marshalRequest(p.request(req, refused))
	return refused.appliedTo(body), err
}
