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

// zoo returns an archive of a workspace that does not contain the word "feline".
func zoo() string {
	var b strings.Builder
	for _, animal := range []string{"cat", "dog", "fish"} {
		fmt.Fprintf(&b, "-- zoo/%s.go --\npackage zoo\n\n// %s feeds it.\nfunc %[2]s() {\n%s}\n", animal, strings.ToUpper(animal[:1])+animal[1:],
			strings.Repeat("\tuse("+animal+")\n", 12))
	}
	fmt.Fprintf(&b, "-- zoo/door.go --\npackage zoo\n\n// Door opens.\nfunc Door() {\n%s\tlogin(\"AKIAIOSFODNN7EXAMPLE\")\n}\n",
		strings.Repeat("\tuse(door)\n", 12))
	fmt.Fprintf(&b, "-- secret.go --\npackage secret\n\nfunc Ignored() {\n%s}\n-- .gitignore --\nsecret.go\n",
		strings.Repeat("\tignored()\n", 20))
	return b.String()
}

// useEmbeddings configures a server that makes vectors, for which "feline" is a synonym
// of "cat".
func (f *fixture) useEmbeddings(model, more string) *llmtest.Embeddings {
	server := llmtest.NewEmbeddings(f.t, 256)
	server.Synonyms = map[string]string{"feline": "cat"}
	f.configureEmbeddings(server, model, more)
	return server
}

func (f *fixture) configureEmbeddings(server *llmtest.Embeddings, model, more string) {
	f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil,
		`{"providers": {"home": {"type": "openai", "baseUrl": %q, "models": {"m": {"price": {"in": 100}}}}}, "index": {"embeddings": `+
			`{"provider": "home", "model": %q%s}}}`,
		server.URL, model, more))}
}

func newZoo(t testing.TB) *fixture {
	f := newFixture(t)
	f.root = unpack(t, zoo())
	return f
}

// manyFunctions returns an archive of n files with one function each, which are long enough
// to get a vector.
func manyFunctions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "-- f%d.go --\npackage f\n\nfunc F%d() {\n%s}\n", i, i, strings.Repeat(fmt.Sprintf("\tuse(word%d)\n", i), 10))
	}
	return b.String()
}

