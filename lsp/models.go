package lsp

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"ploke-lsp/internal/config"
	"ploke-lsp/session/llm"
)

// Models finds the models that the settings name. It is safe for concurrent
// use.
type Models struct {
	Settings func() config.Settings // what holds now
	Keys     *config.Keys
	HTTP     *http.Client
	Log      *slog.Logger

	mu   sync.Mutex
	told map[string]listing // by provider
}

// listing is what a provider, as it was configured, told of its models.
type listing struct {
	of     config.Provider
	infos  []llm.ModelInfo
	failed time.Time // when it told nothing; zero if it did
}

// holds reports whether p need not be asked now.
func (l listing) holds(p config.Provider) bool {
	return reflect.DeepEqual(l.of, p) && (l.failed.IsZero() || time.Since(l.failed) < listAgain)
}

// Find returns the model called name, "embedded" or PROVIDER/MODEL; empty means
// the configured one. It may wait for the provider's key, and for what the
// provider tells of the model. Where that fails, the model is what the settings
// say of it: whether it answers shows the request.
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
	return described(provider, p, m.describe(ctx, provider, p, id)), nil
}

// provider returns the provider that the settings call name.
func (m *Models) provider(ctx context.Context, name string, p config.Provider) (llm.Provider, error) {
	e, err := m.endpoint(ctx, name, p)
	if err != nil {
		return nil, err
	}
	switch p.Type {
	case "openai":
		return llm.OpenAI(e), nil
	case "openrouter":
		return llm.OpenRouter(e), nil
	case "anthropic":
		return llm.Anthropic(llm.AnthropicConfig{Name: name, BaseURL: e.BaseURL, APIKey: e.APIKey, HTTPClient: m.HTTP, FirstByte: e.FirstByte, Idle: e.Idle}), nil
	case "ollama":
		return llm.Ollama(ollamaConfig(e)), nil
	}
	return nil, fmt.Errorf("the provider %q has no type that is known: set providers.%s.type", name, name)
}

// endpoint says what a provider is reached by, whatever its type.
func (m *Models) endpoint(ctx context.Context, name string, p config.Provider) (llm.OpenAIConfig, error) {
	key, err := m.Keys.Find(ctx, p)
	if err != nil {
		return llm.OpenAIConfig{}, fmt.Errorf("the provider %q has no key: %w", name, err)
	}
	return llm.OpenAIConfig{Name: name, BaseURL: p.BaseURL, APIKey: key, HTTPClient: m.HTTP, Responses: p.Responses,
		FirstByte: seconds(p.FirstByteTimeout), Idle: seconds(p.IdleTimeout)}, nil
}

func ollamaConfig(e llm.OpenAIConfig) llm.OllamaConfig {
	return llm.OllamaConfig{Name: e.Name, BaseURL: e.BaseURL, APIKey: e.APIKey, HTTPClient: e.HTTPClient, FirstByte: e.FirstByte, Idle: e.Idle}
}

// telling are the types whose list says what a model can do; of others it has
// hardly more than names.
var telling = []string{"anthropic", "ollama", "openrouter"}

// describe returns what the provider tells of a model. It is asked once, and not
// at all if the settings say how large the model's window is.
func (m *Models) describe(ctx context.Context, provider llm.Provider, p config.Provider, id string) llm.ModelInfo {
	unknown := llm.ModelInfo{ID: id}
	if !slices.Contains(telling, p.Type) || p.Models[id].ContextTokens > 0 {
		return unknown
	}
	m.mu.Lock()
	list := m.told[provider.Name()]
	m.mu.Unlock()
	if !list.holds(p) {
		var err error
		if list.infos, err = m.ask(ctx, provider, p); err != nil {
			m.Log.Warn("a provider does not tell of its models; set contextTokens of those you use, to do without", "provider", provider.Name(), "error", err)
		}
	}
	for _, info := range list.infos {
		if info.ID == id || p.Type == "ollama" && info.ID == id+":latest" {
			info.ID = id
			return info
		}
	}
	return unknown
}

const (
	listPatience = 10 * time.Second // that a provider may take to list its models
	listAgain    = time.Minute      // after which one that failed to is asked again
)

// ask has a provider list its models, and keeps what it tells.
func (m *Models) ask(ctx context.Context, provider llm.Provider, p config.Provider) ([]llm.ModelInfo, error) {
	lister, ok := provider.(llm.Lister)
	if !ok {
		return nil, nil
	}
	asking, cancel := context.WithTimeoutCause(ctx, listPatience, fmt.Errorf("%s did not list its models within %v", provider.Name(), listPatience))
	defer cancel()
	infos, err := lister.Models(asking)
	if ctx.Err() != nil {
		return nil, ctx.Err() // says nothing of the provider
	}
	list := listing{of: p, infos: infos}
	if err != nil {
		list.failed = time.Now()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.told == nil {
		m.told = map[string]listing{}
	}
	m.told[provider.Name()] = list
	return infos, err
}

// described is a model by what its provider tells and, above that, the settings
// say.
func described(provider llm.Provider, p config.Provider, info llm.ModelInfo) llm.Model {
	set := p.Models[info.ID]
	model := llm.Model{Provider: provider, ID: info.ID, ContextTokens: info.ContextTokens, AnswerTokens: info.AnswerTokens, Price: info.Price}
	if set.ContextTokens > 0 {
		model.ContextTokens = set.ContextTokens
	}
	if set.AnswerTokens > 0 {
		model.AnswerTokens = set.AnswerTokens
	}
	if set.Price != nil {
		price := llm.Price(*set.Price)
		if price.CacheWrite == 0 && p.Type == "anthropic" {
			price.CacheWrite = price.In * llm.AnthropicCacheWrite
		}
		model.Price = &price
	}
	told := slices.Contains(telling, p.Type) && info.ContextTokens > 0
	if !told && set.Tools == nil && set.ParallelTools == nil && set.Reasoning == nil {
		return model
	}
	can := llm.Capabilities{Tools: true, ParallelTools: true}
	if told {
		can.Tools, can.Reasoning = info.Tools, info.Reasoning
	}
	for _, c := range []struct {
		can *bool
		set *bool
	}{{&can.Tools, set.Tools}, {&can.ParallelTools, set.ParallelTools}, {&can.Reasoning, set.Reasoning}} {
		if c.set != nil {
			*c.can = *c.set
		}
	}
	model.Capabilities = &can
	return model
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
