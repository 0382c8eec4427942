package index_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/index"
)

// TestBatches sends long texts in small batches, and equal texts once.
func TestBatches(t *testing.T) {
	files := map[string]string{"a/zoo/cat.go": animals["zoo/cat.go"], "b/zoo/cat.go": animals["zoo/cat.go"]}
	for i := range 8 {
		var text strings.Builder
		for j := range 500 {
			fmt.Fprintf(&text, "line %d of file %d is not like any other\n", j, i)
		}
		files[fmt.Sprintf("long%d.txt", i)] = text.String()
	}
	p := open(t, files)
	p.update()
	e := newEmbedder("m")
	p.useEmbedder(e)
	p.embed()
	if e.largest < 32<<10 || e.largest > 64<<10 {
		t.Errorf("the largest batch has %d bytes", e.largest)
	}
	if sent := e.takeSent(); len(sent) != 65 {
		t.Errorf("%d passages are sent, want 65: %q", len(sent), sent)
	}
}

// TestEmbedIndexedTextOnly changes a file on disk. Its text is not cut before it is
// indexed again.
func TestEmbedIndexedTextOnly(t *testing.T) {
	p := open(t, animals)
	p.update()
	p.write("zoo/cat.go",
		"package zoo\n\n// Before it there is more.\n\n"+
			strings.ReplaceAll(strings.TrimPrefix(animals["zoo/cat.go"], "package zoo\n\n"), "Purr", "Meow"))
	e := newEmbedder("m")
	p.useEmbedder(e)
	p.embed()
	equal(t, "sent before it is indexed", []string{"zoo/dog.go Bark", "zoo/stop.py Gate::other", "zoo/stop.py Gate::stop"}, e.takeSent())
	p.update()
	p.embed()
	equal(t, "sent after it is indexed", []string{"zoo/cat.go Meow"}, e.takeSent())
}

// TestEmbedUnfinished continues an incomplete index. Nothing is sent before the index is
// complete.
func TestEmbedUnfinished(t *testing.T) {
	p := open(t, animals)
	p.update()
	if err := p.index.Close(); err != nil {
		t.Fatal(err)
	}
	alter(t, p, "DELETE FROM meta WHERE key = 'complete'")
	p.open()
	e := newEmbedder("m")
	p.useEmbedder(e)
	p.embed()
	equal(t, "sent before the index is complete", []string(nil), e.takeSent())
	p.update()
	p.embed()
	equal(t, "sent after the index is complete", []string{"zoo/cat.go Purr", "zoo/dog.go Bark", "zoo/stop.py Gate::other", "zoo/stop.py Gate::stop"}, e.takeSent())
}

// TestEmbedPauses pauses the indexing. Nothing is sent until it resumes.
func TestEmbedPauses(t *testing.T) {
	files := map[string]string{}
	for i := range 150 {
		files[fmt.Sprintf("f%03d.go", i)] = fmt.Sprintf("package f\n\nfunc F%d() {\n%s}\n", i, filler(fmt.Sprint("x", i)))
	}
	p := open(t, files)
	p.update()
	e := newEmbedder("m")
	e.fail = func(int) error {
		if p.index.Status().Paused {
			return errors.New("it is paused")
		}
		return nil
	}
	p.useEmbedder(e)
	paused, done := make(chan struct{}), make(chan error)
	go func() {
		done <- p.index.Embed(t.Context(), index.EmbedOptions{Progress: func(n, _ int) {
			if n == 64 {
				p.index.Pause()
				close(paused)
			}
		}})
	}()
	<-paused
	for range 50 { // gives it time to send
		p.dense("x7")
	}
	p.index.Resume()
	if err := <-done; err != nil || len(e.takeSent()) != 150 {
		t.Errorf("after resuming: %v", err)
	}
}

// TestUnusedVectorsAreRemoved checks that the number of vectors of deleted files is
// limited.
func TestUnusedVectorsAreRemoved(t *testing.T) {
	p := open(t, animals)
	for i := range 1200 {
		p.write(fmt.Sprintf("many/f%03d.txt", i), fmt.Sprintf("%d\n%s", i, filler("it")))
	}
	p.update()
	e := newEmbedder("m")
	p.useEmbedder(e)
	size := func() (bytes int64) {
		p.embed()
		all, err := filepath.Glob(filepath.Join(p.state, "vectors-*.vec"))
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		info, err := os.Stat(all[0])
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	whole := size()
	remove := func(from, to int) {
		for i := from; i < to; i++ {
			if err := os.Remove(p.path(fmt.Sprintf("many/f%03d.txt", i))); err != nil {
				t.Fatal(err)
			}
		}
		p.update()
	}
	remove(0, 500)
	if some := size(); some != whole {
		t.Errorf("of %d bytes %d are left, want all: deleted texts may return", whole, some)
	}
	remove(500, 1200)
	if rest := size(); rest > whole/100 {
		t.Errorf("of %d bytes %d are left, want at most 1%%", whole, rest)
	}
	if hit, _, _ := p.dense("feline"); hit != "zoo/cat.go Purr" {
		t.Errorf("found after the removal: %s", hit)
	}
}

// incompleteEmbedder returns too few vectors.
type incompleteEmbedder struct{ *embedder }

func (f incompleteEmbedder) Embed(ctx context.Context, passages []index.Passage) ([][]float32, error) {
	all, err := f.embedder.Embed(ctx, passages)
	return all[1:], err
}

func TestTooFewVectors(t *testing.T) {
	p := open(t, animals)
	p.update()
	p.index.UseEmbedder(incompleteEmbedder{newEmbedder("m")}, nil)
	if err := p.index.Embed(t.Context(), index.EmbedOptions{}); err == nil || !strings.Contains(err.Error(), "3 vectors for 4") {
		t.Errorf("too few vectors: %v", err)
	}
}

// TestFolderRemovedMeanwhile removes a folder while vectors are made for it and another
// one. The other folder gets all of its vectors.
func TestFolderRemovedMeanwhile(t *testing.T) {
	p := open(t, animals)
	second, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(second, "b.go"), []byte("package b\n\nfunc Other() {\n"+filler("other")+"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.index.Close(), p.ws.AddRoot(second)); err != nil {
		t.Fatal(err)
	}
	states := map[string]string{p.root: p.state, second: t.TempDir()}
	p.index, err = index.Open(t.Context(), p.ws, index.Options{Dir: func(root string) string { return states[root] }})
	if err != nil {
		t.Fatal(err)
	}
	p.update()
	e := newEmbedder("m")
	e.fail = func(n int) error {
		if n > 1 {
			return nil
		}
		p.ws.RemoveRoot(second)
		return p.index.RemoveRoot(second)
	}
	p.useEmbedder(e)
	p.embed()
	if hit, _, _ := p.dense("feline"); hit != "zoo/cat.go Purr" {
		t.Errorf("found in the other folder: %q", hit)
	}
}
