package llm_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded"
	"ploke-lsp/session/llm/llmtest"
)

// TestWindowsAreFoundOnEachKindOfServer asks servers of each kind for the window of the
// model m, 0 if the server does not say.
func TestWindowsAreFoundOnEachKindOfServer(t *testing.T) {
	const names = `{"object":"list","data":[{"id":"other"},{"id":"m"}]}`
	list := func(fields string) map[string]string {
		return map[string]string{"GET /v1/models": `{"data":[{"id":"m",` + fields + `}]}`}
	}
	with := func(list, path, answer string) map[string]string {
		return map[string]string{"GET /v1/models": list, "GET " + path: answer}
	}
	for _, tt := range []struct {
		server  string
		answers map[string]string
		want    int
	}{
		{"OpenAI", with(names, "/none", ""), 0},
		{"vLLM", list(`"max_model_len":65536`), 65536},
		{"OpenRouter", list(`"context_length":200000`), 200000},
		{"Groq", list(`"context_window":131072`), 131072},
		{"Mistral", list(`"max_context_length":262144`), 262144},
		{"llama.cpp, new", list(`"meta":{"n_ctx":8192,"n_ctx_train":262144}`), 8192},
		{"llama.cpp, only its training", list(`"meta":{"n_ctx_train":262144}`), 0},
		{"llama.cpp", with(`{"data":[{"id":"m"}]}`, "/props", `{"default_generation_settings":{"id":0,"n_ctx":16384},"total_slots":1}`), 16384},
		{"llama.cpp, several models", with(names, "/props", `{"default_generation_settings":{"n_ctx":16384}}`), 0},
		{"LM Studio, loaded", with(names, "/api/v0/models", `{"data":[{"id":"m","state":"loaded","max_context_length":131072,"loaded_context_length":4096}]}`), 4096},
		{"LM Studio, not loaded", with(names, "/api/v0/models", `{"data":[{"id":"m","state":"not-loaded","max_context_length":131072}]}`), 32768},
		{"LM Studio, small", with(names, "/api/v0/models", `{"data":[{"id":"m","state":"not-loaded","max_context_length":8192}]}`), 8192},
		{"LiteLLM", with(names, "/model/info", `{"data":[{"model_name":"other","model_info":{"max_input_tokens":9999}},`+
			`{"model_name":"m","model_info":{"max_input_tokens":200000}},{"model_name":"m","model_info":{"max_input_tokens":128000}},{"model_name":"m","model_info":{"max_input_tokens":null}}]}`), 128000},
		{"a server of pages", with(names, "/props", `<html>`), 0},
		{"liars", list(`"max_model_len":"many","context_length":-5,"context_window":1e300,"max_context_length":12,"meta":{"n_ctx":{}}`), 0},
	} {
		t.Run(tt.server, func(t *testing.T) {
			server, _ := llmtest.NewEndpoint(t, tt.answers)
			for _, info := range modelsOf(t, llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: server + "/v1"})) {
				if info.ID == "m" && info.ContextTokens != tt.want {
					t.Errorf("%d tokens, want %d", info.ContextTokens, tt.want)
				}
			}
		})
	}
}

// TestASlowDescriptionDoesNotHoldTheList has a server that lists its models but never
// describes them.
func TestASlowDescriptionDoesNotHoldTheList(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/v1/models") {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
			return
		}
		<-r.Context().Done()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	infos, err := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base + "/v1"}).(llm.Lister).Models(ctx)
	if err != nil || len(infos) != 1 || infos[0].ID != "m" {
		t.Errorf("%v %v", infos, err)
	}
}

// TestDescriptionsAreRequestedLikeEverythingElse has a server redirect the request for a
// description to another origin, and answer another one with an endless body.
func TestDescriptionsAreRequestedLikeEverythingElse(t *testing.T) {
	elsewhere := serve(t, func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s was sent to another origin", r.URL) })
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+testKey {
			t.Errorf("%s without the key", r.URL)
		}
		switch r.URL.Path {
		case "/v1/models":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
		case "/props":
			http.Redirect(w, r, elsewhere+"/props", http.StatusFound)
		default:
			for {
				if _, err := io.WriteString(w, `{"data":[`); err != nil {
					return
				}
			}
		}
	})
	infos := modelsOf(t, llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base + "/v1", APIKey: testKey}))
	if len(infos) != 1 || infos[0].ContextTokens != 0 {
		t.Errorf("%v", infos)
	}
}

// TestUnknownWindowsAreThoseOfTheFamilyOrTheHost lists windows that nobody reports.
func TestUnknownWindowsAreThoseOfTheFamilyOrTheHost(t *testing.T) {
	const public, local = 128_000, 32_768
	for _, tt := range []struct {
		base, model string
		want        int
	}{
		{"https://api.openai.com/v1", "gpt-4o-2024-11-20", 128_000},
		{"https://api.openai.com/v1", "gpt-4.1-mini", 1_047_576},
		{"https://api.openai.com/v1", "gpt-5.2-codex", 272_000},
		{"https://gateway.example/v1", "anthropic/claude-sonnet-4-5", 200_000},
		{"http://localhost:4000/v1", "gpt-5", 272_000}, // through a proxy: nobody else runs it
		{"https://host.example/v1", "openai/gpt-oss-120b", 131_072},
		{"http://localhost:8000/v1", "openai/gpt-oss-120b", local}, // with any window
		{"https://host.example/v1", "my-own", public},
		{"https://8.8.8.8/v1", "my-own", public},
		{"https://[2001:4860:4860::8888]/v1", "my-own", public},
		{"https://mylocal/v1", "my-own", local},
		{"https://notlocal.example/v1", "my-own", public},
		{"http://localhost:1234/v1", "my-own", local},
		{"http://127.0.0.1:8080", "my-own", local},
		{"http://[::1]:8080", "my-own", local},
		{"http://[::ffff:10.0.0.1]:8080", "my-own", local},
		{"http://192.168.1.20:8000/v1", "my-own", local},
		{"http://100.101.1.2:8000/v1", "my-own", local},
		{"http://[fd00::1]/v1", "my-own", local},
		{"http://gpu.local:8000/v1", "my-own", local},
		{"http://host.docker.internal:8000/v1", "my-own", local},
		{"http://GPU:8000/v1", "my-own", local},
	} {
		m := llm.Model{Provider: llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: tt.base}), ID: tt.model}
		if got := llm.LikelyContextTokens(m); got != tt.want {
			t.Errorf("%s at %s: %d, want %d", tt.model, tt.base, got, tt.want)
		}
	}
	if got := llm.LikelyContextTokens(embedded.Model()); got != local {
		t.Errorf("embedded: %d", got)
	}
}
