package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// embedding is an embedder of an engine, at a server that answers as the test wants.
func embedding(t *testing.T, limits Limits,
	answer func(n int, r *llmtest.EmbeddingsRequest) *llmtest.Turn) (*harness, index.Embedder, *llmtest.Embeddings) {
	t.Helper()
	h := start(t, tools.New(tools.Deps{}), func(o *Options) { o.Limits = limits })
	server := llmtest.NewEmbeddings(t, 64)
	server.Answer = answer
	return h, h.Embedder(Embedding{
		Model: func(context.Context) (*llm.Embeddings, error) {
			return llm.OpenAIEmbeddings(llm.OpenAIConfig{Name: "home", BaseURL: server.URL}, "vectors", 0), nil
		},
		Space: "a space", PassagePrefix: "passage: ", QueryPrefix: "query: ", Price: &llm.Price{In: 1000},
	}), server
}

func passages(texts ...string) (all []index.Passage) {
	for i, text := range texts {
		all = append(all, index.Passage{Path: "/w/x.go", StartLine: 10 * i, EndLine: 10*i + strings.Count(text, "\n"), Title: "x.go X",
			Text: text})
	}
	return all
}

// TestPassagesHideTheSecretsOfTheirFiles sends a passage from the middle of a key, with a
// token in the name of its file. The model takes only short texts, so that it is cut.
func TestPassagesHideTheSecretsOfTheirFiles(t *testing.T) {
	lines := keyLines(20, 60)
	_, e, server := embedding(t, Limits{}, func(_ int, r *llmtest.EmbeddingsRequest) *llmtest.Turn {
		if len(r.Input[0]) > 600 {
			return &llmtest.Turn{Status: 400, Body: `{"error":{"message":"the input length exceeds the context length"}}`}
		}
		return nil
	})
	token := "ghp_" + strings.Repeat("aB3x", 9)
	p := index.Passage{Path: "/w/x.txt", StartLine: 3, EndLine: 22, Title: token + ".txt", Text: strings.Join(lines, "\n"), Secrets: lines}
	if _, err := e.Embed(t.Context(), []index.Passage{p}); err != nil {
		t.Fatal(err)
	}
	sent := strings.Join(server.Texts(), "\n")
	if shown := leaked(sent, append(lines, token)); len(shown) > 0 || !placeholder.MatchString(sent) {
		t.Errorf("%q is shown: %s", shown, sent)
	}
}

// TestEmbeddingIsInTheLedger sends passages and a query: without secrets, each in the
// ledger with its place, and with what it has cost.
func TestEmbeddingIsInTheLedger(t *testing.T) {
	h, e, server := embedding(t, Limits{}, nil)
	const secret = "AKIAIOSFODNN7EXAMPLE"
	all := passages("func a() {}\n", "key := \""+secret+"\"\n")
	vectors, err := e.Embed(t.Context(), all)
	if err != nil || len(vectors) != 2 || len(vectors[0]) != 64 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	if _, err := e.EmbedQuery(t.Context(), "where is "+secret); err != nil {
		t.Fatal(err)
	}
	texts := server.Texts()
	if texts[0] != "passage: x.go X\nfunc a() {}\n" || !strings.HasPrefix(texts[2], "query: where is ") {
		t.Errorf("sent: %q", texts)
	}
	if strings.Contains(strings.Join(texts, ""), secret) {
		t.Errorf("a secret was sent: %q", texts)
	}
	entries, err := h.Ledger(t.Context(), LedgerQuery{})
	if err != nil || len(entries) != 2 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	sent, query := entries[0], entries[1]
	if sent.Provider != "home" || sent.Host == "" || sent.Model != "vectors" || sent.Bytes != len(texts[0])+len(texts[1]) ||
		sent.Secrets != 1 ||
		sent.Usage.In == 0 || sent.Usage.Cost == 0 || query.Bytes != len(texts[2]) || query.Secrets != 1 || len(query.Files) != 0 {
		t.Errorf("the ledger says %+v and %+v", sent, query)
	}
	want := []SentFile{{"/w/x.go", 0, 1, 12, hashOf("func a() {}\n")}, {"/w/x.go", 10, 11, len(texts[1]) - len("passage: x.go X\n"), hashOf(strings.TrimPrefix(texts[1], "passage: x.go X\n"))}}
	if !slices.Equal(sent.Files, want) {
		t.Errorf("files: %+v, want %+v", sent.Files, want)
	}
}

// TestEmbeddingRetries checks that a request is repeated after the delay that the
// server asks for, and not after permanent errors.
func TestEmbeddingRetries(t *testing.T) {
	for name, c := range map[string]struct {
		turns []llmtest.Turn // then all is well
		slept []time.Duration
		class llm.Class // of the failure, if it is one
	}{
		"rate limit":      {[]llmtest.Turn{{Status: 429, RetryAfter: "7"}, {Status: 429, RetryAfter: "9"}}, []time.Duration{7 * time.Second, 9 * time.Second}, ""},
		"overloaded":      {[]llmtest.Turn{{Status: 503}}, []time.Duration{0}, ""},
		"a wrong key":     {[]llmtest.Turn{{Status: 401}}, nil, llm.Auth},
		"a long rest":     {[]llmtest.Turn{{Status: 429, RetryAfter: "3600"}}, nil, llm.RateLimit},
		"always too much": {slices.Repeat([]llmtest.Turn{{Status: 429}}, 20), make([]time.Duration, embeddingRetries), llm.RateLimit},
	} {
		t.Run(name, func(t *testing.T) {
			h, e, _ := embedding(t, Limits{}, func(n int, _ *llmtest.EmbeddingsRequest) *llmtest.Turn {
				if n > len(c.turns) {
					return nil
				}
				return &c.turns[n-1]
			})
			_, err := e.Embed(t.Context(), passages("x"))
			var failed *llm.Error
			if errors.As(err, &failed) && failed.Class != c.class || (err != nil) != (c.class != "") {
				t.Errorf("it ends with %v, want %q", err, c.class)
			}
			if len(h.slept) != len(c.slept) {
				t.Fatalf("it waited %v, want %v", h.slept, c.slept)
			}
			for i, d := range h.slept {
				if c.slept[i] > 0 && d != c.slept[i] {
					t.Errorf("it waited %v, want %v", h.slept, c.slept)
				}
			}
			if _, err := e.EmbedQuery(t.Context(), "x"); (err != nil) != (name == "always too much") || len(h.slept) != len(c.slept) {
				t.Errorf("a query waits or fails: %v, %v", err, h.slept)
			}
		})
	}
}

