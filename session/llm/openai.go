package llm

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

// openAIBaseURL is where OpenAI itself is.
const openAIBaseURL = "https://api.openai.com/v1"

// OpenAIConfig names an endpoint that speaks OpenAI's chat completions.
type OpenAIConfig struct {
	Name       string       // of the provider, for people
	BaseURL    string       // ends in /v1 as a rule; "" is OpenAI's own
	APIKey     string       // "" sends none
	HTTPClient *http.Client // nil: one without a time limit
}

type openAI struct {
	name        string
	host        string
	ownEndpoint bool // OpenAI's, not a compatible one
	chat        openai.ChatCompletionService
}

// OpenAI returns the provider at the endpoint that c names. It takes nothing
// from the environment.
func OpenAI(c OpenAIConfig) Provider {
	if c.BaseURL == "" {
		c.BaseURL = openAIBaseURL
	}
	if c.HTTPClient == nil {
		c.HTTPClient = &http.Client{}
	}
	opts := []option.RequestOption{
		option.WithBaseURL(c.BaseURL),
		option.WithHTTPClient(c.HTTPClient),
		option.WithMaxRetries(0),
	}
	if c.APIKey != "" {
		opts = append(opts, option.WithAPIKey(c.APIKey))
	}
	return &openAI{
		name:        c.Name,
		host:        hostOf(c.BaseURL),
		ownEndpoint: strings.TrimSuffix(c.BaseURL, "/") == openAIBaseURL,
		chat:        openai.NewChatCompletionService(opts...),
	}
}

func (p *openAI) Name() string { return p.name }
func (p *openAI) Host() string { return p.host }

// hostOf is the host that a URL names, "" if it names none.
func hostOf(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil {
		return ""
	}
	return u.Host
}

func (p *openAI) Send(ctx context.Context, req *Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		var response *http.Response
		stream := p.chat.NewStreaming(ctx, p.params(req), option.WithResponseInto(&response))
		defer stream.Close()
		var a answer
		for stream.Next() {
			for c := range a.add(stream.Current()) {
				if !yield(c, nil) {
					return
				}
			}
		}
		switch err := stream.Err(); {
		case ctx.Err() != nil:
			yield(Chunk{}, context.Cause(ctx))
		case err != nil:
			yield(Chunk{}, openAIError(err, response, a.begun))
		case a.finish == "":
			yield(Chunk{}, &Error{Class: Network, Cut: true, Message: "the answer broke off", Hint: hints[Network]})
		default:
			a.end(yield)
		}
	}
}

func (p *openAI) params(req *Request) openai.ChatCompletionNewParams {
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
	case p.ownEndpoint: // its newer models refuse the old name, others' servers may not know the new one
		params.MaxCompletionTokens = openai.Int(int64(req.MaxTokens))
	default:
		params.MaxTokens = openai.Int(int64(req.MaxTokens))
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

// toolParam keeps the schema as it was written: through the SDK's map the order
// of its properties, which says something to a model, would be lost.
func toolParam(t ToolSpec) openai.ChatCompletionToolUnionParam {
	return openai.ChatCompletionFunctionTool(param.Override[shared.FunctionDefinitionParam](struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}{t.Name, t.Description, t.Schema}))
}
