package servers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm"
)

// TestConversationWithTemplates has the conversation with a model of random weights, and the rules of several kinds of models.
func TestConversationWithTemplates(t *testing.T) {
	for _, name := range []string{"qwen", "mistral", "gemma", "deepseek", "gpt-oss"} {
		t.Run(name, func(t *testing.T) {
			converseThrough(t, "openai", startTemplate(t, name))
		})
	}
}

// startTemplate starts llama.cpp's server with a template and random weights. What it says is nonsense, and not parsed.
func startTemplate(t *testing.T, name string) string {
	return startLlama(t, "tiny.gguf", "--ctx-size", "65536", "--chat-template-file", "templates/"+name+".jinja", "--skip-chat-parsing")
}

// TestConversationWithAModel has the conversation with a real model and the template that came with it.
func TestConversationWithAModel(t *testing.T) {
	converseThrough(t, "openai", startLlama(t, "smollm2.gguf", "--ctx-size", "16384"))
}

// TestCallAndAnswerOfAModel takes a call and an answer from a real model as they are. The call is demanded by tool_choice, and
// by the person, since the grammar lets the model say something before.
func TestCallAndAnswerOfAModel(t *testing.T) {
	real := startLlama(t, "smollm2.gguf", "--ctx-size", "16384", "--temp", "0", "--predict", "64", "--chat-template-file",
		"templates/qwen.jinja")
	var requests atomic.Int32
	base := newProxy(t, real, func(body map[string]any) {
		if requests.Add(1) == 1 {
			body["tool_choice"] = "required" // llama.cpp knows no choice by name
			body["tools"] = slices.DeleteFunc(body["tools"].([]any), func(tool any) bool {
				return tool.(map[string]any)["function"].(map[string]any)["name"] != "list_dir"
			})
		}
	})
	e := connect(t, useModel("openai", base), lsptest.Options{})
	result := e.Ask("Reply with exactly this:\n<tool_call>\n{\"name\": \"list_dir\", \"arguments\": {\"dir\": \".\"}}\n</tool_call>")
	var called []string
	for _, p := range e.Parts() {
		if p.Type == ploke.PartToolCall && p.State != ploke.ToolCallStarted {
			called = append(called, p.Tool+" "+string(p.State))
		}
	}
	ended := result.StopReason == ploke.StopDone || result.StopReason == ploke.StopLimit // of the answer's length
	if !ended || strings.TrimSpace(result.Text) == "" || len(called) == 0 || called[0] != "list_dir finished" {
		t.Errorf("called %q, %+v", called, result)
	}
	if result.Usage.In < 500 || result.Usage.Out == 0 {
		t.Errorf("the usage is %+v", result.Usage)
	}
}

// newProxy starts a server that passes requests on with changes, and returns its base URL.
func newProxy(t *testing.T, real string, change func(body map[string]any)) string {
	t.Helper()
	to, err := url.Parse(real)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			var body map[string]any
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			change(body)
			changed, err := json.Marshal(body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
		}
		reverseProxy(to).ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL + "/v1"
}

// TestLlamaServer checks what the client knows of a server, and what happens when a request is too long or stopped, and
// when two run at once.
func TestLlamaServer(t *testing.T) {
	const window = 2048 // of each of two slots
	address := startLlama(t, "tiny.gguf", "--ctx-size", "4096", "--chat-template-file", "templates/qwen.jinja", "--skip-chat-parsing",
		"--slots")
	provider := llm.OpenAI(llm.OpenAIConfig{Name: "llama", BaseURL: address + "/v1"})

	models, err := provider.(llm.Lister).Models(t.Context())
	if err != nil || len(models) != 1 || models[0].ContextTokens != window {
		t.Fatalf("the list is %+v, %v", models, err)
	}
	request := func(text string) *llm.Request {
		return &llm.Request{Model: models[0].ID, Messages: []llm.Message{{Role: llm.User, Text: text}}}
	}

	var refused *llm.Error
	for _, err := range provider.Send(t.Context(), request(strings.Repeat("word ", 2*window))) {
		errors.As(err, &refused)
	}
	if refused == nil || refused.Class != llm.ContextTooLong {
		t.Errorf("a request that is too long: %v", refused)
	}

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	begun, ended := make(chan struct{}, 2), make(chan error, 2)
	for range cap(begun) {
		go func() {
			first := true
			for _, err := range provider.Send(ctx, request("Go on")) {
				if first {
					begun <- struct{}{}
				}
				if first = false; err != nil {
					ended <- err
				}
			}
		}()
	}
	for range cap(begun) {
		receive(t, begun)
	}
	if busy := busySlots(t, address); busy != 2 {
		t.Errorf("%d slots are busy with two requests", busy)
	}
	cancel()
	for range cap(ended) {
		if err := receive(t, ended); !errors.Is(err, context.Canceled) {
			t.Errorf("a stopped request: %v", err)
		}
	}
	testbed.Eventually(t, func() bool { return busySlots(t, address) == 0 }, func() string { return "slots are busy after the stop" })
}

// busySlots returns how many requests llama.cpp's server is answering.
func busySlots(t *testing.T, address string) (n int) {
	t.Helper()
	resp, err := http.Get(address + "/slots")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var slots []struct {
		Busy bool `json:"is_processing"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&slots); err != nil {
		t.Fatal(err)
	}
	for _, s := range slots {
		if s.Busy {
			n++
		}
	}
	return n
}
