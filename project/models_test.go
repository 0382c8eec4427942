package project_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/config"
	"ploke-lsp/project"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded"
	"ploke-lsp/session/llm/llmtest"
)

var ollamaAnswers = map[string]string{
	"GET /api/tags":  `{"models":[{"name":"llama:latest"}]}`,
	"POST /api/show": `{"capabilities":["completion","tools"],"model_info":{"general.architecture":"llama","llama.context_length":131072}}`,
}

const routerAnswer = `{"data":[{"id":"maker/model","context_length":200000,"top_provider":{"max_completion_tokens":8000},
	"pricing":{"prompt":"0.000003","completion":"0.000015","input_cache_read":"0.0000003"},"supported_parameters":["tools","reasoning"]}]}`

// TestModelsAreFoundByTypeAndSettings finds models of each type of provider.
func TestModelsAreFoundByTypeAndSettings(t *testing.T) {
	local, localRequests := llmtest.NewEndpoint(t, ollamaAnswers)
	router, _ := llmtest.NewEndpoint(t, map[string]string{"GET /v1/models": routerAnswer})
	silent, silentRequests := llmtest.NewEndpoint(t, nil)
	layer := config.FromJSON("the test", fmt.Appendf(nil, `{"providers": {
		"local":  {"type": "ollama", "baseUrl": %q},
		"router": {"type": "openrouter", "baseUrl": %q, "models": {"maker/model": {"price": {"in": 1}, "parallelTools": false}}},
		"plain":  {"type": "openai", "baseUrl": %q, "models": {"big": {"contextTokens": 9000, "tools": false},
			"eager": {"contextTokens": 1, "efforts": ["low", "high"]}}},
		"claude": {"type": "anthropic", "baseUrl": %q, "models": {"big": {"contextTokens": 9000},
			"priced": {"contextTokens": 1, "price": {"in": 4, "out": 20}}, "written": {"contextTokens": 1, "price": {"in": 4, "cacheWrite": 8}}}}
	}}`, local, router+"/v1", silent+"/v1", silent))
	if _, problems := config.Merge(layer); len(problems) > 0 {
		t.Fatal(problems)
	}
	models := project.NewModels(project.Options{Settings: project.NewSettings(layer)})
	for _, tt := range []struct {
		name string
		want llm.Model
	}{
		{"local/llama", llm.Model{ID: "llama", ContextTokens: 131072, Capabilities: &llm.Capabilities{Tools: true, ParallelTools: true}}},
		{"local/other", llm.Model{ID: "other"}},
		{"router/maker/model", llm.Model{ID: "maker/model", ContextTokens: 200000, AnswerTokens: 8000, Price: &llm.Price{In: 1},
			Capabilities: &llm.Capabilities{Tools: true, Reasoning: true}, Efforts: []string{"low", "medium", "high"}}},
		{"plain/big", llm.Model{ID: "big", ContextTokens: 9000, ContextSet: true, Capabilities: &llm.Capabilities{ParallelTools: true}}},
		{"plain/unheard-of", llm.Model{ID: "unheard-of"}},
		{"claude/big", llm.Model{ID: "big", ContextTokens: 9000, ContextSet: true}},
		{"claude/priced", llm.Model{ID: "priced", ContextTokens: 1, ContextSet: true, Price: &llm.Price{In: 4, Out: 20, CacheWrite: 5}}},
		{"claude/written", llm.Model{ID: "written", ContextTokens: 1, ContextSet: true, Price: &llm.Price{In: 4, CacheWrite: 8}}},
		{"plain/big#high", llm.Model{ID: "big", ContextTokens: 9000, ContextSet: true, Capabilities: &llm.Capabilities{ParallelTools: true}, Effort: "high"}},
		{"plain/eager#low", llm.Model{ID: "eager", ContextTokens: 1, ContextSet: true, Effort: "low", Efforts: []string{"low", "high"}}},
		{"claude/new", llm.Model{ID: "new"}},
		{"claude/new", llm.Model{ID: "new"}}, // the list is not requested again at once
		{"embedded", embedded.Model()},
		{"", embedded.Model()},
	} {
		got, err := models.Find(t.Context(), tt.name)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if name, _, ok := strings.Cut(tt.name, "/"); ok && got.Provider.Name() != name {
			t.Errorf("%s is of the provider %s", tt.name, got.Provider.Name())
		}
		got.Provider, tt.want.Provider = nil, nil
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if len(*localRequests) != 2 || len(*silentRequests) != 2 {
		t.Errorf("requests: %v and %v", *localRequests, *silentRequests)
	}
	for name, want := range map[string]string{
		"nobody/big": "configured: claude, local, plain, router",
		"plain":      "PROVIDER/MODEL",
	} {
		if _, err := models.Find(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAProviderIsMadeOnce: it holds what its conversations have sent. A provider that is configured again is another one.
func TestAProviderIsMadeOnce(t *testing.T) {
	key := "one"
	layer := config.FromJSON("the test", []byte(`{"providers": {"plain": {"type": "openai", "baseUrl": "http://127.0.0.1/v1", "apiKeyEnv": "KEY",
		"models": {"big": {"contextTokens": 9000}}}}}`))
	models := project.NewModels(project.Options{Settings: project.NewSettings(layer), Getenv: func(string) string { return key }})
	find := func() llm.Provider {
		m, err := models.Find(t.Context(), "plain/big")
		if err != nil {
			t.Fatal(err)
		}
		return m.Provider
	}
	first := find()
	if find() != first {
		t.Error("the provider was made again")
	}
	key = "two"
	if find() == first {
		t.Error("the provider still has the old key")
	}
}

// TestAWrongAddressIsAnErrorOfItsSetting has no request sent.
func TestAWrongAddressIsAnErrorOfItsSetting(t *testing.T) {
	layer := config.FromJSON("the test", []byte(`{"providers": {"a": {"type": "openai", "baseUrl": "localhost:8080/v1"}}}`))
	_, err := project.NewModels(project.Options{Settings: project.NewSettings(layer)}).Find(t.Context(), "a/m")
	if err == nil || !strings.HasPrefix(err.Error(), `providers.a.baseUrl: "localhost:8080/v1" is not the address of an endpoint`) {
		t.Error(err)
	}
}
