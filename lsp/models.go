package lsp

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"ploke-lsp/internal/config"
	"ploke-lsp/session/llm"
)

// Models finds the models that the settings name. It is safe for concurrent
// use.
type Models struct {
	Settings func() config.Settings // what holds now
	Keys     *config.Keys
	HTTP     *http.Client
}

// Find returns the model called name, "embedded" or PROVIDER/MODEL; empty means
// the configured one. It may wait for the provider's key.
func (m *Models) Find(ctx context.Context, name string) (llm.Model, error) {
	settings := m.Settings()
	if name == "" {
		name = settings.Model
	}
	if name == "" || name == "embedded" {
		return llm.Embedded(), nil
	}
	providerName, id, _ := strings.Cut(name, "/")
	p, known := settings.Providers[providerName]
	if !known || id == "" {
		names := slices.Sorted(maps.Keys(settings.Providers))
		return llm.Model{}, fmt.Errorf("the model %q is not configured: use \"embedded\" or PROVIDER/MODEL with a configured provider (there are: %s)",
			name, strings.Join(names, ", "))
	}
	provider, err := m.provider(ctx, providerName, p)
	if err != nil {
		return llm.Model{}, err
	}
	model := llm.Model{Provider: provider, ID: id, ContextTokens: p.Models[id].ContextTokens}
	if price := p.Models[id].Price; price != nil {
		model.Price = &llm.Price{In: price.In, Out: price.Out, CachedIn: price.CachedIn}
	}
	return model, nil
}

// provider returns the provider that the settings call name.
func (m *Models) provider(ctx context.Context, name string, p config.Provider) (llm.Provider, error) {
	key, err := m.Keys.Find(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("the provider %q has no key: %w", name, err)
	}
	switch p.Type {
	case "openai":
		return llm.OpenAI(llm.OpenAIConfig{Name: name, BaseURL: p.BaseURL, APIKey: key, HTTPClient: m.HTTP}), nil
	}
	return nil, fmt.Errorf("the provider %q has no type that is known: set providers.%s.type", name, name)
}
