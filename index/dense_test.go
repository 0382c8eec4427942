package index_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/index/query"
	"ploke-lsp/session/llm/llmtest"
)

// embedder is an embedder in memory, with the vectors of llmtest.
type embedder struct {
	space  string
	vector func(text string) []float32

	mu       sync.Mutex
	passages []index.Passage
	largest  int // largest batch so far, in bytes
	queries  []string
	fail     func(n int) error // returns the error of the n-th passage, from 1
	wait     chan struct{}     // queries wait for it; nil: they don't wait
}

func newEmbedder(space string) *embedder {
	model := llmtest.Embeddings{Synonyms: map[string]string{"halt": "stop", "feline": "cat"}}
	return &embedder{space: space, vector: func(text string) []float32 { return model.Vector(text, 256) }}
}

func (e *embedder) Space() string { return e.space }

func (e *embedder) Embed(_ context.Context, passages []index.Passage) (all [][]float32, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, p := range passages {
		if e.fail != nil {
			if err := e.fail(len(e.passages) + i + 1); err != nil {
				return nil, err
			}
		}
		all = append(all, e.vector(p.Title+"\n"+p.Text))
	}
	e.passages = append(e.passages, passages...)
	bytes := 0
	for _, p := range passages {
		bytes += len(p.Title) + 1 + len(p.Text)
	}
	e.largest = max(e.largest, bytes)
	return all, nil
}

func (e *embedder) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	e.mu.Lock()
	e.queries = append(e.queries, text)
	wait := e.wait
	e.mu.Unlock()
	if wait != nil {
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return e.vector(text), nil
}

// takeSent returns the titles of the passages that were embedded since the last call.
func (e *embedder) takeSent() (titles []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, p := range e.passages {
		titles = append(titles, p.Title)
	}
	e.passages = nil
	slices.Sort(titles)
	return titles
}

// sentQueries returns the queries so far.
func (e *embedder) sentQueries() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.queries)
}

func (p *project) useEmbedder(e *embedder) { p.index.UseEmbedder(e, nil) }

func (p *project) embed() {
	p.t.Helper()
	if err := p.index.Embed(p.t.Context(), index.EmbedOptions{}); err != nil {
		p.t.Fatal(err)
	}
}

// dense searches, and returns the best hit, its dense signal, and why vectors were not
// used.
func (p *project) dense(text string) (hit string, signal float64, without string) {
	p.t.Helper()
	results, err := p.index.Search(p.t.Context(), index.Query{Text: text})
	if err != nil {
		p.t.Fatal(err)
	}
	if len(results.Hits) == 0 {
		return "", 0, results.WithoutVectors
	}
	h := results.Hits[0]
	return h.Rel + " " + h.Canon, h.Signals["dense"], results.WithoutVectors
}

// filler returns a body that is long enough for a passage of its own.
func filler(word string) string {
	return strings.Repeat("\tuse("+word+")\n", 12)
}

var animals = map[string]string{
	"zoo/cat.go": "package zoo\n\n// Purr is what a cat does.\nfunc Purr() {\n" + filler("cat") + "}\n\nfunc tiny() {}\n",
	"README":     "No passage.\n",
	"zoo/dog.go": "package zoo\n\n// Bark is what a dog does.\nfunc Bark() {\n" + filler("dog") + "}\n",
	"zoo/stop.py": "class Gate:\n    def stop(self):\n" + strings.Repeat("        self.stop_the_thing()\n", 8) + "\n    def other(self):\n" +
		strings.Repeat("        self.paint()\n", 8),
}

