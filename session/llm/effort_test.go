package llm_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/session/llm"
)

// efforts are the providers, with where the effort of a request is, and how they answer.
var efforts = map[string]struct {
	at              func(base string) llm.Provider
	key, want       string
	answer, content string
}{
	"chat": {func(base string) llm.Provider { return llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base}) },
		"reasoning_effort", `"high"`, chatDone, "text/event-stream"},
	"responses": {func(base string) llm.Provider {
		return llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base, Responses: true})
	}, "reasoning", `{"effort":"high","summary":"auto"}`,
		events(`{"type":"response.output_text.delta","delta":"ok"}`, `{"type":"response.completed","response":{"status":"completed"}}`), "text/event-stream"},
	"anthropic": {func(base string) llm.Provider { return llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: base}) },
		"output_config", `{"effort":"high"}`,
		events(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ok"}}`, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`,
			`{"type":"message_stop"}`), "text/event-stream"},
	"ollama": {func(base string) llm.Provider { return llm.Ollama(llm.OllamaConfig{Name: "test", BaseURL: base}) },
		"think", `"high"`, `{"message":{"content":"ok"},"done":true,"done_reason":"stop"}` + "\n", "application/x-ndjson"},
}

func withEffort() *llm.Request {
	req := demanding()
	req.Effort = "high"
	return req
}

func TestTheEffortIsSent(t *testing.T) {
	for name, tt := range efforts {
		t.Run(name, func(t *testing.T) {
			server := &picky{answer: tt.answer, content: tt.content}
			p := tt.at(serve(t, server.ServeHTTP))
			for i, req := range []*llm.Request{demanding(), withEffort()} {
				if text, _, _, _, err := collect(t.Context(), p, req); err != nil || strings.Join(text, "") != "ok" {
					t.Fatal(text, err)
				}
				if got := string(server.bodies[i][tt.key]); (got == tt.want) != (req.Effort != "") {
					t.Errorf("with the effort %q, %s is %s", req.Effort, tt.key, got)
				}
			}
		})
	}
}

// TestAnEffortIsNeverLeftOut has servers refuse the effort: the person, who has chosen it, reads that.
func TestAnEffortIsNeverLeftOut(t *testing.T) {
	for name, tt := range efforts {
		t.Run(name, func(t *testing.T) {
			server := &picky{status: 400, answer: tt.answer, content: tt.content,
				refuse: [][2]string{{tt.key, saying("Unsupported parameter: '" + tt.key + "' is not supported with this model.")}}}
			text, _, _, _, err := collect(t.Context(), tt.at(serve(t, server.ServeHTTP)), withEffort())
			if err == nil || !strings.Contains(err.Error(), tt.key) {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}

// TestASummaryIsLeftOutBeforeTheEffort: who may not see summaries of the thoughts still chooses how long a model thinks.
func TestASummaryIsLeftOutBeforeTheEffort(t *testing.T) {
	var sent []string
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Reasoning json.RawMessage }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		sent = append(sent, string(body.Reasoning))
		if strings.Contains(string(body.Reasoning), "summary") {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"error":{"message":"Unsupported value: your organization must be verified to get summaries",`+
				`"param":"reasoning.summary","code":"unsupported_value"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, efforts["responses"].answer)
	})
	p := efforts["responses"].at(base)
	for range 2 {
		if text, _, _, _, err := collect(t.Context(), p, withEffort()); err != nil || strings.Join(text, "") != "ok" {
			t.Fatal(text, err)
		}
	}
	if want := []string{`{"effort":"high","summary":"auto"}`, `{"effort":"high"}`, `{"effort":"high"}`}; !slices.Equal(sent, want) {
		t.Errorf("sent were %q", sent)
	}
}
