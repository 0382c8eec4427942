package llm

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"slices"
	"time"
)

// ollamaBaseURL is Ollama's default address.
const ollamaBaseURL = "http://localhost:11434"

// OllamaConfig configures an Ollama server.
type OllamaConfig struct {
	Name       string       // of the provider, for people
	BaseURL    string       // without or with /v1 or /api; "" is Ollama's default
	APIKey     string       // "" sends none; a proxy in front of the server may require one
	HTTPClient *http.Client // nil: one without a time limit

	FirstByte, Idle time.Duration // timeouts for a server that sends nothing
}

type ollama struct {
	endpoint
	chat *http.Client
	api  *http.Client // for everything else

	parameters refusedParameters
}

// Ollama returns the server of c, a [Lister]. It uses Ollama's own API, since the
// OpenAI-compatible API can't set the context length and silently truncates prompts
// of more than about 4,096 tokens.
func Ollama(c OllamaConfig) Provider {
	c.BaseURL = cmp.Or(c.BaseURL, ollamaBaseURL)
	return &ollama{
		endpoint: newEndpoint(c.Name, withoutSuffix(withoutVersion(c.BaseURL), "/api"), c.APIKey),
		chat:     newClient(c.HTTPClient, streamBounds, c.FirstByte, c.Idle),
		api:      newClient(c.HTTPClient, listBounds, c.FirstByte, c.Idle),

		parameters: refusedParameters{known: ollamaParameters},
	}
}

func (p *ollama) Send(ctx context.Context, req *Request) iter.Seq2[Chunk, error] {
	return p.stream(ctx, req.Model, func(emit func(Chunk) bool) error {
		return p.parameters.send(req.Model,
			func(r refusals) ([]byte, error) {
				body, err := marshalRequest(newOllamaChat(p.origin(req.Model), req))
				if req.Effort != "" { // the person has chosen it
					r = r.without("think")
				}
				return r.appliedTo(body), err
			},
			func(body []byte) error { return p.ask(ctx, p.chat, "api/chat", body, req.Tools, &ollamaAnswer{}, emit) })
	})
}

// Models implements [Lister].
func (p *ollama) Models(ctx context.Context) ([]ModelInfo, error) {
	var tags struct{ Models []struct{ Name string } }
	if err := p.doJSON(ctx, p.api, http.MethodGet, "api/tags", nil, &tags); err != nil {
		return nil, p.explain(ctx, err)
	}
	if len(tags.Models) > maxModels {
		return nil, p.explain(ctx, tooMany())
	}
	infos := make([]ModelInfo, 0, len(tags.Models))
	for _, m := range tags.Models {
		info, err := p.show(ctx, m.Name)
		if err != nil {
			return nil, p.explain(ctx, err)
		}
		infos = append(infos, info)
	}
	return infos, nil
}

// show returns the description of one model. The key of its context length begins
// with the model's architecture.
func (p *ollama) show(ctx context.Context, model string) (ModelInfo, error) {
	var shown struct {
		Capabilities []string
		ModelInfo    map[string]any `json:"model_info"`
	}
	body, err := marshalRequest(map[string]string{"model": model})
	if err != nil {
		return ModelInfo{}, err
	}
	if err := p.doJSON(ctx, p.api, http.MethodPost, "api/show", body, &shown); err != nil {
		return ModelInfo{}, err
	}
	architecture, _ := shown.ModelInfo["general.architecture"].(string)
	length, _ := shown.ModelInfo[architecture+".context_length"].(float64)
	info := ModelInfo{
		ID:            model,
		ContextTokens: int(length),
		Tools:         slices.Contains(shown.Capabilities, "tools"),
		Reasoning:     slices.Contains(shown.Capabilities, "thinking"),
	}
	if slices.Contains([]string{"gptoss", "gpt-oss"}, architecture) { // the other ones reason or don't
		info.Efforts = threeEfforts
	}
	return info, nil
}
