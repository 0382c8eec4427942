package llm

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"strings"
	"time"
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
	sent         sentMessages // as chat completions
	streams      *http.Client
	lists        *http.Client
	parameters   refusedParameters
}

// OpenAI returns the provider at the endpoint of c. It is a [Lister], and reads
// nothing from the environment.
func OpenAI(c OpenAIConfig) Provider {
	c.BaseURL = cmp.Or(c.BaseURL, openAIBaseURL)
	parameters := chatParameters
	if c.Responses {
		parameters = responsesParameters
	}
	return &openAI{
		endpoint:     newEndpoint(c.Name, c.BaseURL, c.APIKey).withVersion(),
		parameters:   refusedParameters{known: parameters},
		ownEndpoint:  strings.TrimSuffix(c.BaseURL, "/") == openAIBaseURL,
		useResponses: c.Responses,
		streams:      newClient(c.HTTPClient, streamBounds, c.FirstByte, c.Idle),
		lists:        newClient(c.HTTPClient, listBounds, c.FirstByte, c.Idle),
	}
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
	return p.stream(ctx, req.Model, func(emit func(Chunk) bool) error {
		if p.useResponses {
			return p.parameters.send(req.Model,
				func(r refusals) ([]byte, error) { return p.responsesBody(req, r) },
				func(body []byte) error {
					return p.ask(ctx, p.streams, "responses", body, req.Tools, &responsesAnswer{}, emit)
				})
		}
		return p.parameters.send(req.Model,
			func(r refusals) ([]byte, error) { return p.chatBody(req, r) },
			func(body []byte) error {
				return p.ask(ctx, p.streams, "chat/completions", body, req.Tools, &chatAnswer{}, emit)
			})
	})
}