// awaitVectors waits until the status of the vectors has the given state.
func awaitVectors(e *lsptest.Editor, state ploke.EmbeddingState) (st *ploke.EmbeddingStatus) {
	e.Await("vectors that are "+string(state), func() bool {
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

// finds reports whether the best result for a query is the symbol canon.
func finds(e *lsptest.Editor, query, canon string) bool {
	result := find(e, query)
	return len(result.Results) > 0 && result.Results[0].Canon == canon
}

// TestVectorsOverTheWire checks which text is sent to the embedding model, the entries of
// the ledger, and that searches use the vectors.
func TestVectorsOverTheWire(t *testing.T) {
	f := newZoo(t)
	server := f.useEmbeddings("m", `, "passagePrefix": "p: ", "queryPrefix": "q: "`)
	e := f.startIndexed()
	awaitVectors(e, ploke.EmbeddingReady)
	if !finds(e, "feline", "Cat") {
		t.Errorf("a synonym does not find Cat: %+v", find(e, "feline"))
	}
	sent := strings.Join(server.Texts(), "\n")
	for text, want := range map[string]bool{"p: zoo/cat.go Cat\n// Cat feeds it.": true, "q: feline": true, "ignored": false,
		"AKIAIOSFODNN7EXAMPLE": false, "login(": true} {
		if strings.Contains(sent, text) != want {
			t.Errorf("%q was sent: %v, want %v; all sent text: %s", text, !want, want, sent)
		}
	}
	var ledger ploke.LedgerResult
	e.Call(ploke.MethodLedger, nil, &ledger)
	if len(ledger.Entries) != 2 || ledger.Entries[0].Secrets != 1 || ledger.Entries[0].Host == "" || ledger.Today == 0 {
		t.Fatalf("the ledger is %+v", ledger)
	}
	var files []string
	for _, file := range ledger.Entries[0].Files {
		files = append(files, fmt.Sprintf("%s %d-%d %v", strings.TrimPrefix(file.Path, f.root), file.StartLine, file.EndLine, file.Range != nil))
	}
	slices.Sort(files)
	if want := []string{"/zoo/cat.go 3-17 true", "/zoo/dog.go 3-17 true", "/zoo/door.go 3-18 false", "/zoo/fish.go 3-17 true"}; !slices.Equal(files, want) {
		t.Errorf("the ledger lists the files %q, want %q", files, want)
	}
	requests := len(server.Requests())
	f.write("zoo/cat.go", "package zoo\n\n// Lion is bigger.\nfunc Lion() {\n"+strings.Repeat("\tuse(lion)\n", 12)+"}\n")
	e.DiskChanged(f.path("zoo/cat.go"))
	e.Await("the vector of the changed function", func() bool { return len(server.Requests()) > requests })
	if last := server.Texts(); !strings.HasPrefix(last[len(last)-1], "p: zoo/cat.go Lion\n") || len(last) != 6 {
		t.Errorf("the sent texts are %q", last)
	}
}

// TestVectorsAreOff checks that without settings nothing is sent.
func TestVectorsAreOff(t *testing.T) {
	f := newZoo(t)
	server := f.useEmbeddings("m", "")
	f.Config = nil
	e := f.startIndexed()
	if st := status(e); st.Embedding != nil || finds(e, "feline", "Cat") || len(server.Requests()) > 0 {
		t.Errorf("%+v", st)
	}
}

// TestVectorsResume uses an endpoint that limits the rate and then fails. The next server
// makes only the missing vectors.
func TestVectorsResume(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.root = unpack(t, manyFunctions(100))
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
		t.Error("a text was sent twice, or not at all")
	}
}

// TestVectorsOfAReplacedModel names another model after the first one has failed. The new
// model is used at once.
func TestVectorsOfAReplacedModel(t *testing.T) {
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
	e.Ask("where is the cat fed?") // a turn reads the settings file again
	awaitVectors(e, ploke.EmbeddingReady)
	if !finds(e, "feline", "Cat") {
		t.Error("searches don't use the vectors of the new model")
	}
}

// TestVectorsCancelled cancels the progress. The vectors that were made are kept, and the
// others are made after the person has resumed.
func TestVectorsCancelled(t *testing.T) {
	t.Parallel()
	const title = "ploke: making vectors"
	f := newFixture(t)
	f.root = unpack(t, manyFunctions(100))
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
	values := e.AwaitProgressEnd(title)
	if last := values[len(values)-1].Message; !strings.Contains(last, "kept") {
		t.Errorf("the progress ends with %q", last)
	}
	gate.Open()
	f.write("new.go", "package f\n\nfunc Newcomer() {\n"+strings.Repeat("\tuse(new)\n", 12)+"}\n")
	e.DiskChanged(f.path("new.go"))
	e.Await("the new function", func() bool { return e.Finds("Newcomer") })
	for range 20 { // gives the server time to send something
		find(e, "word7")
	}
	sent := len(server.Requests())
	e.Call(ploke.MethodIndexResume, nil, nil)
	awaitVectors(e, ploke.EmbeddingReady)
	all := server.Requests()
	if sent > 2 || len(all[0].Input) != 64 || len(all[len(all)-1].Input) != 37 {
		t.Errorf("%d requests before the resumption, %d in total", sent, len(all))
	}
}

// TestVectorsAboveTheBudget checks that the server asks for permission if the cost exceeds
// the budget, and sends nothing without it.
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
	if !strings.Contains(question, "tokens of this workspace's code to home/m, for about $0.0") ||
		!strings.Contains(st.Error, "index.embeddings.budget") {
		t.Errorf("the question is %q, then %+v", question, st)
	}
	if n := len(server.Requests()); n > 0 || len(asked) > 0 {
		t.Errorf("%d requests and %d more questions, want none", n, len(asked))
	}
	e.Shutdown()
	answer = "allowAlways"
	e = f.start(options)
	awaitVectors(e, ploke.EmbeddingReady)
	if !finds(e, "feline", "Cat") || len(asked) != 1 {
		t.Error("the vectors are not made, although the person has allowed it")
	}
	e.Shutdown()
	e = f.start(options)
	awaitVectors(e, ploke.EmbeddingReady)
	if len(asked) != 1 {
		t.Error("the server asks for permission although no vectors are missing")
	}
}

// TestVectorsOfAnotherModel checks that searches use the old vectors until the new ones are
// ready. A changed queryPrefix applies to the old vectors only if the model is the same.
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
				t.Error("searches don't use the old vectors")
			}
			if texts := server.Texts(); texts[len(texts)-1] != query {
				t.Errorf("the query text is %q, want %q", texts[len(texts)-1], query)
			}
			gate.Open()
			awaitVectors(e, ploke.EmbeddingReady)
			if !finds(e, "a feline", "Cat") {
				t.Error("searches don't use the new vectors")
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

// TestVectorsWithoutTheirServer uses an endpoint that fails. Searches then compare only
// words, and report that.
func TestVectorsWithoutTheirServer(t *testing.T) {
	f := newZoo(t)
	server := f.useEmbeddings("m", "")
	e := f.startIndexed()
	awaitVectors(e, ploke.EmbeddingReady)
	server.Answer = func(int, *llmtest.EmbeddingsRequest) *llmtest.Turn { return &llmtest.Turn{Status: 503} }
	result := find(e, "cat")
	if len(result.Results) == 0 || result.Results[0].Canon != "Cat" || !strings.Contains(result.WithoutVectors, "HTTP 503") {
		t.Errorf("the result is %+v", result)
	}
}
