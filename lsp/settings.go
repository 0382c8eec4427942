package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"ploke-lsp/session"
	"ploke-lsp/session/llm"
)

// Settings has one shape wherever settings come from. Times are in seconds.
type Settings struct {
	// Model is "embedded" or "PROVIDER/MODEL"; empty means embedded.
	Model     string              `json:"model,omitempty"`
	Providers map[string]Provider `json:"providers,omitempty"`
	Limits    Limits              `json:"limits"`
	Index     IndexSettings       `json:"index"`
}

// A Provider is an endpoint that serves models.
type Provider struct {
	Type      string           `json:"type"`    // "openai": anything that speaks its chat completions
	BaseURL   string           `json:"baseUrl"` // ends in /v1
	APIKeyEnv string           `json:"apiKeyEnv,omitempty"`
	APIKey    string           `json:"-"` // never read from a file
	Models    map[string]Model `json:"models,omitempty"`
}

// A Model is what has to be said of one that can't be asked.
type Model struct {
	ContextTokens int `json:"contextTokens,omitempty"`
}

// Limits bounds a turn; zero means the default.
type Limits struct {
	ToolTimeout  float64 `json:"toolTimeout,omitempty"` // seconds
	TurnRequests int     `json:"turnRequests,omitempty"`
	Retries      int     `json:"retries,omitempty"`
	Repairs      int     `json:"repairs,omitempty"`
}

// IndexSettings says what to leave out: Exclude holds patterns as in
// .gitignore.
type IndexSettings struct {
	Exclude      []string `json:"exclude,omitempty"`
	MaxFileBytes int64    `json:"maxFileBytes,omitempty"`
}

// with returns the settings with the client's initializationOptions on top. On
// an error the settings are returned as they were.
func (s Settings) with(options protocol.LSPAny) (Settings, error) {
	if len(options) == 0 || string(options) == "null" {
		return s, nil
	}
	merged := struct {
		Settings
		ClientCapabilities json.RawMessage `json:"clientCapabilities"`
	}{Settings: s}
	merged.Providers = maps.Clone(s.Providers)
	decoder := json.NewDecoder(bytes.NewReader(options))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&merged); err != nil {
		return s, err
	}
	return merged.Settings, nil
}

func (l Limits) session() session.Limits {
	return session.Limits{
		ToolTimeout:  time.Duration(l.ToolTimeout * float64(time.Second)),
		TurnRequests: l.TurnRequests,
		Retries:      l.Retries,
		Repairs:      l.Repairs,
	}
}

// models finds the models that the settings name.
type models struct {
	settings Settings
	http     *http.Client
	getenv   func(string) string
}

// find returns the model called name; empty means the configured one.
func (m models) find(_ context.Context, name string) (llm.Model, error) {
	if name == "" {
		name = m.settings.Model
	}
	if name == "" || name == "embedded" {
		return llm.Embedded(), nil
	}
	providerName, id, ok := strings.Cut(name, "/")
	provider, known := m.settings.Providers[providerName]
	if !ok || !known {
		names := slices.Sorted(maps.Keys(m.settings.Providers))
		return llm.Model{}, fmt.Errorf("the model %q is not configured: use \"embedded\" or PROVIDER/MODEL with a configured provider (there are: %s)",
			name, strings.Join(names, ", "))
	}
	if provider.Type != "openai" {
		return llm.Model{}, fmt.Errorf("the provider %q has the type %q, which is not known: use \"openai\"", providerName, provider.Type)
	}
	key := provider.APIKey
	if provider.APIKeyEnv != "" {
		key = m.getenv(provider.APIKeyEnv)
	}
	return llm.Model{
		Provider: llm.OpenAI(llm.OpenAIConfig{
			Name: providerName, BaseURL: provider.BaseURL, APIKey: key, HTTPClient: m.http,
		}),
		ID:            id,
		ContextTokens: provider.Models[id].ContextTokens,
	}, nil
}
