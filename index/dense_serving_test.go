package index_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ploke-lsp/index"
)

// TestModelChange checks that the old vectors are used until the new ones are complete,
// and that they are not made again when the old model returns.
func TestModelChange(t *testing.T) {
	p := open(t, animals)
	p.update()
	old, changed := newEmbedder("old"), newEmbedder("new")
	p.useEmbedder(old)
	p.embed()
	old.takeSent()
	other := func(space string) index.Embedder {
		if space == "old" {
			return old
		}
		return nil
	}
	changed.fail = func(int) error { return errors.New("broken") }
	p.index.UseEmbedder(changed, other)
	if err := p.index.Embed(t.Context(), index.EmbedOptions{}); err == nil {
		t.Fatal("embedding does not fail")
	}
	hit, signal, _ := p.dense("feline")
	if hit != "zoo/cat.go Purr" || signal == 0 || len(old.sentQueries()) != 1 || len(changed.sentQueries()) != 0 {
		t.Errorf("the old vectors are not used: %q, %v", hit, signal)
	}
	changed.fail = nil
	p.embed()
	if hit, _, _ := p.dense("halt"); hit != "zoo/stop.py Gate::stop" || len(changed.sentQueries()) != 1 || len(changed.takeSent()) != 4 {
		t.Errorf("the new vectors are not used: %q", hit)
	}
	p.index.UseEmbedder(old, nil)
	p.embed()
	equal(t, "sent to the old model again", []string(nil), old.takeSent())
}

// TestLatestModelServes changes to a third model. Until its vectors are complete, searches
// use those that were changed last.
func TestLatestModelServes(t *testing.T) {
	p := open(t, animals)
	p.update()
	models := map[string]*embedder{"a": newEmbedder("a"), "b": newEmbedder("b")}
	path := map[string]string{}
	for name, e := range models {
		p.useEmbedder(e)
		p.embed()
		all, err := filepath.Glob(filepath.Join(p.state, "vectors-*.vec"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range all {
			if !slices.Contains(slices.Collect(maps.Values(path)), file) {
				path[name] = file
			}
		}
	}
	for _, last := range []string{"a", "b"} {
		for name, file := range path {
			at := time.Now().Add(-time.Hour)
			if name == last {
				at = time.Now()
			}
			if err := os.Chtimes(file, at, at); err != nil {
				t.Fatal(err)
			}
		}
		p.index.UseEmbedder(newEmbedder("c"), func(space string) index.Embedder { return models[space] })
		if p.dense("feline " + last); len(models[last].sentQueries()) != 1 {
			t.Errorf("the vectors of %s are not used", last)
		}
	}
}

// TestSlowEmbedder searches without the vector of a query that takes too long.
func TestSlowEmbedder(t *testing.T) {
	p := open(t, animals)
	p.update()
	e := newEmbedder("m")
	p.useEmbedder(e)
	p.embed()
	e.wait = make(chan struct{})
	defer close(e.wait)
	if hit, signal, without := p.dense("feline Bark"); hit != "zoo/dog.go Bark" || signal > 0 || without == "" {
		t.Errorf("with a slow embedder: %q with signal %v, %q", hit, signal, without)
	}
}

// TestEmbedWhileSearching adds ten thousand vectors while searches run and files change.
func TestEmbedWhileSearching(t *testing.T) {
	p := open(t, map[string]string{"dog.go": animals["zoo/dog.go"], "cat.go": animals["zoo/cat.go"]})
	p.update()
	old := newEmbedder("old")
	p.useEmbedder(old)
	p.embed()
	for i := range 100 {
		var text strings.Builder
		text.WriteString("package f\n")
		for j := range 100 {
			fmt.Fprintf(&text, "\nfunc F%d() {\n\tfrobnicate(%d)%s}\n", i*100+j, i, strings.Repeat("\n", 80))
		}
		p.write(fmt.Sprintf("f%03d.go", i), text.String())
	}
	p.write("dog.go", animals["zoo/dog.go"]+"// changed\n")
	p.update()
	if hit, signal, _ := p.dense("Bark"); hit != "dog.go Bark" || signal == 0 {
		t.Errorf("an unchanged symbol has lost its vector: %s, %v", hit, signal)
	}
	e := newEmbedder("new")
	p.index.UseEmbedder(e, func(string) index.Embedder { return old })
	done := make(chan struct{})
	var searching sync.WaitGroup
	searching.Go(func() {
		for n := 0; ; n++ {
			if n%20 == 0 {
				p.write("fish.go", fmt.Sprintf("%s// %d\n", strings.ReplaceAll(animals["zoo/dog.go"], "Bark", "Swim"), n))
				if err := p.index.Refresh(t.Context(), []string{p.path("fish.go")}); err != nil {
					t.Error(err)
				}
			}
			if hit, signal, without := p.dense("Bark"); hit != "dog.go Bark" || signal == 0 || without != "" {
				t.Errorf("search while embedding: %q, %v, %q", hit, signal, without)
				return
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	p.embed()
	close(done)
	searching.Wait()
	if n := len(e.takeSent()); n < 10_000 {
		t.Errorf("%d passages were sent, want at least 10,000", n)
	}
}

// TestOneProcessEmbeds opens two processes: one makes the vectors, and both search them.
func TestOneProcessEmbeds(t *testing.T) {
	p := open(t, animals)
	p.update()
	other, err := index.Open(t.Context(), p.ws, p.options())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	e, its := newEmbedder("m"), newEmbedder("m")
	p.useEmbedder(e)
	other.UseEmbedder(its, nil)
	e.fail = func(int) error { // called while p is embedding
		return other.Embed(t.Context(), index.EmbedOptions{})
	}
	p.embed()
	if len(e.takeSent()) != 4 || len(its.takeSent()) != 0 {
		t.Error("the passages are not all sent by the first process")
	}
	results, err := other.Search(t.Context(), index.Query{Text: "feline"})
	if err != nil || len(results.Hits) == 0 || results.Hits[0].Canon != "Purr" {
		t.Errorf("the other process finds %v, %v", results.Hits, err)
	}
}
