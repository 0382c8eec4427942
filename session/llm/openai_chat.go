package llm

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

func (p *openAI) sendChat(ctx context.Context, req *Request, emit func(Chunk) bool) error {
	var response *http.Response
	stream := p.chat.NewStreaming(ctx, p.chatParams(req), option.WithResponseInto(&response))
	defer stream.Close()
	var a chatAnswer
	for stream.Next() {
		if c := a.add(stream.Current()); (c.Text != "" || c.Reasoning != "") && !emit(c) {
			return nil
		}
	}
	err := stream.Err()
	if err == nil {
		err = a.complete()
	}
	if err != nil {
		return requestError(err, response, a.begun)
	}
	a.end(emit)
	return nil
}

func (p *openAI) chatParams(req *Request) openai.ChatCompletionNewParams {
	params := openai.ChatCompletionNewParams{
		Model:         req.Model,
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	}
	for _, m := range req.Messages {
		params.Messages = append(params.Messages, messageParam(m))
	}
	for _, t := range req.Tools {
		params.Tools = append(params.Tools, toolParam(t))
	}
	switch {
	case req.MaxTokens == 0:
	case p.ownEndpoint: // OpenAI's newer models reject max_tokens; other servers may not support the new name
		params.MaxCompletionTokens = openai.Int(int64(req.MaxTokens))
	default:
		params.MaxTokens = openai.Int(int64(req.MaxTokens))
	}
	if req.SerialTools && len(req.Tools) > 0 {
		params.ParallelToolCalls = openai.Bool(false)
	}
	return params
}

func messageParam(m Message) openai.ChatCompletionMessageParamUnion {
	switch m.Role {
	case System:
		return openai.SystemMessage(m.Text)
	case Tool:
		return openai.ToolMessage(m.Text, m.CallID)
	case Assistant:
		return assistantParam(m)
	default:
		return openai.UserMessage(m.Text)
	}
}

func assistantParam(m Message) openai.ChatCompletionMessageParamUnion {
	var p openai.ChatCompletionAssistantMessageParam
	if m.Text != "" || len(m.Calls) == 0 {
		p.Content.OfString = openai.String(m.Text)
	}
	for _, c := range m.Calls {
		p.ToolCalls = append(p.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
				ID: c.ID,
				Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{
					Name:      c.Name,
					Arguments: string(c.Arguments),
				},
			},
		})
	}
	return openai.ChatCompletionMessageParamUnion{OfAssistant: &p}
}

// toolParam keeps the schema's bytes. The SDK's map would lose the order of the
// properties, which carries meaning for models.
func toolParam(t ToolSpec) openai.ChatCompletionToolUnionParam {
	return openai.ChatCompletionFunctionTool(param.Override[shared.FunctionDefinitionParam](struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}{t.Name, t.Description, t.Schema}))
}
