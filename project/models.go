package project

import (
	"cmp"
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
	"ploke-lsp/session/llm/embedded"
)

// Models finds the models that the settings name. It is safe for concurrent
// use.
type Models struct {
	settings   func() config.Settings
	unreadable func() error // says why the settings can't be read
	file       string       // the user's settings; "" if there is none
	keys       *config.Keys
	http       *http.Client
	log        *slog.Logger
	editor     llm.EditorModels // nil if there are none

	mu     sync.Mutex
	listed map[string]providerModels // by provider
	made   map[string]madeProvider   // by name
}

// madeProvider is a provider with what it was made of. It is made once, since it holds what its
// conversations have sent.
type madeProvider struct {
	kind     string
	endpoint llm.OpenAIConfig
	provider llm.Provider
}

// NewModels returns the models of the settings, the client and the environment in o.
func NewModels(o Options) *Models {
	o.complete()
	return &Models{settings: o.Settings.Now, unreadable: o.Settings.Unreadable, file: o.Settings.File(),
		keys: &config.Keys{Getenv: o.Getenv}, http: o.HTTPClient, log: o.Logger}
}

// editorProvider is the type and the name of the provider of the editor's models. A provider that the settings call so
// counts instead.
const editorProvider = "editor"

// providers returns the providers of the settings, and the editor's.
func (m *Models) providers(settings config.Settings) map[string]config.Provider {
	if _, named := settings.Providers[editorProvider]; m.editor == nil || named {
		return settings.Providers
	}
	all := maps.Clone(settings.Providers)
	if all == nil {
		all = map[string]config.Provider{}
	}
	all[editorProvider] = config.Provider{Type: editorProvider}
	return all
}

// Settings returns the settings in force.
func (m *Models) Settings() config.Settings { return m.settings() }

// Key returns the key of a provider, empty if none is configured. It may wait for a
// program that prints it.
func (m *Models) Key(ctx context.Context, p config.Provider) (string, error) {
	return m.keys.Find(ctx, p)
}

// providerModels is the list of models of a provider, as it was configured.
type providerModels struct {
	of     config.Provider
	infos  []llm.ModelInfo
	failed bool
	at     time.Time
}

// current reports whether the list of p need not be requested now for a model. A list
// without the model may be old, since servers get new models.
func (l providerModels) current(p config.Provider, model string) bool {
	_, listed := l.find(model, p)
	return reflect.DeepEqual(l.of, p) && (listed && !l.failed || time.Since(l.at) < listRetry)
}

// find returns the description of a model.
func (l providerModels) find(model string, p config.Provider) (llm.ModelInfo, bool) {
	for _, info := range l.infos {
		if info.ID == model || p.Type == "ollama" && info.ID == model+":latest" {
			info.ID = model
			return info, true
		}
	}
	return llm.ModelInfo{ID: model}, false
}

// Find returns the model called name, "embedded", PROVIDER/MODEL or PROVIDER/MODEL#EFFORT; empty means
// the configured one. It may wait for the provider's key, and for the provider's
// description of the model. If that fails, the settings alone describe the
// model: its first request shows whether it answers. No model is found while the settings can't be read.
func (m *Models) Find(ctx context.Context, name string) (llm.Model, error) {
	if err := m.unreadable(); err != nil {
		return llm.Model{}, err
	}
	settings := m.settings()
	name = cmp.Or(name, settings.Model)
	if name == "" || name == "embedded" {
		return embedded.Model(), nil
	}
	providerName, id, effort := llm.SplitModel(name)
	providers := m.providers(settings)
	p, known := providers[providerName]
	if !known || id == "" {
		return llm.Model{}, notConfigured(name, providers)
	}
	provider, err := m.provider(ctx, providerName, p)
	if err != nil {
		return llm.Model{}, err
	}
	model := described(provider, p, m.describe(ctx, provider, p, id))
	model.Effort = effort
	return model, nil
}

// notConfigured is the error for a model of none of the providers.
func notConfigured(name string, providers map[string]config.Provider) error {
	names := slices.Sorted(maps.Keys(providers))
	return &llm.Error{Class: llm.NotFound,
		Message: fmt.Sprintf("the model %q is not configured: use \"embedded\" or PROVIDER/MODEL with a configured "+
			"provider (configured: %s)",
			name, strings.Join(names, ", "))}
}

// provider returns the provider with this name in the settings.
func (m *Models) provider(ctx context.Context, name string, p config.Provider) (llm.Provider, error) {
	e, err := m.endpoint(ctx, name, p)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if made := m.made[name]; made.provider != nil && made.kind == p.Type && made.endpoint == e {
		return made.provider, nil
	}
	made := madeProvider{p.Type, e, newProvider(p.Type, e)}
	if p.Type == editorProvider && m.editor != nil {
		made.provider = llm.Editor(name, m.editor, e.FirstByte, e.Idle)
	}
	if made.provider == nil {
		return nil, &llm.Error{Class: llm.NotFound,
			Message: fmt.Sprintf("the provider %q has an unknown type: set providers.%s.type", name, name)}
	}
	if m.made == nil {
		m.made = map[string]madeProvider{}
	}
	m.made[name] = made
	return made.provider, nil
}

