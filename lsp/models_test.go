package lsp_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm"
)

// provider is a server that answers by method and path.
func provider(t *testing.T, answers map[string]string) (url string, asked *[]string) {
	asked = new([]string)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := r.Method + " " + r.URL.Path
		*asked = append(*asked, request)
		answer, ok := answers[request]
		if !ok {
			http.NotFound(w, r)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

var ollamaAnswers = map[string]string{
	"GET /api/tags":  `{"models":[{"name":"llama:latest"}]}`,
	"POST /api/show": `{"capabilities":["completion","tools"],"model_info":{"general.architecture":"llama","llama.context_length":131072}}`,
}

const routerAnswer = `{"data":[{"id":"maker/model","context_length":200000,"top_provider":{"max_completion_tokens":8000},
	"pricing":{"prompt":"0.000003","completion":"0.000015","input_cache_read":"0.0000003"},"supported_parameters":["tools","reasoning"]}]}`

// TestModelsAreFoundByTypeAndSettings finds models of each type of provider.
func TestModelsAreFoundByTypeAndSettings(t *testing.T) {
	local, askedLocal := provider(t, ollamaAnswers)
	router, _ := provider(t, map[string]string{"GET /v1/models": routerAnswer})
	silent, askedSilent := provider(t, nil)
	s, problems := config.Merge(config.FromJSON("the test", fmt.Appendf(nil, `{"providers": {
		"local":  {"type": "ollama", "baseUrl": %q},
		"router": {"type": "openrouter", "baseUrl": %q, "models": {"maker/model": {"price": {"in": 1}, "parallelTools": false}}},
		"plain":  {"type": "openai", "baseUrl": %q, "models": {"big": {"contextTokens": 9000, "tools": false}}},
		"claude": {"type": "anthropic", "baseUrl": %q, "models": {"big": {"contextTokens": 9000},
			"priced": {"contextTokens": 1, "price": {"in": 4, "out": 20}}, "written": {"contextTokens": 1, "price": {"in": 4, "cacheWrite": 8}}}}
	}}`, local, router+"/v1", silent+"/v1", silent)))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	models := &lsp.Models{Settings: func() config.Settings { return s }, Keys: &config.Keys{}, HTTP: http.DefaultClient, Log: slog.New(slog.DiscardHandler)}
	for _, tt := range []struct {
		name string
		want llm.Model
	}{
		{"local/llama", llm.Model{ID: "llama", ContextTokens: 131072, Capabilities: &llm.Capabilities{Tools: true, ParallelTools: true}}},
		{"local/other", llm.Model{ID: "other"}},
		{"router/maker/model", llm.Model{ID: "maker/model", ContextTokens: 200000, AnswerTokens: 8000, Price: &llm.Price{In: 1},
			Capabilities: &llm.Capabilities{Tools: true, Reasoning: true}}},
		{"plain/big", llm.Model{ID: "big", ContextTokens: 9000, Capabilities: &llm.Capabilities{ParallelTools: true}}},
		{"plain/unheard-of", llm.Model{ID: "unheard-of"}},
		{"claude/big", llm.Model{ID: "big", ContextTokens: 9000}},
		{"claude/priced", llm.Model{ID: "priced", ContextTokens: 1, Price: &llm.Price{In: 4, Out: 20, CacheWrite: 5}}},
		{"claude/written", llm.Model{ID: "written", ContextTokens: 1, Price: &llm.Price{In: 4, CacheWrite: 8}}},
		{"claude/new", llm.Model{ID: "new"}},
		{"claude/new", llm.Model{ID: "new"}}, // not asked again at once
		{"embedded", llm.Embedded()},
		{"", llm.Embedded()},
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
	if len(*askedLocal) != 2 || len(*askedSilent) != 1 {
		t.Errorf("asked: %v and %v", *askedLocal, *askedSilent)
	}
	for name, want := range map[string]string{
		"nobody/big": "there are: claude, local, plain, router",
		"plain":      "PROVIDER/MODEL",
	} {
		if _, err := models.Find(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestModelsAreListed(t *testing.T) {
	local, _ := provider(t, ollamaAnswers)
	silent, _ := provider(t, nil)
	f := newFixture(t)
	f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil, `{"model": "plain/small", "providers": {
		"local": {"type": "ollama", "baseUrl": %q},
		"plain": {"type": "openai", "baseUrl": %q, "models": {"big": {"contextTokens": 9000, "price": {"in": 1, "out": 2}}}},
		"shut":  {"type": "openai", "apiKeyEnv": "MISSING"}
	}}`, local, silent+"/v1"))}
	e := f.start(lsptest.Options{})
	var got ploke.ModelsResult
	e.Call(ploke.MethodModels, nil, &got)
	want := []ploke.Model{
		{ID: "embedded", Configured: true, Tools: true},
		{ID: "local/llama:latest", ContextTokens: 131072, Tools: true},
		{ID: "plain/big", Configured: true, ContextTokens: 9000, Price: &ploke.Price{In: 1, Out: 2}, Tools: true},
		{ID: "plain/small", Configured: true, Tools: true},
	}
	if diff := cmp.Diff(want, got.Models); diff != "" || got.Default != "plain/small" {
		t.Errorf("the default is %q; (-want +got):\n%s", got.Default, diff)
	}
	if len(got.Problems) != 2 || got.Problems[0].Provider != "plain" || !strings.Contains(got.Problems[1].Error, "MISSING") {
		t.Errorf("problems: %+v", got.Problems)
	}
}
