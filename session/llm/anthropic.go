package llm

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"time"
)

const (
	anthropicBaseURL = "https://api.anthropic.com" // Anthropic's own endpoint
	anthropicVersion = "2023-06-01"                // of the API
)

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
	ownEndpoint bool // Anthropic's own, not a compatible one
	streams     *http.Client
	pages       *http.Client // of the list of models
	parameters  refusedParameters
}

// Anthropic returns the provider at the endpoint of c. It is a [Lister], and reads
// nothing from the environment. It marks the tools, the first system message and the
// end of each request for the prompt cache.
func Anthropic(c AnthropicConfig) Provider {
	c.BaseURL = cmp.Or(c.BaseURL, anthropicBaseURL)
	e := newEndpoint(c.Name, withoutVersion(c.BaseURL), c.APIKey)
	e.header = anthropicHeader(c.APIKey)
	return &anthropicAPI{
		endpoint:    e,
		parameters:  refusedParameters{known: anthropicParameters},
		ownEndpoint: e.baseURL == anthropicBaseURL,
		streams:     newClient(c.HTTPClient, streamBounds, c.FirstByte, c.Idle),
		pages:       newClient(c.HTTPClient, pageBounds, c.FirstByte, c.Idle),
	}
}

func anthropicHeader(key string) http.Header {
	h := bearerHeader("")
	h.Set("Anthropic-Version", anthropicVersion)
	if key != "" {
		h.Set("X-Api-Key", key)
	}
	return h
}

func (p *anthropicAPI) Send(ctx context.Context, req *Request) iter.Seq2[Chunk, error] {
	return p.stream(ctx, req.Model, func(emit func(Chunk) bool) error {
		return p.parameters.send(req.Model,
			func(r refusals) ([]byte, error) { return p.body(req, r) },
			func(body []byte) error {
				return p.ask(ctx, p.streams, "v1/messages", body, req.Tools, &anthropicAnswer{}, emit)
			})
	})
}