// newProvider returns a provider of a type, or nil if there is no such type.
func newProvider(kind string, e llm.OpenAIConfig) llm.Provider {
	switch kind {
	case "openai":
		return llm.OpenAI(e)
	case "openrouter":
		return llm.OpenRouter(e)
	case "anthropic":
		return llm.Anthropic(llm.AnthropicConfig{Name: e.Name, BaseURL: e.BaseURL, APIKey: e.APIKey, HTTPClient: e.HTTPClient,
			FirstByte: e.FirstByte, Idle: e.Idle})
	case "ollama":
		return llm.Ollama(ollamaConfig(e))
	}
	return nil
}

// endpoint describes how to reach a provider of any type.
func (m *Models) endpoint(ctx context.Context, name string, p config.Provider) (llm.OpenAIConfig, error) {
	if p.BaseURL != "" {
		address, err := config.CleanURL(p.BaseURL)
		if err != nil {
			return llm.OpenAIConfig{}, &llm.Error{Class: llm.BadResponse,
				Message: fmt.Sprintf("providers.%s.baseUrl: %v", name, err)}
		}
		p.BaseURL = address
	}
	key, err := m.Key(ctx, p)
	if err != nil {
		return llm.OpenAIConfig{}, &llm.Error{Class: llm.Auth,
			Message: fmt.Sprintf("the provider %q has no key: %v", name, err)}
	}
	return llm.OpenAIConfig{Name: name, BaseURL: p.BaseURL, APIKey: key, HTTPClient: m.http, Responses: p.Responses,
		FirstByte: seconds(p.FirstByteTimeout), Idle: seconds(p.IdleTimeout)}, nil
}

func ollamaConfig(e llm.OpenAIConfig) llm.OllamaConfig {
	return llm.OllamaConfig{Name: e.Name, BaseURL: e.BaseURL, APIKey: e.APIKey, HTTPClient: e.HTTPClient,
		FirstByte: e.FirstByte, Idle: e.Idle}
}

// selfDescribing are the provider types whose list says what a model can do. The list of
// an OpenAI-compatible server holds the names, and sometimes the windows.
var selfDescribing = []string{"anthropic", "ollama", "openrouter", editorProvider}

// describe returns the provider's description of a model. Its list is requested
// once, and not at all if the settings give the model's context window.
func (m *Models) describe(ctx context.Context, provider llm.Provider, p config.Provider, id string) llm.ModelInfo {
	if p.Models[id].ContextTokens > 0 {
		return llm.ModelInfo{ID: id}
	}
	m.mu.Lock()
	list := m.listed[provider.Name()]
	m.mu.Unlock()
	if !list.current(p, id) {
		timeout, level := listTimeout, slog.LevelWarn
		if !slices.Contains(selfDescribing, p.Type) { // the turn can begin without
			timeout, level = windowTimeout, slog.LevelDebug
		}
		var err error
		if list.infos, err = m.listModels(ctx, provider, p, timeout); err != nil {
			m.log.Log(ctx, level, "a provider does not list its models; set contextTokens of the models you use", "provider",
				provider.Name(), "error", err)
		}
	}
	info, _ := list.find(id, p)
	return info
}

const (
	listTimeout   = 10 * time.Second // for a provider to list its models
	windowTimeout = 3 * time.Second  // for a server to list its models if only their windows are of interest
	listRetry     = time.Minute      // after a failed list, until the next request
)

// listModels has a provider list its models, and keeps the list.
func (m *Models) listModels(ctx context.Context, provider llm.Provider, p config.Provider,
	timeout time.Duration) ([]llm.ModelInfo, error) {
	lister, ok := provider.(llm.Lister)
	if !ok {
		return nil, nil
	}
	limited, cancel := context.WithTimeoutCause(ctx, timeout,
		fmt.Errorf("%s did not list its models within %v", provider.Name(), timeout))
	defer cancel()
	infos, err := lister.Models(limited)
	if ctx.Err() != nil {
		return nil, ctx.Err() // says nothing about the provider
	}
	list := providerModels{of: p, infos: infos, failed: err != nil, at: time.Now()}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.listed == nil {
		m.listed = map[string]providerModels{}
	}
	m.listed[provider.Name()] = list
	return infos, err
}

// described returns a model as its provider describes it, overridden by the
// settings.
func described(provider llm.Provider, p config.Provider, info llm.ModelInfo) llm.Model {
	set := p.Models[info.ID]
	model := llm.Model{Provider: provider, ID: info.ID, ContextTokens: info.ContextTokens, AnswerTokens: info.AnswerTokens,
		Price: info.Price, Efforts: info.Efforts}
	if len(set.Efforts) > 0 {
		model.Efforts = set.Efforts
	}
	if set.ContextTokens > 0 {
		model.ContextTokens, model.ContextSet = set.ContextTokens, true
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
	known := slices.Contains(selfDescribing, p.Type) && info.ContextTokens > 0
	if !known && set.Tools == nil && set.ParallelTools == nil && set.Reasoning == nil {
		return model
	}
	can := llm.Capabilities{Tools: true, ParallelTools: true}
	if known {
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

// seconds converts a number of seconds.
func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
