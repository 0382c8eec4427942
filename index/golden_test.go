package index_test

import (
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

const (
	goldenFile  = "testdata/standard_library.txt"
	goldenShown = 5  // hits of a query
	goldenHits  = 20 // hits that are searched for an answer
)

// goldenQuery is a query with the symbols that answer it, each as "path canon".
type goldenQuery struct {
	text    string
	answers []string
	hits    []string // best first
}

// TestStandardLibrary searches the Go standard library, and lists the hits, so that a
// person can review what changes. The list is for the version of the library in its
// first line. The minimum quality applies to all versions.
func TestStandardLibrary(t *testing.T) {
	testbed.Long(t)
	golden, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	queries := goldenQueries(string(golden))
	x := openStandardLibrary(t, []string{"/cmd/"})
	for i := range queries {
		q := &queries[i]
		found, err := x.Search(t.Context(), index.Query{Text: q.text, Limit: goldenHits})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range found.Hits {
			q.hits = append(q.hits, h.Rel+" "+h.Canon)
		}
	}
	results, mrr, recall := list(queries)
	if mrr < 0.4 || recall < 0.7 {
		t.Errorf("for %d queries, MRR %.2f and recall@10 %.2f are too low", len(queries), mrr, recall)
	}
	if *rewrite {
		if err := os.WriteFile(goldenFile, []byte(results), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if version, _, _ := strings.Cut(string(golden), ":"); version == "# "+runtime.Version() {
		if diff := cmp.Diff(strings.Split(string(golden), "\n"), strings.Split(results, "\n")); diff != "" {
			t.Errorf("hits differ from %s (-update rewrites it): %s", goldenFile, diff)
		}
	}
}

// openStandardLibrary indexes the library without what exclude matches.
func openStandardLibrary(t *testing.T, exclude []string) *index.Index {
	t.Helper()
	ws, err := workspace.New([]string{filepath.Join(build.Default.GOROOT, "src")}, workspace.Options{Exclude: exclude})
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	x, err := index.Open(t.Context(), ws, index.Options{Dir: func(string) string { return state }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	if _, err := x.Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return x
}

// goldenQueries reads a golden list. Each query is followed by indented lines: its answers
// after their ranks, and its hits after a bar.
func goldenQueries(golden string) (all []goldenQuery) {
	for line := range strings.Lines(golden) {
		line = strings.TrimRight(line, "\n")
		answer, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(answer, "|"):
		case indented:
			_, symbol, _ := strings.Cut(answer, " ")
			q := &all[len(all)-1]
			q.answers = append(q.answers, symbol)
		default:
			all = append(all, goldenQuery{text: line})
		}
	}
	return all
}

// list returns the results, the mean reciprocal rank of the first answer, and the share of
// queries with an answer among the first ten hits.
func list(queries []goldenQuery) (results string, mrr, recall float64) {
	var lines strings.Builder
	one, five := 0.0, 0.0
	each := 1 / float64(len(queries))
	for _, q := range queries {
		fmt.Fprintf(&lines, "\n%s\n", q.text)
		best := goldenHits + 1
		for _, answer := range q.answers {
			rank := "-"
			for i, hit := range q.hits {
				if hit == answer {
					rank, best = fmt.Sprint(i+1), min(best, i+1)
				}
			}
			fmt.Fprintf(&lines, "\t%s %s\n", rank, answer)
		}
		for _, hit := range q.hits[:min(goldenShown, len(q.hits))] {
			fmt.Fprintf(&lines, "\t| %s\n", hit)
		}
		if best <= goldenHits {
			mrr += each / float64(best)
		}
		for _, c := range []struct {
			share *float64
			k     int
		}{{&one, 1}, {&five, 5}, {&recall, 10}} {
			if best <= c.k {
				*c.share += each
			}
		}
	}
	return fmt.Sprintf("# %s: %d questions, MRR %.3f, recall@1 %.3f, @5 %.3f, @10 %.3f\n%s",
		runtime.Version(), len(queries), mrr, one, five, recall, lines.String()), mrr, recall
}
