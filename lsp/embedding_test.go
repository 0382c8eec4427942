package lsp_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// zoo is a workspace in which the word "feline" does not occur.
func zoo() string {
	var b strings.Builder
	for _, animal := range []string{"cat", "dog", "fish"} {
		fmt.Fprintf(&b, "-- zoo/%s.go --\npackage zoo\n\n// %s feeds it.\nfunc %[2]s() {\n%s}\n", animal, strings.ToUpper(animal[:1])+animal[1:], strings.Repeat("\tuse("+animal+")\n", 12))
	}
	fmt.Fprintf(&b, "-- zoo/door.go --\npackage zoo\n\n// Door opens.\nfunc Door() {\n%s\tlogin(\"AKIAIOSFODNN7EXAMPLE\")\n}\n", strings.Repeat("\tuse(door)\n", 12))
	fmt.Fprintf(&b, "-- secret.go --\npackage secret\n\nfunc Ignored() {\n%s}\n-- .gitignore --\nsecret.go\n", strings.Repeat("\tignored()\n", 20))
	return b.String()
}

// useEmbeddings has the settings name a server that makes vectors.
func (f *fixture) useEmbeddings(model, more string) *llmtest.Embeddings {
	server := llmtest.NewEmbeddings(f.t, 256)
	server.Synonyms = map[string]string{"feline": "cat"}
	f.configureEmbeddings(server, model, more)
	return server
}

func (f *fixture) configureEmbeddings(server *llmtest.Embeddings, model, more string) {
	f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil,
		`{"providers": {"home": {"type": "openai", "baseUrl": %q, "models": {"m": {"price": {"in": 100}}}}}, "index": {"embeddings": {"provider": "home", "model": %q%s}}}`,
		server.URL, model, more))}
}

func newZoo(t testing.TB) *fixture {
	f := newFixture(t)
	f.root = unpack(t, zoo())
	return f
}

// awaitVectors waits until the vectors are in a state.
func awaitVectors(e *lsptest.Editor, state string) (st *ploke.EmbeddingStatus) {
	e.Await("vectors that are "+state, func() bool {
		st = status(e).Embedding
		return st != nil && st.State == state
	})
	return st
}

func find(e *lsptest.Editor, query string) *ploke.SearchResult {
	var result ploke.SearchResult
	e.Call(ploke.MethodSearch, &ploke.SearchParams{Query: query}, &result)
	return &result
}

// finds reports whether the best result for a query is a symbol.
func finds(e *lsptest.Editor, query, canon string) bool {
	result := find(e, query)
	return len(result.Results) > 0 && result.Results[0].Canon == canon
}

// TestVectorsOverTheWire goes the whole way: what is sent, what is not, what the ledger
// says of it, and what is found then.
func TestVectorsOverTheWire(t *testing.T) {
	f := newZoo(t)
	server := f.useEmbeddings("m", `, "passagePrefix": "p: ", "queryPrefix": "q: "`)
	e := f.startIndexed()
	awaitVectors(e, ploke.EmbeddingReady)
	if !finds(e, "feline", "Cat") {
		t.Errorf("what is meant is not found: %+v", find(e, "feline"))
	}
	sent := strings.Join(server.Texts(), "\n")
	for text, want := range map[string]bool{"p: zoo/cat.go Cat\n// Cat feeds it.": true, "q: feline": true, "ignored": false, "AKIAIOSFODNN7EXAMPLE": false, "login(": true} {
		if strings.Contains(sent, text) != want {
			t.Errorf("%q was sent: %v, want %v; all: %s", text, !want, want, sent)
		}
	}
	var ledger ploke.LedgerResult
	e.Call(ploke.MethodLedger, nil, &ledger)
	if len(ledger.Entries) != 2 || ledger.Entries[0].Secrets != 1 || ledger.Entries[0].Host == "" || ledger.Today == 0 {
		t.Fatalf("the ledger says %+v", ledger)
	}
	var files []string
	for _, file := range ledger.Entries[0].Files {
		files = append(files, fmt.Sprintf("%s %d-%d %v", strings.TrimPrefix(file.Path, f.root), file.StartLine, file.EndLine, file.Range != nil))
	}
	slices.Sort(files)
	if want := []string{"/zoo/cat.go 3-17 true", "/zoo/dog.go 3-17 true", "/zoo/door.go 3-18 false", "/zoo/fish.go 3-17 true"}; !slices.Equal(files, want) {
		t.Errorf("it lists %q, want %q", files, want)
	}
	requests := len(server.Requests())
	f.write("zoo/cat.go", "package zoo\n\n// Lion is bigger.\nfunc Lion() {\n"+strings.Repeat("\tuse(lion)\n", 12)+"}\n")
	e.DiskChanged(f.path("zoo/cat.go"))
	e.Await("the vector of what was changed", func() bool { return len(server.Requests()) > requests })
	if last := server.Texts(); !strings.HasPrefix(last[len(last)-1], "p: zoo/cat.go Lion\n") || len(last) != 6 {
		t.Errorf("sent in all: %q", last)
	}
}

