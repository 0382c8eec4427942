package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	"ploke-lsp/session"
	"ploke-lsp/session/llm"
)

// Embeddings returns the model that e names. It may wait for the provider's key.
func (m *Models) Embeddings(ctx context.Context, e config.Embeddings) (*llm.Embeddings, error) {
	p, known := m.Settings().Providers[e.Provider]
	if !known {
		return nil, fmt.Errorf("the provider %q of index.embeddings is not configured: add providers.%s", e.Provider, e.Provider)
	}
	endpoint, err := m.endpoint(ctx, e.Provider, p)
	if err != nil {
		return nil, err
	}
	switch p.Type {
	case "openai":
		return llm.OpenAIEmbeddings(endpoint, e.Model, e.Dimensions), nil
	case "openrouter":
		return llm.OpenRouterEmbeddings(endpoint, e.Model, e.Dimensions), nil
	case "ollama":
		return llm.OllamaEmbeddings(ollamaConfig(endpoint), e.Model, e.Dimensions), nil
	}
	return nil, fmt.Errorf("the provider %q is of the type %s, which makes no vectors", e.Provider, p.Type)
}

// embedding is what the engine must know of the model that e names.
func (m *Models) embedding(e config.Embeddings) session.Embedding {
	out := session.Embedding{
		Model: func(ctx context.Context) (*llm.Embeddings, error) { return m.Embeddings(ctx, e) },
		Space: spaceOf(e).String(), PassagePrefix: e.PassagePrefix, QueryPrefix: e.QueryPrefix,
	}
	if price := m.Settings().Providers[e.Provider].Models[e.Model].Price; price != nil {
		p := llm.Price(*price)
		out.Price = &p
	}
	return out
}

// useEmbeddings has searches of an index compare the vectors of the model that
// settings name, or until these are complete those of the one before.
func (m *Models) useEmbeddings(x *index.Index, engine *session.Engine, settings config.Settings) {
	var mu sync.Mutex
	known := map[string]index.Embedder{}
	earlier := func(space string) index.Embedder {
		mu.Lock()
		defer mu.Unlock()
		if e, ok := known[space]; ok {
			return e
		}
		known[space] = nil
		if e, ok := embeddingsOf(space, settings); ok {
			known[space] = engine.Embedder(m.embedding(e))
		}
		return known[space]
	}
	x.UseEmbedder(engine.Embedder(m.embedding(settings.Index.Embeddings)), earlier)
}

// space is what vectors depend on: they are kept under it. The address of the provider is
// not in it, so that a server may move.
type space struct {
	Provider      string `json:"provider"`
	Model         string `json:"model"`
	Dimensions    int    `json:"dimensions,omitzero"`
	PassagePrefix string `json:"passagePrefix,omitzero"`
}

func spaceOf(e config.Embeddings) space {
	return space{e.Provider, e.Model, e.Dimensions, e.PassagePrefix}
}

func (s space) String() string { return string(mustMarshal(s)) }

// embeddingsOf are the settings that vectors were made by; ok is false where their
// provider is configured no longer. What was put before queries is known only if now says
// it of the same model.
func embeddingsOf(name string, now config.Settings) (e config.Embeddings, ok bool) {
	var s space
	if err := json.Unmarshal([]byte(name), &s); err != nil {
		return e, false
	}
	e = config.Embeddings{Provider: s.Provider, Model: s.Model, Dimensions: s.Dimensions, PassagePrefix: s.PassagePrefix}
	if set := now.Index.Embeddings; set.Provider == e.Provider && set.Model == e.Model {
		e.QueryPrefix = set.QueryPrefix
	}
	_, ok = now.Providers[e.Provider]
	return e, ok
}
