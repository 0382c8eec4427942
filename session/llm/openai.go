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
	endpoint
	ownEndpoint  bool // OpenAI's own endpoint, not a compatible one
	useResponses bool
	client       openai.Client // without its services
	sent         sentMessages  // as chat completions
	responses    responses.ResponseService
	models       openai.ModelService
	root         string       // address of the server, outside of the API
	descriptions *http.Client // for what is there
}

// OpenAI returns the provider at the endpoint of c. It is a [Lister], and reads
// nothing from the environment.
func OpenAI(c OpenAIConfig) Provider {
	if c.BaseURL == "" {
		c.BaseURL = openAIBaseURL
	}
	streams := c.options(eventBounds)
	return &openAI{
		endpoint:     newEndpoint(c.Name, c.BaseURL, c.APIKey),
		ownEndpoint:  strings.TrimSuffix(c.BaseURL, "/") == openAIBaseURL,
		useResponses: c.Responses,
		client:       openai.Client{Options: streams},
		responses:    responses.NewResponseService(streams...),
		models:       openai.NewModelService(c.options(listBounds)...),
		root:         serverRoot(c.BaseURL),
		descriptions: newClient(c.HTTPClient, listBounds, c.FirstByte, c.Idle),
	}
}

// options returns the options of a service at the endpoint, with bounds on its
// responses.
func (c OpenAIConfig) options(b bounds) []option.RequestOption {
	opts := []option.RequestOption{
		option.WithBaseURL(c.BaseURL),
		option.WithHTTPClient(newClient(c.HTTPClient, b, c.FirstByte, c.Idle)),
		option.WithMaxRetries(0),
	}
	if c.APIKey != "" {
		opts = append(opts, option.WithAPIKey(c.APIKey))
	}
	return opts
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

func (p *openAI) Send(ctx context.Context, req *Request) iter.Seq2[Chunk, error] {
	return p.stream(ctx, func(emit func(Chunk) bool) error {
		if p.useResponses {
			return p.sendResponses(ctx, req, emit)
		}
		return p.sendChat(ctx, req, emit)
	})
}
