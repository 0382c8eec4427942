package servers_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
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
	scripts, upstreams := map[string]*llmtest.Script{}, map[string]*behindLiteLLM{}
	for _, kind := range types {
		c := newConversation()
		scripts[kind], conversations[kind] = llmtest.NewScript(c.turns()...), c
		upstreams[kind] = &behindLiteLLM{next: scripts[kind]}
		server := httptest.NewServer(upstreams[kind])
		t.Cleanup(func() {
			server.CloseClientConnections()
			server.Close()
		})
		fmt.Fprintf(&config, "  - model_name: %s\n    litellm_params: {model: openai/scripted, api_base: %q, api_key: none}\n", kind,
			server.URL+"/v1")
	}
	address := startLiteLLM(t, config.String())
	for _, kind := range types {
		t.Run(kind, func(t *testing.T) {
			base := map[string]string{"openai": address + "/v1", "anthropic": address}[kind]
			e := connect(t, fmt.Sprintf(`{"model": "proxy/%s", "providers": {"proxy": {"type": %[1]q, "baseUrl": %q, "apiKeyEnv": %q}}}`,
				kind, base, keyVariable), lsptest.Options{})
			defer func() {
				refused := map[string]int32{"anthropic": 1}[kind] // and is left out from then on
				if err := scripts[kind].Err(); err != nil || upstreams[kind].refused.Load() != refused {
					t.Errorf("cache_control was refused %d times, %v", upstreams[kind].refused.Load(), err)
				}
			}()
			converse(t, e, conversations[kind])
		})
	}
}

// behindLiteLLM is a strict server behind LiteLLM's form of Anthropic's API. What LiteLLM 1.108.7 makes of a request is in
// llms/anthropic/pass_through/adapters/transformation.py there:
//
//   - cache_control is passed on to any server (_copy_untranslated_anthropic_params). This one refuses it in the words of
//     Mistral's API.
//   - Thoughts go back to the server that had them twice, as its reasoning_content and as thinking_blocks
//     (translate_anthropic_messages_to_openai). No request to LiteLLM can avoid that, so the latter are taken out here.
type behindLiteLLM struct {
	next    http.Handler
	refused atomic.Int32 // requests with cache_control
}

func (s *behindLiteLLM) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body map[string]json.RawMessage
	var messages []map[string]json.RawMessage
	err := json.NewDecoder(r.Body).Decode(&body)
	if err == nil {
		err = json.Unmarshal(body["messages"], &messages)
	}
	if err == nil && body["cache_control"] != nil {
		s.refused.Add(1)
		err = errors.New("cache_control: Extra inputs are not permitted")
	}
	for _, m := range messages {
		delete(m, "thinking_blocks")
	}
	if err == nil {
		body["messages"], err = json.Marshal(messages)
	}
	changed, encoded := json.Marshal(body)
	if err := errors.Join(err, encoded); err != nil {
		http.Error(w, fmt.Sprintf(`{"error":{"message":%q,"type":"invalid_request_error"}}`, err), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(changed))
	s.next.ServeHTTP(w, r)
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