// TestEmbeddingTooLong halves a batch that is too large for the server, and at last a
// text.
func TestEmbeddingTooLong(t *testing.T) {
	h, e, server := embedding(t, Limits{}, func(_ int, r *llmtest.EmbeddingsRequest) *llmtest.Turn {
		if len(strings.Join(r.Input, "")) > 100 {
			return &llmtest.Turn{Status: 400, Body: `{"error":{"message":"too many tokens"}}`}
		}
		return nil
	})
	texts := []string{"short", strings.Repeat("größe\n", 40), "also short"}
	vectors, err := e.Embed(t.Context(), passages(texts...))
	if err != nil || len(vectors) != 3 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	for i, v := range vectors {
		sent := "passage: x.go X\n" + texts[i]
		if i == 1 {
			sent = "passage: x.go X\n" + texts[i][:len(texts[i])/4]
		}
		if !slices.Equal(v, server.Vector(sent, 64)) {
			t.Errorf("the vector of text %d is another's", i)
		}
	}
	entries, err := h.Ledger(t.Context(), LedgerQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		last := entry.Files[len(entry.Files)-1]
		if lines := last.Bytes / len("größe\n"); last.StartLine == 10 && last.EndLine != 10+lines && last.EndLine != 9+lines {
			t.Errorf("%d bytes are lines %d to %d in the ledger", last.Bytes, last.StartLine, last.EndLine)
		}
	}
}

// TestEmbeddingReservesTheBudget sends no request that could exceed the budget
// together with the running ones. A finished request counts by its actual cost.
func TestEmbeddingReservesTheBudget(t *testing.T) {
	gate := llmtest.NewGate()
	_, e, _ := embedding(t, Limits{DailyCost: 0.02}, func(n int, _ *llmtest.EmbeddingsRequest) *llmtest.Turn {
		if n == 1 {
			return &llmtest.Turn{Hold: gate}
		}
		return nil
	})
	const text = "func a() { return something }" // 0.015 dollars at most, 0.011 in the end
	done := make(chan error)
	go func() {
		_, err := e.Embed(t.Context(), passages(text))
		done <- err
	}()
	reached(t, gate)
	var limit *limitError
	if _, err := e.Embed(t.Context(), passages("x")); !errors.As(err, &limit) {
		t.Errorf("while another is under way: %v", err)
	}
	gate.Open()
	if err := testbed.Receive(t, done, "the first embedding"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), passages("x")); err != nil {
		t.Errorf("once it has ended: %v", err)
	}
}

// TestEmbeddingRefusedKey resolves the key again only after it was rejected.
func TestEmbeddingRefusedKey(t *testing.T) {
	h := start(t, tools.New(tools.Deps{}), nil)
	server := llmtest.NewEmbeddings(t, 64)
	server.Answer = func(n int, r *llmtest.EmbeddingsRequest) *llmtest.Turn {
		if r.Header.Get("Authorization") == "Bearer key 1" {
			return &llmtest.Turn{Status: 401}
		}
		return nil
	}
	found := 0
	e := h.Embedder(Embedding{Space: "a space", Model: func(context.Context) (*llm.Embeddings, error) {
		found++
		return llm.OpenAIEmbeddings(llm.OpenAIConfig{Name: "home", BaseURL: server.URL, APIKey: fmt.Sprint("key ", found)}, "vectors", 0), nil
	}})
	if _, err := e.EmbedQuery(t.Context(), "x"); err == nil {
		t.Error("a key that is refused does")
	}
	for range 2 {
		if _, err := e.EmbedQuery(t.Context(), "x"); err != nil || found != 2 {
			t.Errorf("then: %v, and %d keys were looked for", err, found)
		}
	}
}

// TestEmbeddingKeepsToTheDaysBudget sends no request that may cost more than the rest
// of the budget.
func TestEmbeddingKeepsToTheDaysBudget(t *testing.T) {
	h, e, server := embedding(t, Limits{DailyCost: 0.05}, nil)
	if _, err := e.Embed(t.Context(), passages("func a() {}")); err != nil {
		t.Fatal(err)
	}
	_, err := e.Embed(t.Context(), passages(strings.Repeat("func a() {}\n", 20)))
	var limit *limitError
	if !errors.As(err, &limit) || len(server.Requests()) != 1 {
		t.Errorf("%v after %d requests", err, len(server.Requests()))
	}
	if spent, _, err := h.Spent(t.Context()); err != nil || spent == 0 || spent > 0.05 {
		t.Errorf("spent: %v, %v", spent, err)
	}
}
