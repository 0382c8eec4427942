package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"
)

// ollamaBaseURL is Ollama's default address.
const ollamaBaseURL = "http://localhost:11434"

// OllamaConfig configures an Ollama server.
type OllamaConfig struct {
	Name       string       // of the provider, for people
	BaseURL    string       // without or with /v1; "" is Ollama's default
	APIKey     string       // "" sends none; a proxy in front of the server may require one
	HTTPClient *http.Client // nil: one without a time limit

	FirstByte, Idle time.Duration // timeouts for a server that sends nothing
}

type ollama struct {
	endpoint
	baseURL string
	chat    *http.Client
	api     *http.Client // for everything else
}

// Ollama returns the server of c, a [Lister]. It uses Ollama's own API, since the
// OpenAI-compatible API can't set the context length and silently truncates prompts
// of more than about 4,096 tokens.
func Ollama(c OllamaConfig) Provider {
	if c.BaseURL == "" {
		c.BaseURL = ollamaBaseURL
	}
	return &ollama{
		endpoint: newEndpoint(c.Name, c.BaseURL, c.APIKey),
		baseURL:  strings.TrimSuffix(strings.TrimSuffix(c.BaseURL, "/"), "/v1"),
		chat:     newClient(c.HTTPClient, lineBounds, c.FirstByte, c.Idle),
		api:      newClient(c.HTTPClient, listBounds, c.FirstByte, c.Idle),
	}
}

func (p *ollama) Send(ctx context.Context, req *Request) iter.Seq2[Chunk, error] {
	return p.stream(ctx, func(emit func(Chunk) bool) error {
		response, err := p.do(ctx, p.chat, http.MethodPost, "/api/chat", newOllamaChat(req))
		if err != nil {
			return err
		}
		defer response.Body.Close()
		var a ollamaAnswer
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, maxPiece+1)
		for a.finish == "" && lines.Scan() {
			c, err := a.add(lines.Bytes())
			if err != nil {
				return requestError(cmp.Or(lines.Err(), err), nil, a.begun) // a line that was not read to its end is no JSON
			}
			if (c.Text != "" || c.Reasoning != "") && !emit(c) {
				return nil
			}
		}
		if err := lines.Err(); err != nil {
			return requestError(err, nil, a.begun)
		}
		if a.finish == "" {
			return requestError(errBrokeOff, nil, a.begun)
		}
		a.end(emit)
		return nil
	})
}

// do sends a request, with body as JSON unless it is nil. An error status is returned
// as an [*Error].
func (p *ollama) do(ctx context.Context, client *http.Client, method, path string, body any) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("the request can't be encoded as JSON: %w", err)
		}
		content = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, p.baseURL+path, content)
	if err != nil {
		return nil, requestError(err, nil, false)
	}
	r.Header.Set("Content-Type", "application/json")
	if p.key != "" {
		r.Header.Set("Authorization", "Bearer "+p.key)
	}
	response, err := client.Do(r)
	if err != nil {
		return nil, requestError(err, nil, false)
	}
	if response.StatusCode >= 400 {
		defer response.Body.Close()
		return nil, requestError(nil, response, false)
	}
	return response, nil
}

// doJSON sends a request and decodes the JSON response.
func (p *ollama) doJSON(ctx context.Context, method, path string, body, answer any) error {
	response, err := p.do(ctx, p.api, method, path, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		return requestError(err, nil, false)
	}
	return nil
}

// Models implements [Lister].
func (p *ollama) Models(ctx context.Context) ([]ModelInfo, error) {
	var tags struct{ Models []struct{ Name string } }
	if err := p.doJSON(ctx, http.MethodGet, "/api/tags", nil, &tags); err != nil {
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
	if err := p.doJSON(ctx, http.MethodPost, "/api/show", map[string]string{"model": model}, &shown); err != nil {
		return ModelInfo{}, err
	}
	architecture, _ := shown.ModelInfo["general.architecture"].(string)
	length, _ := shown.ModelInfo[architecture+".context_length"].(float64)
	return ModelInfo{
		ID:            model,
		ContextTokens: int(length),
		Tools:         slices.Contains(shown.Capabilities, "tools"),
		Reasoning:     slices.Contains(shown.Capabilities, "thinking"),
	}, nil
}