// TestDense finds by meaning what shares no words with the query, once all vectors exist.
func TestDense(t *testing.T) {
	p := open(t, animals)
	p.update()
	e := newEmbedder("m")
	if hit, _, _ := p.dense("feline"); hit != "" {
		t.Fatalf("without vectors the query finds %s", hit)
	}
	p.useEmbedder(e)
	if hit, _, without := p.dense("feline"); hit != "" || without != "" || len(e.sentQueries()) > 0 {
		t.Fatalf("before there are vectors: %q, %q, queries %q", hit, without, e.sentQueries())
	}
	p.embed()
	equal(t, "passages", []string{"zoo/cat.go Purr", "zoo/dog.go Bark", "zoo/stop.py Gate::other", "zoo/stop.py Gate::stop"}, e.takeSent())
	for query, want := range map[string]string{"feline": "zoo/cat.go Purr", "halt": "zoo/stop.py Gate::stop"} {
		hit, signal, without := p.dense(query)
		if hit != want || signal <= 0 || signal > 1 || without != "" {
			t.Errorf("%s: %s with %v, %q; want %s", query, hit, signal, without, want)
		}
	}
	results, err := p.index.Search(t.Context(), index.Query{Text: "feline", Without: []query.Channel{query.DenseChannel}})
	if err != nil || len(results.Hits) > 0 {
		t.Errorf("without the channel: %v, %v", results.Hits, err)
	}
	p.embed()
	equal(t, "sent again", []string(nil), e.takeSent())
	p.index.UseEmbedder(nil, nil)
	if hit, _, _ := p.dense("feline"); hit != "" {
		t.Errorf("after vectors were turned off the query finds %s", hit)
	}
}

// TestDenseLexicalFirst checks that the symbol that the query names stays first.
func TestDenseLexicalFirst(t *testing.T) {
	p := open(t, animals)
	p.update()
	p.useEmbedder(newEmbedder("m"))
	p.embed()
	if hit, _, _ := p.dense("where does Bark halt"); hit != "zoo/dog.go Bark" {
		t.Errorf("the best hit is %s", hit)
	}
}

// TestNothingIsEmbeddedTwice changes, moves and copies files, and rebuilds the index.
func TestNothingIsEmbeddedTwice(t *testing.T) {
	p := open(t, animals)
	p.update()
	e := newEmbedder("m")
	p.useEmbedder(e)
	p.embed()
	e.takeSent()
	again := func(what string, want ...string) {
		t.Helper()
		p.useEmbedder(e)
		p.update()
		p.embed()
		equal(t, "sent after "+what, want, e.takeSent())
		if hit, _, without := p.dense("feline"); !strings.HasSuffix(hit, " Purr") || without != "" {
			t.Errorf("after %s the query finds %q, %q", what, hit, without)
		}
	}
	p.write("a/zoo/cat.go", animals["zoo/cat.go"])
	again("a copy")
	if err := os.Remove(p.path("zoo/cat.go")); err != nil {
		t.Fatal(err)
	}
	again("a removal")
	p.write("zoo/stop.py", strings.Replace(animals["zoo/stop.py"], "paint", "varnish", 1))
	again("a change", "zoo/stop.py Gate::other")
	p.write("zoo/stop.py", animals["zoo/stop.py"])
	again("the change was taken back")
	p.reopen()
	again("a new start")
	if err := p.index.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(p.state, "index.db")); err != nil {
		t.Fatal(err)
	}
	p.open()
	again("the loss of index.db")
}

