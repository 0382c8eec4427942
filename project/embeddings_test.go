package project_test

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/project"
	"ploke-lsp/session/llm/llmtest"
)

// TestEmbeddingsOfEachType requests a vector from a provider of each type, at the address
// that its users configure.
func TestEmbeddingsOfEachType(t *testing.T) {
	server := llmtest.NewEmbeddings(t, 8)
	m := project.NewModels(project.Options{Settings: project.NewSettings(config.FromJSON("the test", fmt.Appendf(nil, `{"providers": {
		"openai":     {"type": "openai", "baseUrl": %[1]q},
		"openrouter": {"type": "openrouter", "baseUrl": %[1]q},
		"ollama":     {"type": "ollama", "baseUrl": %[2]q},
		"anthropic":  {"type": "anthropic", "baseUrl": %[1]q}
	}}`, server.URL, strings.TrimSuffix(server.URL, "/v1"))))})
	for provider, refused := range map[string]string{"openai": "", "openrouter": "", "ollama": "", "anthropic": "makes no vectors", "nobody": "add providers.nobody"} {
		model, err := m.Embeddings(t.Context(), config.Embeddings{Provider: provider, Model: "m", Dimensions: 4})
		if refused != "" {
			if err == nil || !strings.Contains(err.Error(), refused) {
				t.Errorf("%s: %v", provider, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if vectors, _, err := model.Embed(t.Context(), []string{"x"}); err != nil || len(vectors[0]) != 4 {
			t.Errorf("%s: %v, %v", provider, vectors, err)
		}
	}
}
