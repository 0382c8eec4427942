package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// startServer starts a server process and connects an editor with the folder.
func startServer(t *testing.T, state, root string) (*process, *lsptest.Editor) {
	t.Helper()
	p := serve(t, state)
	return p, lsptest.Connect(t, p, lsptest.Options{Roots: []string{root}})
}

// stop shuts a server down and waits for its process.
func stop(t *testing.T, p *process, e *lsptest.Editor) {
	t.Helper()
	e.Shutdown()
	if err := p.Wait(); err != nil {
		t.Errorf("the server ended with: %v", err)
	}
}

// awaitSymbol searches until the symbol is found.
func awaitSymbol(t *testing.T, e *lsptest.Editor, canon string) {
	t.Helper()
	testbed.Eventually(t, func() bool { return e.Finds(canon) }, func() string { return canon + " is not found" })
}

// manyFiles creates a folder of n files, each with one function: File0, File1, …
func manyFiles(t *testing.T, n int) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := writeFiles(root, n); err != nil {
		t.Fatal(err)
	}
	return root
}

func writeFiles(dir string, n int) error {
	for i := range n {
		text := fmt.Sprintf("package p\n\n// File%d is in file %d.\nfunc File%d(x int) int { return x + %d }\n", i, i, i, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.go", i)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// TestTwoServers connects two editors to two server processes on one folder. They share
// the index, but not the unsaved text.
func TestTwoServers(t *testing.T) {
	state, root := t.TempDir(), manyFiles(t, 3)
	first, one := startServer(t, state, root)
	second, two := startServer(t, state, root)
	for _, e := range []*lsptest.Editor{one, two} {
		e.AwaitIndex()
		awaitSymbol(t, e, "File2")
	}

	path := filepath.Join(root, "file0.go")
	one.OpenText(path, "package p\n\nfunc TypedInOne() {}\n")
	two.OpenText(path, "package p\n\nfunc TypedInTwo() {}\n")
	awaitSymbol(t, one, "TypedInOne")
	awaitSymbol(t, two, "TypedInTwo")
	if one.Finds("TypedInTwo") || two.Finds("TypedInOne") {
		t.Error("one server finds unsaved text of the other's editor")
	}

	// The second editor does not report the change on disk, but its next turn scans.
	added := filepath.Join(root, "added.go")
	if err := os.WriteFile(added, []byte("package p\n\nfunc SeenByOne() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	one.DiskChanged(added)
	awaitSymbol(t, one, "SeenByOne")
	two.Ask("where is SeenByOne")
	if !two.Finds("SeenByOne") {
		t.Error("one server does not find a file that the other indexed")
	}
	stop(t, first, one)
	awaitSymbol(t, two, "File2")
	stop(t, second, two)
}

// TestSIGKILLWhileIndexing kills a server during its first indexing. A second server,
// which was waiting for the lock, then indexes.
func TestSIGKILLWhileIndexing(t *testing.T) {
	const files = 6000
	state, root := t.TempDir(), manyFiles(t, files)
	first, one := startServer(t, state, root)
	one.Await("the indexing", func() bool {
		for _, e := range one.Events() {
			if e.Type == ploke.PartIndex && e.Index.Progress != nil && e.Index.Progress.TotalFiles == files {
				return true
			}
		}
		return false
	})
	one.Call(ploke.MethodIndexPause, nil, nil)
	var at ploke.IndexStatus
	one.Call(ploke.MethodIndexStatus, nil, &at)
	if at.Progress == nil || at.Progress.Files >= files {
		t.Fatalf("the indexing ended before the kill, so the test needs more files: %+v", at)
	}

	second, two := startServer(t, state, root)
	two.Call(ploke.MethodSearch, ploke.SearchParams{Query: "File0"}, nil) // must not wait for the lock
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	two.AwaitIndex()
	t.Logf("killed at %+v; the second server was ready %v later", at.Progress, time.Since(killed))
	for _, i := range []int{0, files / 2, files - 1} {
		if canon := fmt.Sprintf("File%d", i); !two.Finds(canon) {
			t.Errorf("%s is not found", canon)
		}
	}
	var status ploke.IndexStatus
	two.Call(ploke.MethodIndexStatus, nil, &status)
	if status.Files != files {
		t.Errorf("the index holds %d files; want %d", status.Files, files)
	}
	_ = first.Wait()
	stop(t, second, two)
}
