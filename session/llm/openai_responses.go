package llm

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

func (p *openAI) sendResponses(ctx context.Context, req *Request, emit func(Chunk) bool) error {
	var response *http.Response
	stream := p.responses.NewStreaming(ctx, responseParams(req), option.WithResponseInto(&response))
	defer stream.Close()
	var a responsesAnswer
	for stream.Next() {
		c, err := a.add(stream.Current())
		if err != nil {
			return err
		}
		if (c.Text != "" || c.Reasoning != "") && !emit(c) {
			return nil
		}
	}
	err := stream.Err()
	if err == nil && a.finish == "" {
		err = errBrokeOff
	}
	if err != nil {
		return requestError(err, response, a.begun)
	}
	a.end(emit)
	return nil
}

// responseParams stores nothing at the provider: each request contains the entire
// conversation and the encrypted reasoning.
func responseParams(req *Request) responses.ResponseNewParams {
	params := responses.ResponseNewParams{Model: req.Model, Store: openai.Bool(false)}
	for _, m := range req.Messages {
		params.Input.OfInputItemList = append(params.Input.OfInputItemList, inputItems(m)...)
	}
	for _, t := range req.Tools {
		params.Tools = append(params.Tools, responseTool(t))
	}
	if req.MaxTokens > 0 {
		params.MaxOutputTokens = openai.Int(int64(req.MaxTokens))
	}
	if req.SerialTools && len(req.Tools) > 0 {
		params.ParallelToolCalls = openai.Bool(false)
	}
	if req.Reasoning {
		params.Reasoning.Summary = shared.ReasoningSummaryAuto
		params.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
	}
	return params
}

func inputItems(m Message) []responses.ResponseInputItemUnionParam {
	var items []responses.ResponseInputItemUnionParam
	say := func(role responses.EasyInputMessageRole) {
		items = append(items, responses.ResponseInputItemParamOfMessage(m.Text, role))
	}
	switch m.Role {
	case System:
		say(responses.EasyInputMessageRoleSystem)
	case User:
		say(responses.EasyInputMessageRoleUser)
	case Tool:
		output := responses.ResponseInputItemParamOfFunctionCallOutput(m.Text)
		output.OfFunctionCallOutput.CallID = openai.String(m.CallID)
		items = append(items, output)
	case Assistant:
		for _, item := range opaqueOf(m.Opaque).OpenAI {
			items = append(items, param.Override[responses.ResponseInputItemUnionParam](item))
		}
		if m.Text != "" {
			say(responses.EasyInputMessageRoleAssistant)
		}
		for _, c := range m.Calls {
			items = append(items, responses.ResponseInputItemParamOfFunctionCall(string(c.Arguments), c.ID, c.Name))
		}
	}
	return items
}

func responseTool(t ToolSpec) responses.ToolUnionParam {
	return param.Override[responses.ToolUnionParam](struct {
		Type        string          `json:"type"`
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      bool            `json:"strict"`
	}{"function", t.Name, t.Description, t.Schema, false})
}
