package project_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/project"
	"ploke-lsp/session/llm/llmtest"
)

func modelsOf(t *testing.T, settings string) *project.Models {
	t.Helper()
	layer := config.FromJSON("the test", []byte(settings))
	if _, problems := config.Merge(layer); len(problems) > 0 {
		t.Fatal(problems)
	}
	return project.NewModels(project.Options{Settings: project.NewSettings(layer)})
}

// TestServersAreAskedForTheirWindows finds models of an OpenAI-compatible server: the
// user's setting counts, then the server's description. The server is asked once.
func TestServersAreAskedForTheirWindows(t *testing.T) {
	base, requests := llmtest.NewEndpoint(t, map[string]string{
		"GET /v1/models":     `{"data":[{"id":"listed","max_model_len":65536},{"id":"described"},{"id":"set","max_model_len":65536}]}`,
		"GET /api/v0/models": `{"data":[{"id":"described","loaded_context_length":16384}]}`,
	})
	models := modelsOf(t,
		fmt.Sprintf(`{"providers":{"own":{"type":"openai","baseUrl":%q,"models":{"set":{"contextTokens":9000}}}}}`, base+"/v1"))
	for range 2 {
		for id, want := range map[string]int{"listed": 65536, "described": 16384, "set": 9000, "unlisted": 0} {
			m, err := models.Find(t.Context(), "own/"+id)
			if err != nil || m.ContextTokens != want || m.ContextSet != (id == "set") {
				t.Errorf("%s: %d tokens, set: %v; want %d (%v)", id, m.ContextTokens, m.ContextSet, want, err)
			}
			if c := m.Capabilities; c != nil {
				t.Errorf("%s: the list says nothing of tools, but: %+v", id, *c)
			}
		}
	}
	if n := len(*requests); n != 4 { // the list, and three kinds of descriptions
		t.Errorf("%d requests: %v", n, *requests)
	}
}

// TestASilentServerHoldsOnlyTheFirstTurn has a server that never lists its models: a model
// is found after a bounded time, and at once from then on.
func TestASilentServerHoldsOnlyTheFirstTurn(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	models := modelsOf(t, fmt.Sprintf(`{"providers":{"own":{"type":"openai","baseUrl":%q}}}`, s.URL+"/v1"))
	for _, id := range []string{"a", "a", "b"} {
		if m, err := models.Find(t.Context(), "own/"+id); err != nil || m.ID != id || m.ContextTokens != 0 {
			t.Errorf("%+v %v", m, err)
		}
	}
	if n := requests.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
}
