package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

func TestModelsAreListed(t *testing.T) {
	local, _ := llmtest.NewEndpoint(t, map[string]string{
		"GET /api/tags":  `{"models":[{"name":"llama:latest"}]}`,
		"POST /api/show": `{"capabilities":["completion","tools"],"model_info":{"general.architecture":"llama","llama.context_length":131072}}`,
	})
	silent, _ := llmtest.NewEndpoint(t, nil)
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
	var standard ploke.ModelDefaultResult
	if e.Call(ploke.MethodModelDefault, nil, &standard); standard.Model != got.Default {
		t.Errorf("the default is %q, and %q in the list", standard.Model, got.Default)
	}
	if len(got.Problems) != 2 || got.Problems[0].Provider != "plain" || !strings.Contains(got.Problems[1].Error, "MISSING") {
		t.Errorf("the problems are %+v", got.Problems)
	}
}