// TestVectorsAreOff sends nothing where nothing is configured.
func TestVectorsAreOff(t *testing.T) {
	f := newZoo(t)
	server := f.useEmbeddings("m", "")
	f.Config = nil
	e := f.startIndexed()
	if st := status(e); st.Embedding != nil || finds(e, "feline", "Cat") || len(server.Requests()) > 0 {
		t.Errorf("%+v", st)
	}
}

// TestVectorsResume has the endpoint limit the rate, then fail; the next start makes the
// rest, and nothing twice.
func TestVectorsResume(t *testing.T) {
	f := newFixture(t)
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "-- f%d.go --\npackage f\n\nfunc F%d() {\n%s}\n", i, i, strings.Repeat(fmt.Sprintf("\tuse(word%d)\n", i), 10))
	}
	f.root = unpack(t, b.String())
	server := f.useEmbeddings("m", "")
	var healthy atomic.Bool
	server.Answer = func(n int, _ *llmtest.EmbeddingsRequest) *llmtest.Turn {
		switch {
		case n == 1:
			return &llmtest.Turn{Status: http.StatusTooManyRequests, RetryAfter: "0.3"}
		case n > 2 && !healthy.Load():
			return &llmtest.Turn{Status: http.StatusPaymentRequired}
		}
		return nil
	}
	e := f.startIndexed()
	st := awaitVectors(e, ploke.EmbeddingFailed)
	awaitMessage(e, "the vectors for searching by meaning could not be made", "quota")
	if !strings.Contains(st.Error, "credit") || st.Passages != 64 || st.Total != 100 || find(e, "word7").WithoutVectors != "" {
		t.Errorf("the status is %+v", st)
	}
	e.Shutdown()
	healthy.Store(true)
	e = f.startIndexed()
	awaitVectors(e, ploke.EmbeddingReady)
	all := server.Requests()
	if len(all) != 4 || len(all[1].Input) != 64 || len(all[3].Input) != 36 {
		t.Fatalf("%d requests", len(all))
	}
	texts := append(slices.Clone(all[1].Input), all[3].Input...)
	slices.Sort(texts)
	if len(slices.Compact(texts)) != 100 {
		t.Error("something was sent twice, or not at all")
	}
}

// TestVectorsTriedAgain has the person name another model after one has failed: that one does
// not have to wait as the same one would.
func TestVectorsTriedAgain(t *testing.T) {
	f := newZoo(t)
	server := f.useEmbeddings("m", "")
	server.Answer = func(_ int, r *llmtest.EmbeddingsRequest) *llmtest.Turn {
		if r.Model == "m" {
			return &llmtest.Turn{Status: http.StatusPaymentRequired}
		}
		return nil
	}
	path := filepath.Join(t.TempDir(), "config.toml")
	f.Config = append(f.Config, config.OptionalFile(path))
	e := f.startIndexed()
	awaitVectors(e, ploke.EmbeddingFailed)
	if err := os.WriteFile(path, []byte("index.embeddings.model = 'better'"), 0o600); err != nil {
		t.Fatal(err)
	}
	e.Ask("where is the cat fed?") // before which the file is read
	awaitVectors(e, ploke.EmbeddingReady)
	if !finds(e, "feline", "Cat") {
		t.Error("its vectors don't serve")
	}
}

// TestVectorsCancelled has the person cancel the progress: what was made is kept, and the
// rest is made when the person resumes, not before.
func TestVectorsCancelled(t *testing.T) {
	const title = "ploke: making vectors"
	f := newFixture(t)
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "-- f%d.go --\npackage f\n\nfunc F%d() {\n%s}\n", i, i, strings.Repeat(fmt.Sprintf("\tuse(word%d)\n", i), 10))
	}
	f.root = unpack(t, b.String())
	server := f.useEmbeddings("m", "")
	gate := llmtest.NewGate()
	server.Answer = func(n int, _ *llmtest.EmbeddingsRequest) *llmtest.Turn {
		if n == 2 {
			return &llmtest.Turn{Hold: gate}
		}
		return nil
	}
	e := f.startIndexed()
	e.Await("the progress", func() bool { return len(e.ServerProgress(title)) > 0 })
	e.CancelProgress(title)
	e.Await("its end", func() bool {
		values := e.ServerProgress(title)
		last := values[len(values)-1]
		return last.Kind == "end" && strings.Contains(last.Message, "kept")
	})
	gate.Open()
	f.write("new.go", "package f\n\nfunc Newcomer() {\n"+strings.Repeat("\tuse(new)\n", 12)+"}\n")
	e.DiskChanged(f.path("new.go"))
	e.Await("what is new", func() bool { return e.Finds("Newcomer") })
	for range 20 { // which gives it time
		find(e, "word7")
	}
	sent := len(server.Requests())
	e.Call(ploke.MethodIndexResume, nil, nil)
	awaitVectors(e, ploke.EmbeddingReady)
	all := server.Requests()
	if sent > 2 || len(all[0].Input) != 64 || len(all[len(all)-1].Input) != 37 {
		t.Errorf("%d requests before it is resumed, %d in all", sent, len(all))
	}
}

