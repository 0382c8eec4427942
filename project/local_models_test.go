package project

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"ploke-lsp/internal/config"
)

// TestFindLocal has a server that answers, one that never does, one that is another program, one that sends
// its clients away, and none.
func TestFindLocal(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sesame")
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	var mu sync.Mutex
	var asked []string
	serve := func(answer http.HandlerFunc) config.Provider {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			asked = append(asked, r.Method+" "+r.Header.Get("Authorization"))
			mu.Unlock()
			answer(w, r)
		}))
		t.Cleanup(server.Close)
		return config.Provider{Type: "openai", BaseURL: server.URL + "/v1"}
	}
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another server was asked") }))
	t.Cleanup(elsewhere.Close)
	found := FindLocal(t.Context(), []LocalServer{
		{"hangs", "", serve(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })},
		{"good", "", serve(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, "/v1/models") {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`{"data": [{"id": "nomic-embed-text"}, {"id": "qwen3:8b"}]}`))
		})},
		{"other", "", serve(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>Welcome</html>")) })},
		{"away", "", serve(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) })},
		{"none", "", config.Provider{Type: "ollama", BaseURL: "http://127.0.0.1:1"}},
	})
	if len(found) != 1 || found[0].ID != "good/qwen3:8b" {
		t.Errorf("found %+v", found)
	}
	mu.Lock()
	defer mu.Unlock()
	if other := slices.DeleteFunc(asked, func(request string) bool { return request == "GET " }); len(other) > 0 {
		t.Errorf("more was sent than a question without a key: %q", other)
	}
}

func TestLocalServersAreOnThisMachine(t *testing.T) {
	for host, want := range map[string]string{
		"":                          "http://127.0.0.1:11434",
		"127.0.0.1:9":               "http://127.0.0.1:9",
		"http://localhost:9/":       "http://127.0.0.1:9",
		"0.0.0.0:9":                 "http://127.0.0.1:9",
		"[::1]:9":                   "http://127.0.0.1:9",
		"models.example.com:9":      "http://127.0.0.1:11434",
		"127.0.0.1.example.com:9":   "http://127.0.0.1:11434",
		"127.0.0.1:9@example.com:8": "http://127.0.0.1:11434",
		"127.0.0.1:9/../x":          "http://127.0.0.1:11434",
	} {
		for _, s := range LocalServers(func(name string) string { return map[string]string{"OLLAMA_HOST": host, "LLAMA_ARG_PORT": "x"}[name] }) {
			if s.Name == "ollama" && s.Provider.BaseURL != want {
				t.Errorf("OLLAMA_HOST=%q leads to %s; want %s", host, s.Provider.BaseURL, want)
			}
			if !strings.HasPrefix(s.Provider.BaseURL, "http://127.0.0.1:") {
				t.Errorf("%s is asked at %s", s.Title, s.Provider.BaseURL)
			}
		}
	}
}
