package index_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
)

// TestPause pauses a running update. The update stops, another process does the remaining
// work, and nothing is done twice.
func TestPause(t *testing.T) {
	const files = 400
	p := open(t, nil)
	for n := range files {
		p.write(fmt.Sprintf("f%d.go", n), fmt.Sprintf("package p\nfunc Name%d() {}\n", n))
	}
	other, err := index.Open(t.Context(), p.ws, p.options())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	paused := make(chan struct{})
	pause := sync.OnceFunc(func() { p.index.Pause(); close(paused) })
	done := make(chan *index.Stats)
	go func() {
		defer close(done)
		stats, err := p.index.Update(t.Context(), func(at index.Progress) {
			if at.Files > 0 {
				pause()
			}
		})
		if err != nil {
			t.Error(err)
		}
		done <- stats
	}()
	<-paused
	if st := p.index.Status(); st.State != index.Paused || !st.Paused {
		t.Errorf("the state is %+v", st)
	}
	stats, err := other.Update(t.Context(), nil)
	if err != nil || stats.Files != files || stats.ParsedFiles == files {
		t.Errorf("the other process: %+v, %v", stats, err)
	}
	if err := p.index.SetBuffer(t.Context(), p.path("typed.go"), []byte("package p\nfunc Typed() {}\n")); err != nil {
		t.Fatal(err)
	}
	equal(t, "typed while paused", "typed.go Typed", p.search("Typed")[0])
	select {
	case <-done:
		t.Error("the update did not wait")
	default:
	}
	p.index.Resume()
	if stats := <-done; stats == nil || stats.Files != files {
		t.Errorf("after the pause: %+v", stats)
	}
	if st := p.index.Status(); st.State != index.Ready || st.Paused || st.Progress != nil {
		t.Errorf("the state is %+v", st)
	}
}

// TestFilesBesideOpenOnesComeFirst pauses the first update early. A file in the folder of an open document is found then,
// although it comes last by its path.
func TestFilesBesideOpenOnesComeFirst(t *testing.T) {
	p := open(t, nil)
	for n := range 400 {
		p.write(fmt.Sprintf("f%d.go", n), fmt.Sprintf("package p\nfunc Name%d() {}\n", n))
	}
	p.write("z/near.go", "package z\nfunc Near() {}\n")
	p.write("z/open.go", "package z\n")
	p.ws.SetBuffer(p.path("z/open.go"), 1, []byte("package z\n"))
	paused := make(chan struct{})
	pause := sync.OnceFunc(func() { p.index.Pause(); close(paused) })
	var updating sync.WaitGroup
	updating.Go(func() {
		_, err := p.index.Update(t.Context(), func(at index.Progress) {
			if at.Files > 0 {
				pause()
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-paused
	testbed.Eventually(t, func() bool { return len(p.search("Near")) > 0 },
		func() string { return "the file next to the open one is not found" })
	if slices.Contains(p.search("Name99"), "f99.go Name99") {
		t.Error("everything is indexed")
	}
	p.index.Resume()
	updating.Wait()
}

// TestRebuild checks that Rebuild reads every file, and that the next update reads none.
func TestRebuild(t *testing.T) {
	p := open(t, sample)
	p.update()
	stats, err := p.index.Rebuild(t.Context(), nil)
	if err != nil || stats.ParsedFiles != 4 || stats.Files != 4 {
		t.Errorf("%+v, %v", stats, err)
	}
	if stats := p.update(); stats.ParsedFiles != 0 {
		t.Errorf("the next update parsed %d files", stats.ParsedFiles)
	}
}

// TestIncomplete updates an index that has nothing to read, and one that has.
func TestIncomplete(t *testing.T) {
	p := open(t, nil)
	p.write("a.go", "package p\nfunc A() {}\n")
	update := func() (incomplete bool) {
		t.Helper()
		if _, err := p.index.Update(t.Context(), func(index.Progress) { incomplete = incomplete || p.index.Incomplete() }); err != nil {
			t.Fatal(err)
		}
		if p.index.Incomplete() {
			t.Error("the index is incomplete after an update")
		}
		return incomplete
	}
	if !p.index.Incomplete() {
		t.Error("an index without an update is complete")
	}
	equal(t, "incomplete during the first update", true, update())
	equal(t, "incomplete while nothing has changed", false, update())
	p.write("b.go", "package p\nfunc B() {}\n")
	equal(t, "incomplete while two files are read", false, update())
	for n := range 40 {
		p.write(fmt.Sprintf("f%d.go", n), fmt.Sprintf("package p\nfunc Name%d() {}\n", n))
	}
	equal(t, "incomplete while many files are read", true, update())
}