// TestVectorsAboveTheBudget asks first, and sends nothing without leave.
func TestVectorsAboveTheBudget(t *testing.T) {
	f := newZoo(t)
	server := f.useEmbeddings("m", `, "budget": 10`)
	answer, asked := "rejectOnce", make(chan string, 10)
	options := lsptest.Options{OnPermission: func(_ context.Context, title string) string {
		asked <- title
		return answer
	}}
	e := f.start(options)
	e.AwaitIndex()
	st := awaitVectors(e, ploke.EmbeddingFailed)
	question := <-asked
	if !strings.Contains(question, "tokens of this workspace's code to home/m, for about $0.0") || !strings.Contains(st.Error, "index.embeddings.budget") {
		t.Errorf("the question is %q, then %+v", question, st)
	}
	if n := len(server.Requests()); n > 0 || len(asked) > 0 {
		t.Errorf("%d requests, and %d more questions", n, len(asked))
	}
	e.Shutdown()
	answer = "allowAlways"
	e = f.start(options)
	awaitVectors(e, ploke.EmbeddingReady)
	if !finds(e, "feline", "Cat") || len(asked) != 1 {
		t.Error("with leave it does not begin")
	}
	e.Shutdown()
	e = f.start(options)
	awaitVectors(e, ploke.EmbeddingReady)
	if len(asked) != 1 {
		t.Error("it asks though there is nothing to send")
	}
}

// TestVectorsOfAnotherModel lets the old ones serve until the new are there. What is put
// before a query is the old model's only if it is the same one with other settings.
func TestVectorsOfAnotherModel(t *testing.T) {
	for model, query := range map[string]string{"better": "feline", "m": "q: feline"} {
		t.Run(model, func(t *testing.T) {
			f := newZoo(t)
			server := f.useEmbeddings("m", "")
			e := f.startIndexed()
			awaitVectors(e, ploke.EmbeddingReady)
			e.Shutdown()
			gate := llmtest.NewGate()
			server.Answer = func(n int, r *llmtest.EmbeddingsRequest) *llmtest.Turn {
				if n == 2 {
					return &llmtest.Turn{Hold: gate}
				}
				return nil
			}
			f.configureEmbeddings(server, model, `, "dimensions": 128, "queryPrefix": "q: "`)
			e = f.startIndexed()
			<-gate.Reached()
			if !finds(e, "feline", "Cat") {
				t.Error("the old vectors don't serve")
			}
			if texts := server.Texts(); texts[len(texts)-1] != query {
				t.Errorf("the old model is asked for %q, want %q", texts[len(texts)-1], query)
			}
			gate.Open()
			awaitVectors(e, ploke.EmbeddingReady)
			if !finds(e, "a feline", "Cat") {
				t.Error("the new vectors don't serve")
			}
			var requests []string
			for _, r := range server.Requests() {
				requests = append(requests, fmt.Sprintf("%s %d %d", r.Model, r.Dimensions, len(r.Input)))
			}
			if want := []string{"m 0 4", model + " 128 4", "m 0 1", model + " 128 1"}; !slices.Equal(requests, want) {
				t.Errorf("requests: %q, want %q", requests, want)
			}
		})
	}
}

// TestVectorsWithoutTheirServer has the endpoint go: searches find what words find, and
// say so.
func TestVectorsWithoutTheirServer(t *testing.T) {
	f := newZoo(t)
	server := f.useEmbeddings("m", "")
	e := f.startIndexed()
	awaitVectors(e, ploke.EmbeddingReady)
	server.Answer = func(int, *llmtest.EmbeddingsRequest) *llmtest.Turn { return &llmtest.Turn{Status: 503} }
	result := find(e, "cat")
	if len(result.Results) == 0 || result.Results[0].Canon != "Cat" || !strings.Contains(result.WithoutVectors, "HTTP 503") {
		t.Errorf("found %+v", result)
	}
}
