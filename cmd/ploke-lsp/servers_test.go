package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// startServer starts a server process with an editor on the folder.
func startServer(t *testing.T, state, root string) (*process, *lsptest.Editor) {
	t.Helper()
	p := serve(t, state)
	return p, lsptest.Connect(t, p, lsptest.Options{Roots: []string{root}})
}

// stop has the editor leave in order.
func stop(t *testing.T, p *process, e *lsptest.Editor) {
	t.Helper()
	e.Shutdown()
	if err := p.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// awaitSymbol searches until the symbol is found.
func awaitSymbol(t *testing.T, e *lsptest.Editor, canon string) {
	t.Helper()
	for limit := time.Now().Add(30 * time.Second); !e.Finds(canon); {
		if time.Now().After(limit) {
			t.Fatalf("%s is not found", canon)
		}
	}
}

// manyFiles makes a folder of n files, each with a function File0 and so on.
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

// TestTwoServers has two editors on one folder, each with a server process of
// its own: both search, what one indexes the other finds, and what is typed in
// one is its own.
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
		t.Error("what is typed in one editor is found in the other")
	}

	// The second editor sees no change on disk; its next turn looks for some.
	added := filepath.Join(root, "added.go")
	if err := os.WriteFile(added, []byte("package p\n\nfunc SeenByOne() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	one.DiskChanged(added)
	awaitSymbol(t, one, "SeenByOne")
	two.Ask("where is SeenByOne")
	if !two.Finds("SeenByOne") {
		t.Error("what one server indexed is not found by the other")
	}
	stop(t, first, one)
	awaitSymbol(t, two, "File2")
	stop(t, second, two)
}

// TestSIGKILLWhileIndexing kills a server in the middle of its first indexing:
// another one, which was waiting, takes over.
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
		t.Fatalf("there are too few files to be in the middle of: %+v", at)
	}

	second, two := startServer(t, state, root)
	two.Call(ploke.MethodSearch, ploke.SearchParams{Query: "File0"}, nil) // is answered, whatever there is
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	two.AwaitIndex()
	t.Logf("killed at %+v; the other was ready %v later", at.Progress, time.Since(killed))
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
