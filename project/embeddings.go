package project

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	"ploke-lsp/session"
	"ploke-lsp/session/llm"
)

// Embeddings returns the model that e names. It may wait for the provider's key.
func (m *Models) Embeddings(ctx context.Context, e config.Embeddings) (*llm.Embeddings, error) {
	p, known := m.settings().Providers[e.Provider]
	if !known {
		return nil, fmt.Errorf("the provider %q of index.embeddings is not configured: add providers.%s", e.Provider,
			e.Provider)
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
	return nil, fmt.Errorf("the provider %q is of the type %s, which makes no vectors: name another one",
		e.Provider, p.Type)
}

// embedding describes the model that e names to the engine.
func (m *Models) embedding(e config.Embeddings) session.Embedding {
	out := session.Embedding{
		Model: func(ctx context.Context) (*llm.Embeddings, error) { return m.Embeddings(ctx, e) },
		Space: spaceOf(e).String(), PassagePrefix: e.PassagePrefix, QueryPrefix: e.QueryPrefix,
	}
	if price := m.settings().Providers[e.Provider].Models[e.Model].Price; price != nil {
		p := llm.Price(*price)
		out.Price = &p
	}
	return out
}

// useEmbeddings has searches of an index compare the vectors of the model that the
// settings name, or, until these are complete, those of the model before.
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

// vectorSpace is the settings that vectors depend on, and the key under which they are kept.
// It does not hold the provider's address, so a server may move.
type vectorSpace struct {
	Provider      string `json:"provider"`
	Model         string `json:"model"`
	Dimensions    int    `json:"dimensions,omitzero"`
	PassagePrefix string `json:"passagePrefix,omitzero"`
}

func spaceOf(e config.Embeddings) vectorSpace {
	return vectorSpace{e.Provider, e.Model, e.Dimensions, e.PassagePrefix}
}

// String returns the key. It must stay the same for the same settings: vectors that
// exist are found by it.
func (s vectorSpace) String() string {
	var key strings.Builder
	encoder := json.NewEncoder(&key)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		panic(err) // a struct of strings and numbers can be encoded
	}
	return strings.TrimSuffix(key.String(), "\n")
}

// embeddingsOf returns the settings that vectors were made with; ok is false if their
// provider is not configured any more. The prefix of queries is known only if the
// settings now name the same model.
func embeddingsOf(name string, now config.Settings) (e config.Embeddings, ok bool) {
	var s vectorSpace
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
