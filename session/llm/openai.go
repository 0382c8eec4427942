package llm

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

// openAIBaseURL is OpenAI's own endpoint.
const openAIBaseURL = "https://api.openai.com/v1"

// OpenAIConfig configures an endpoint with OpenAI's chat completions API or responses
// API.
type OpenAIConfig struct {
	Name       string       // of the provider, for people
	BaseURL    string       // usually ends in /v1; "" is OpenAI's own
	APIKey     string       // "" sends none
	HTTPClient *http.Client // nil: one without a time limit
	Responses  bool         // use the responses API

	FirstByte, Idle time.Duration // timeouts for a server that sends nothing
}

type openAI struct {
	name         string
	host         string
	ownEndpoint  bool // OpenAI's own endpoint, not a compatible one
	useResponses bool
	chat         openai.ChatCompletionService
	responses    responses.ResponseService
	models       openai.ModelService
}

// OpenAI returns the provider at the endpoint of c. It is a [Lister], and reads
// nothing from the environment.
func OpenAI(c OpenAIConfig) Provider {
	opts, host := c.connect()
	return &openAI{
		name:         c.Name,
		host:         host,
		ownEndpoint:  c.BaseURL == "" || strings.TrimSuffix(c.BaseURL, "/") == openAIBaseURL,
		useResponses: c.Responses,
		chat:         openai.NewChatCompletionService(opts...),
		responses:    responses.NewResponseService(opts...),
		models:       openai.NewModelService(opts...),
	}
}

// connect returns the options of the endpoint's services, and its host.
func (c OpenAIConfig) connect() (opts []option.RequestOption, host string) {
	if c.BaseURL == "" {
		c.BaseURL = openAIBaseURL
	}
	opts = []option.RequestOption{
		option.WithBaseURL(c.BaseURL),
		option.WithHTTPClient(withIdleTimeout(c.HTTPClient, c.FirstByte, c.Idle)),
		option.WithMaxRetries(0),
	}
	if c.APIKey != "" {
		opts = append(opts, option.WithAPIKey(c.APIKey))
	}
	return opts, hostOf(c.BaseURL)
}

// openRouterBaseURL is OpenRouter's endpoint.
const openRouterBaseURL = "https://openrouter.ai/api/v1"

// OpenRouter returns OpenRouter, an OpenAI-compatible endpoint that lists the prices
// and capabilities of its models.
func OpenRouter(c OpenAIConfig) Provider {
	if c.BaseURL == "" {
		c.BaseURL = openRouterBaseURL
	}
	return OpenAI(c)
}

func (p *openAI) Name() string { return p.name }

func (p *openAI) Host() string { return p.host }

func (p *openAI) Send(ctx context.Context, req *Request) iter.Seq2[Chunk, error] {
	return streamAnswer(ctx, p.name, func(emit func(Chunk) bool) error {
		if p.useResponses {
			return p.sendResponses(ctx, req, emit)
		}
		return p.sendChat(ctx, req, emit)
	})
}
