package servers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	"ploke-lsp/session/llm/llmtest"
)

// TestConversationThroughLiteLLM has the conversation through the proxy that many companies put before their models, in two
// of the protocols that it speaks. It asks a scripted server that is as strict as the strictest real one.
func TestConversationThroughLiteLLM(t *testing.T) {
	types := []string{"openai", "anthropic"}
	var config strings.Builder
	config.WriteString("model_list:\n")
	conversations := map[string]conversation{}
	scripts := map[string]*llmtest.Script{}
	for _, kind := range types {
		c := newConversation()
		scripts[kind], conversations[kind] = llmtest.NewScript(c.turns()...), c
		upstream := http.Handler(scripts[kind])
		if kind == "anthropic" {
			upstream = asStrict(upstream)
		}
		server := httptest.NewServer(upstream)
		t.Cleanup(func() {
			server.CloseClientConnections()
			server.Close()
		})
		fmt.Fprintf(&config, "  - model_name: %s\n    litellm_params: {model: openai/scripted, api_base: %q, api_key: none}\n", kind, server.URL+"/v1")
	}
	address := startLiteLLM(t, config.String())
	for _, kind := range types {
		t.Run(kind, func(t *testing.T) {
			base := map[string]string{"openai": address + "/v1", "anthropic": address}[kind]
			e := connect(t, fmt.Sprintf(`{"model": "proxy/%s", "providers": {"proxy": {"type": %[1]q, "baseUrl": %q, "apiKeyEnv": %q}}}`,
				kind, base, keyVariable), lsptest.Options{})
			defer func() {
				if err := scripts[kind].Err(); err != nil {
					t.Error(err)
				}
			}()
			converse(t, e, conversations[kind])
		})
	}
}

// asStrict passes on what LiteLLM makes of Anthropic's messages in the form that the scripted server wants. OpenAI's models
// accept lists of parts, and messages of the user behind results, which the scripted server refuses as Mistral's do.
func asStrict(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		delete(body, "cache_control") // of the whole request, which LiteLLM passes on
		var messages []any
		for _, each := range body["messages"].([]any) {
			m := each.(map[string]any)
			m["content"] = plainContent(m["content"])
			delete(m, "thinking_blocks") // beside reasoning_content
			if n := len(messages); m["role"] == "user" && messages[n-1].(map[string]any)["role"] == "tool" {
				before := messages[n-1].(map[string]any)
				before["content"] = fmt.Sprint(before["content"], "\n\n", m["content"])
				continue
			}
			messages = append(messages, m)
		}
		body["messages"] = messages
		plain, err := json.Marshal(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(plain))
		next.ServeHTTP(w, r)
	})
}

func plainContent(content any) any {
	parts, ok := content.([]any)
	if !ok {
		return content
	}
	var texts []string
	for _, p := range parts {
		texts = append(texts, fmt.Sprint(p.(map[string]any)["text"]))
	}
	return strings.Join(texts, "\n\n")
}

// startLiteLLM starts LiteLLM with a configuration, and returns its address.
func startLiteLLM(t *testing.T, config string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "litellm.yaml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	cmd := exec.Command(installed(t, "litellm", "bin", "litellm"), "--config", path, "--host", "127.0.0.1", "--port", port)
	cmd.Env = environment(t, "LITELLM_MASTER_KEY="+serverKey, "LITELLM_LOCAL_MODEL_COST_MAP=True",
		"LITELLM_USE_CHAT_COMPLETIONS_URL_FOR_ANTHROPIC_MESSAGES=True") // else it asks by the responses API
	startServer(t, "http://127.0.0.1:"+port+"/health/readiness", cmd)
	return "http://127.0.0.1:" + port
}
