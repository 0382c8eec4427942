package llm_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
)

func TestEmbed(t *testing.T) {
	server := llmtest.NewEmbeddings(t, 32)
	e := llm.OpenAIEmbeddings(llm.OpenAIConfig{Name: "test", BaseURL: server.URL, APIKey: "secret"}, "m", 16)
	texts := []string{"one text", "another", "one <text> größer", ""}
	vectors, usage, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if fmt.Sprint(vectors[i]) != fmt.Sprint(server.Vector(text, 16)) {
			t.Errorf("the vector of %q is another's", text)
		}
	}
	r := server.Requests()[0]
	if usage.In == 0 || r.Model != "m" || r.Dimensions != 16 || r.Header.Get("Authorization") != "Bearer secret" {
		t.Errorf("used %v for the request %+v", usage, r)
	}
}

func TestEmbedFails(t *testing.T) {
	for name, c := range map[string]struct {
		turn llmtest.Turn
		want llm.Class
	}{
		"rate limit":         {llmtest.Turn{Status: 429, RetryAfter: "7"}, llm.RateLimit},
		"key":                {llmtest.Turn{Status: 401}, llm.Auth},
		"too long":           {llmtest.Turn{Status: 400, Body: `{"error":{"message":"This model's maximum context length is 8192 tokens"}}`}, llm.ContextTooLong},
		"too long llama.cpp": {llmtest.Turn{Status: 500, Body: `{"error":{"code":500,"message":"input (900 tokens) is too large to process. increase the physical batch size"}}`}, llm.ContextTooLong},
		"too long Ollama":    {llmtest.Turn{Status: 400, Body: `{"error":{"message":"the input length exceeds the context length"}}`}, llm.ContextTooLong},
	} {
		t.Run(name, func(t *testing.T) {
			server := llmtest.NewEmbeddings(t, 8)
			server.Answer = func(int, *llmtest.EmbeddingsRequest) *llmtest.Turn { return &c.turn }
			_, _, err := llm.OpenAIEmbeddings(llm.OpenAIConfig{Name: "test", BaseURL: server.URL}, "m", 0).Embed(t.Context(), []string{"x"})
			var e *llm.Error
			if !errors.As(err, &e) || e.Class != c.want || c.turn.RetryAfter != "" && e.RetryAfter != 7*time.Second {
				t.Errorf("%v, want the class %s", err, c.want)
			}
		})
	}
}

func TestEmbedRefusesWrongAnswers(t *testing.T) {
	for name, body := range map[string]string{
		"too few":      `{"data":[{"index":0,"embedding":[1,2]}],"usage":{}}`,
		"twice":        `{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}],"usage":{}}`,
		"out of range": `{"data":[{"index":0,"embedding":[1,2]},{"index":2,"embedding":[1,2]}],"usage":{}}`,
		"empty":        `{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[]}],"usage":{}}`,
		"no JSON":      `<html>`,
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, body)
			}))
			defer server.Close()
			_, _, err := llm.OpenAIEmbeddings(llm.OpenAIConfig{Name: "test", BaseURL: server.URL}, "m", 0).Embed(t.Context(), []string{"x", "y"})
			var e *llm.Error
			if !errors.As(err, &e) || e.Class != llm.BadResponse {
				t.Errorf("%v, want a bad response", err)
			}
		})
	}
}
