package servers_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ploke-lsp/session/llm"
)

// TestConversationThroughOllama has the conversation in Ollama's own protocol.
func TestConversationThroughOllama(t *testing.T) {
	converseThrough(t, "ollama", startOllama(t))
}

// TestOllama checks what the client knows of a model, and that a request is read whole: Ollama cuts without a word what does not
// fit into the window that it was asked for, and has 4,096 tokens else.
func TestOllama(t *testing.T) {
	const window = 8192
	provider := llm.Ollama(llm.OllamaConfig{Name: "ollama", BaseURL: startOllama(t)})
	models, err := provider.(llm.Lister).Models(t.Context())
	if err != nil || len(models) != 1 || models[0].ContextTokens < window || !models[0].Tools {
		t.Fatalf("the list is %+v, %v", models, err)
	}
	request := &llm.Request{Model: models[0].ID, ContextTokens: window, Messages: []llm.Message{{Role: llm.User, Text: strings.Repeat("word ", 5000)}}}
	var usage llm.Usage
	for chunk, err := range provider.Send(t.Context(), request) {
		if err != nil {
			t.Fatal(err)
		}
		if chunk.Usage != nil {
			usage = *chunk.Usage
		}
	}
	if usage.In < 5000 || usage.In > window || usage.Out != answerTokens {
		t.Errorf("the usage is %+v", usage)
	}
}

// answerTokens is how many tokens Ollama's answers have.
const answerTokens = 16

// ollamaTemplate is how Qwen's models want a conversation, see templates/qwen.jinja, in Ollama's words. Ollama takes a model
// for one that can call tools if its template has them.
const ollamaTemplate = `{{- if or .System .Tools }}<|im_start|>system
{{ .System }}
{{- range .Tools }}
{{ . }}
{{- end }}<|im_end|>
{{ end }}
{{- range .Messages }}
{{- if ne .Role "system" }}<|im_start|>{{ .Role }}
{{ .Content }}
{{- range .ToolCalls }}
<tool_call>
{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
</tool_call>
{{- end }}<|im_end|>
{{ end }}
{{- end }}<|im_start|>assistant
`

// startOllama starts Ollama with the model of random weights, which is called "model", and returns its address.
func startOllama(t *testing.T) string {
	t.Helper()
	const file = "tiny.gguf"
	listen := "127.0.0.1:" + freePort(t)
	cmd := exec.Command(installed(t, "bin", "ollama"), "serve")
	cmd.Env = environment(t, "OLLAMA_HOST="+listen, "OLLAMA_MODELS="+t.TempDir(), "OLLAMA_NOPRUNE=1", "OLLAMA_NUM_PARALLEL=1")
	address := "http://" + listen
	startServer(t, address+"/api/version", cmd)

	weights, err := os.ReadFile(installed(t, "gguf", file))
	if err != nil {
		t.Fatal(err)
	}
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(weights))
	demand(t, address+"/api/blobs/"+digest, weights)
	create, err := json.Marshal(map[string]any{"model": "model", "stream": false, "files": map[string]string{file: digest},
		"template": ollamaTemplate, "parameters": map[string]any{"num_predict": answerTokens, "num_thread": 1, "temperature": 0}})
	if err != nil {
		t.Fatal(err)
	}
	demand(t, address+"/api/create", create)
	return address
}

// demand posts a body, which the server must accept.
func demand(t *testing.T, to string, body []byte) {
	t.Helper()
	resp, err := post(t.Context(), to, body)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if said, _ := io.ReadAll(resp.Body); resp.StatusCode/100 != 2 || bytes.Contains(said, []byte(`"error"`)) {
		t.Fatalf("%s: %s: %s", to, resp.Status, said)
	}
}

// fromOllama translates requests of Ollama's protocol for a scripted server that speaks chat completions, and its answers back.
func fromOllama(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model    string           `json:"model"`
			Messages []map[string]any `json:"messages"`
			Tools    []any            `json:"tools,omitempty"`
			Stream   bool             `json:"stream"`
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		for _, m := range body.Messages {
			toChat(m)
		}
		chat, err := json.Marshal(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.URL.Path, r.Body = "/v1/chat/completions", io.NopCloser(bytes.NewReader(chat))
		next.ServeHTTP(&ollamaWriter{ResponseWriter: w}, r)
	})
}

// toChat changes a message of Ollama's to one of chat completions.
func toChat(m map[string]any) {
	if thinking, ok := m["thinking"]; ok {
		m["reasoning_content"] = thinking
	}
	delete(m, "thinking")
	delete(m, "tool_name")
	calls, _ := m["tool_calls"].([]any)
	for _, each := range calls {
		call := each.(map[string]any)
		call["type"] = "function"
		function := call["function"].(map[string]any)
		arguments, _ := json.Marshal(function["arguments"]) // decoded just now
		function["arguments"] = string(arguments)
	}
}

// ollamaWriter translates the events of a streamed answer, each of which is one write, into Ollama's lines. Ollama sends a call
// as a whole.
type ollamaWriter struct {
	http.ResponseWriter
	calls []ollamaCall
}

type ollamaCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

func (w *ollamaWriter) Flush() { w.ResponseWriter.(http.Flusher).Flush() }

func (w *ollamaWriter) Write(event []byte) (int, error) {
	data, ok := bytes.CutPrefix(event, []byte("data: {"))
	if !ok {
		return len(event), nil // the end, [DONE]
	}
	var chunk struct {
		Choices []struct {
			Delta struct {
				Content   string
				Reasoning string `json:"reasoning_content"`
				ToolCalls []struct {
					Index    int
					ID       string
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
			Finish string `json:"finish_reason"`
		}
	}
	if err := json.Unmarshal(append([]byte("{"), data...), &chunk); err != nil {
		return 0, err
	}
	for _, choice := range chunk.Choices {
		for _, piece := range choice.Delta.ToolCalls {
			if piece.Index == len(w.calls) {
				w.calls = append(w.calls, ollamaCall{ID: piece.ID})
			}
			call := &w.calls[piece.Index]
			call.Function.Name += piece.Function.Name
			call.Function.Arguments = append(call.Function.Arguments, piece.Function.Arguments...)
		}
		line := map[string]any{"model": "model", "done": choice.Finish != ""}
		message := map[string]any{"role": "assistant", "content": choice.Delta.Content, "thinking": choice.Delta.Reasoning}
		if choice.Finish != "" {
			line["done_reason"], line["prompt_eval_count"], line["eval_count"] = "stop", 1, 1
			message["tool_calls"] = wholeCalls(w.calls)
		}
		line["message"] = message
		if err := json.NewEncoder(w.ResponseWriter).Encode(line); err != nil {
			return 0, err
		}
	}
	return len(event), nil
}

// wholeCalls returns calls whose arguments are objects, as Ollama's always are.
func wholeCalls(calls []ollamaCall) []ollamaCall {
	for i := range calls {
		if !json.Valid(calls[i].Function.Arguments) {
			calls[i].Function.Arguments = json.RawMessage("{}")
		}
	}
	return calls
}
