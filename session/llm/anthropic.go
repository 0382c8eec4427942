package llm

import (
	"context"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// anthropicBaseURL is Anthropic's own endpoint.
const anthropicBaseURL = "https://api.anthropic.com"

// AnthropicCacheWrite is the price of a token written to the prompt cache, relative
// to an uncached token. Requests use the cache with a lifetime of five minutes.
// Source: docs.claude.com/en/docs/build-with-claude/prompt-caching, "Pricing".
const AnthropicCacheWrite = 1.25

// AnthropicConfig configures an endpoint with Anthropic's messages API.
type AnthropicConfig struct {
	Name       string       // of the provider, for people
	BaseURL    string       // without or with /v1; "" is Anthropic's own
	APIKey     string       // "" sends none
	HTTPClient *http.Client // nil: one without a time limit

	FirstByte, Idle time.Duration // timeouts for a server that sends nothing
}

type anthropicAPI struct {
	endpoint
	messages anthropic.MessageService
	models   anthropic.ModelService
}

// Anthropic returns the provider at the endpoint of c. It is a [Lister], and reads
// nothing from the environment. It marks the tools, the first system message and the
// end of each request for the prompt cache.
func Anthropic(c AnthropicConfig) Provider {
	if c.BaseURL == "" {
		c.BaseURL = anthropicBaseURL
	}
	opts := []option.RequestOption{
		option.WithBaseURL(strings.TrimSuffix(strings.TrimSuffix(c.BaseURL, "/"), "/v1")),
		option.WithMaxRetries(0),
	}
	if c.APIKey != "" {
		opts = append(opts, option.WithAPIKey(c.APIKey))
	}
	within := func(b bounds) []option.RequestOption {
		return append(slices.Clip(opts), option.WithHTTPClient(newClient(c.HTTPClient, b, c.FirstByte, c.Idle)))
	}
	return &anthropicAPI{
		endpoint: newEndpoint(c.Name, c.BaseURL, c.APIKey),
		messages: anthropic.NewMessageService(within(eventBounds)...),
		models:   anthropic.NewModelService(within(pageBounds)...),
	}
}

func (p *anthropicAPI) Send(ctx context.Context, req *Request) iter.Seq2[Chunk, error] {
	return p.stream(ctx, func(emit func(Chunk) bool) error {
		var response *http.Response
		stream := p.messages.NewStreaming(ctx, anthropicParams(req), option.WithResponseInto(&response))
		defer stream.Close()
		var a anthropicAnswer
		for stream.Next() {
			if c := a.add(stream.Current()); (c.Text != "" || c.Reasoning != "") && !emit(c) {
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
	})
}

// Models implements [Lister].
func (p *anthropicAPI) Models(ctx context.Context) ([]ModelInfo, error) {
	var response *http.Response
	pages := p.models.ListAutoPaging(ctx, anthropic.ModelListParams{}, option.WithResponseInto(&response))
	var infos []ModelInfo
	for pages.Next() {
		m := pages.Current()
		if len(infos) == maxModels {
			return nil, p.explain(ctx, tooMany())
		}
		infos = append(infos, ModelInfo{
			ID:            m.ID,
			ContextTokens: int(m.MaxInputTokens),
			AnswerTokens:  int(m.MaxTokens),
			Tools:         true,
			Reasoning:     m.Capabilities.Thinking.Types.Adaptive.Supported,
		})
	}
	if err := pages.Err(); err != nil {
		return nil, p.explain(ctx, requestError(err, response, false))
	}
	return infos, nil
}