// TestDenseUnsaved edits a file without saving: unchanged symbols keep their vectors.
func TestDenseUnsaved(t *testing.T) {
	p := open(t, animals)
	p.update()
	e := newEmbedder("m")
	p.useEmbedder(e)
	p.embed()
	e.takeSent()
	text := "package zoo\n\n// Typed is new.\nfunc Typed() {}\n\n" + strings.TrimPrefix(animals["zoo/cat.go"], "package zoo\n\n")
	p.ws.SetBuffer(p.path("zoo/cat.go"), 1, []byte(text))
	if err := p.index.SetBuffer(t.Context(), p.path("zoo/cat.go"), []byte(text)); err != nil {
		t.Fatal(err)
	}
	if hit, signal, _ := p.dense("feline"); hit != "zoo/cat.go Purr" || signal == 0 {
		t.Errorf("the unsaved text: found %q with signal %v", hit, signal)
	}
	p.embed()
	equal(t, "sent of unsaved text", []string(nil), e.takeSent())
	text = "package zoo\n"
	p.ws.SetBuffer(p.path("zoo/cat.go"), 2, []byte(text))
	if err := p.index.SetBuffer(t.Context(), p.path("zoo/cat.go"), []byte(text)); err != nil {
		t.Fatal(err)
	}
	if hit, _, _ := p.dense("feline"); strings.HasPrefix(hit, "zoo/cat.go") {
		t.Errorf("found deleted text: %q", hit)
	}
}

// TestEmbedResumes fails halfway. Finished vectors are kept, also after a restart, and are
// not used until all are complete.
func TestEmbedResumes(t *testing.T) {
	files := map[string]string{}
	for i := range 150 {
		files[fmt.Sprintf("f%03d.go", i)] = fmt.Sprintf("package f\n\nfunc F%d() {\n%s}\n", i, filler(fmt.Sprint("x", i)))
	}
	p := open(t, files)
	p.update()
	e := newEmbedder("m")
	broken := errors.New("broken")
	e.fail = func(n int) error {
		if n > 100 {
			return broken
		}
		return nil
	}
	p.useEmbedder(e)
	if err := p.index.Embed(t.Context(), index.EmbedOptions{}); !errors.Is(err, broken) {
		t.Fatalf("error is %v, want that of the embedder", err)
	}
	first := e.takeSent()
	if hit, signal, _ := p.dense("x7"); signal != 0 || len(e.sentQueries()) > 0 {
		t.Errorf("incomplete vectors are used: %s with %v", hit, signal)
	}
	p.index.UseEmbedder(newEmbedder("another"), func(string) index.Embedder { return e })
	if hit, signal, _ := p.dense("x7"); signal != 0 {
		t.Errorf("incomplete vectors are used while another model's are made: %s with %v", hit, signal)
	}
	p.reopen()
	e.fail = nil
	p.useEmbedder(e)
	var estimate index.Estimate
	var done, total int
	err := p.index.Embed(t.Context(), index.EmbedOptions{
		Allow:    func(left index.Estimate) error { estimate = left; return nil },
		Progress: func(d, t int) { done, total = d, t },
	})
	if err != nil {
		t.Fatal(err)
	}
	rest := e.takeSent()
	if len(first) != 64 || len(rest) != 86 || estimate.Passages != 86 || done != 86 || total != 86 || estimate.Bytes < 86*100 {
		t.Errorf("%d sent at first, then %d: %+v, %d of %d", len(first), len(rest), estimate, done, total)
	}
	all := slices.Sorted(slices.Values(append(first, rest...)))
	if len(slices.Compact(all)) != 150 {
		t.Error("something was sent twice")
	}
	if _, signal, _ := p.dense("x7"); signal == 0 {
		t.Error("complete vectors are not used")
	}
}

// TestEmbedAllowed sends nothing that Allow has refused.
func TestEmbedAllowed(t *testing.T) {
	p := open(t, animals)
	p.update()
	e := newEmbedder("m")
	p.useEmbedder(e)
	no := errors.New("no")
	err := p.index.Embed(t.Context(), index.EmbedOptions{Allow: func(index.Estimate) error { return no }})
	if !errors.Is(err, no) || len(e.takeSent()) > 0 {
		t.Errorf("refused: %v", err)
	}
	p.embed()
	if len(e.takeSent()) != 4 {
		t.Error("a later Embed does not send all passages")
	}
	err = p.index.Embed(t.Context(), index.EmbedOptions{Allow: func(index.Estimate) error { return no }})
	if err != nil {
		t.Errorf("Allow is called with nothing to send: %v", err)
	}
}
