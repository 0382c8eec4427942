package index_test

import (
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// netHTTP is a real tree of a middling size.
func netHTTP(b *testing.B) string {
	dir := filepath.Join(build.Default.GOROOT, "src", "net", "http")
	if _, err := os.Stat(dir); err != nil {
		b.Fatal(err)
	}
	return dir
}

// BenchmarkExtract parses the tree's files and finds their symbols and references.
func BenchmarkExtract(b *testing.B) {
	var texts [][]byte
	var size int64
	err := filepath.WalkDir(netHTTP(b), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		texts = append(texts, text)
		size += int64(len(text))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	for b.Loop() {
		for _, text := range texts {
			if _, err := syntax.Parse("go", text); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func openTree(b *testing.B, root, state string) *index.Index {
	b.Helper()
	ws, err := workspace.New([]string{root}, workspace.Options{})
	if err != nil {
		b.Fatal(err)
	}
	x, err := index.Open(b.Context(), ws, index.Options{Dir: func(string) string { return state }})
	if err != nil {
		b.Fatal(err)
	}
	return x
}

// BenchmarkColdIndex indexes the tree from nothing.
func BenchmarkColdIndex(b *testing.B) {
	for b.Loop() {
		x := openTree(b, netHTTP(b), b.TempDir())
		stats, err := x.Update(b.Context(), nil)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(stats.Bytes)
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUnchanged updates the index of the tree when nothing has changed.
func BenchmarkUnchanged(b *testing.B) {
	x := indexed(b)
	for b.Loop() {
		if _, err := x.Update(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
}

func indexed(b *testing.B) *index.Index {
	b.Helper()
	x := openTree(b, netHTTP(b), b.TempDir())
	b.Cleanup(func() { x.Close() })
	if _, err := x.Update(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	return x
}

// BenchmarkSearch asks the indexed tree a question.
func BenchmarkSearch(b *testing.B) {
	x := indexed(b)
	for b.Loop() {
		results, err := x.Search(b.Context(), index.Query{Text: "how does http.Server shut down gracefully"})
		if err != nil || len(results.Hits) == 0 {
			b.Fatal(err)
		}
	}
}

// BenchmarkLookup looks a method up by its address, and a name that is misspelt.
func BenchmarkLookup(b *testing.B) {
	x := indexed(b)
	for _, name := range []string{"Server.Shutdown", "ListenAndServ"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := x.Lookup(b.Context(), index.LookupQuery{Name: name}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
