package index_test

import (
	"bytes"
	"fmt"
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// netHTTP returns the folder of net/http, a real tree of medium size.
func netHTTP(b *testing.B) string {
	dir := filepath.Join(build.Default.GOROOT, "src", "net", "http")
	if _, err := os.Stat(dir); err != nil {
		b.Fatal(err)
	}
	return dir
}

// BenchmarkExtract parses the files of a tree, and extracts their symbols and references.
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

func openTree(b testing.TB, root, state string) *index.Index {
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

// BenchmarkColdIndex indexes the tree into an empty index.
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

// BenchmarkUnchanged updates the index of an unchanged tree.
func BenchmarkUnchanged(b *testing.B) {
	x := indexed(b, netHTTP(b))
	for b.Loop() {
		if _, err := x.Update(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
}

func indexed(b testing.TB, root string) *index.Index {
	b.Helper()
	x := openTree(b, root, b.TempDir())
	b.Cleanup(func() { x.Close() })
	if _, err := x.Update(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	return x
}

// BenchmarkQueries queries the index of the whole standard library. It also reports the
// times of single queries.
func BenchmarkQueries(b *testing.B) {
	x := indexed(b, filepath.Join(build.Default.GOROOT, "src"))
	b.Run("search", func(b *testing.B) {
		measure(b, strings.Split(strings.TrimSpace(benchmarkQueries), "\n"), func(query string) error {
			results, err := x.Search(b.Context(), index.Query{Text: query})
			if err == nil && len(results.Hits) == 0 {
				err = fmt.Errorf("nothing found for %q", query)
			}
			return err
		})
	})
	for kind, names := range map[string]string{
		"exact":    "ListenAndServe Server.Shutdown ParseDuration Transport.RoundTrip mallocgc Builder::WriteString newproc Reader.Read",
		"misspelt": "ListenAndServ ParseDuraton mallocgcc NewRequestWithContxt marshalIdent Unmarshl Sprinff compileFuncton readRequst goparkunlok DailContext roundTirp scanobjct EncodeToStrin",
		"partial":  "LisAndSer ParseDur mallocg schedul unmarsh HandlerFun gcMark NewRequestWith",
	} {
		b.Run("lookup "+kind, func(b *testing.B) {
			measure(b, strings.Fields(names), func(name string) error {
				found, nearest, err := x.Lookup(b.Context(), index.LookupQuery{Name: name})
				if err == nil && len(found)+len(nearest) == 0 {
					err = fmt.Errorf("nothing found for %q", name)
				}
				return err
			})
		})
	}
}

// BenchmarkIncoming looks for the references to one symbol of each of the most common names of the
// standard library.
func BenchmarkIncoming(b *testing.B) {
	x := indexed(b, filepath.Join(build.Default.GOROOT, "src"))
	x.Settle() // which merges the segments
	for _, name := range strings.Fields("String Type Format copy doChildren") {
		found, _, err := x.Lookup(b.Context(), index.LookupQuery{Name: name})
		if err != nil || len(found) == 0 {
			b.Fatalf("%s is not found: %v", name, err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := x.Overlay(nil).Incoming(b.Context(), found[0]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// measure runs all queries in each round, and reports the times of single queries.
func measure(b *testing.B, queries []string, run func(string) error) {
	var times []time.Duration
	for b.Loop() {
		for _, q := range queries {
			started := time.Now()
			if err := run(q); err != nil {
				b.Fatal(err)
			}
			times = append(times, time.Since(started))
		}
	}
	slices.Sort(times)
	for _, percent := range []int{50, 95} {
		b.ReportMetric(float64(times[len(times)*percent/100].Microseconds()), fmt.Sprintf("µs/p%d", percent))
	}
}

// benchmarkQueries are phrased as people ask, in three to eight words.
const benchmarkQueries = `
how does http.Server shut down gracefully
parse duration string
where are goroutines scheduled
garbage collector write barrier
read gzip header
json decoder unknown fields
TLS handshake client hello
escape analysis of closures
context deadline exceeded error
map iteration order random
slice growth append
select statement runtime implementation
inline function calls in compiler
copy file with sendfile
reverse proxy hop by hop headers
template html escaping attributes
sort stable insertion merge
regular expression backtrack onepass
resolve DNS with search domains
mutex starvation mode
channel send on closed channel panic
type checker generic constraint inference
register allocation spill
symbol relocation in linker
big integer multiplication karatsuba
format floating point shortest decimal
cookie jar public suffix
websocket upgrade hijack connection
HTTP2 flow control window
multipart form file upload limit
walk directory tree skip
atomic file rename windows
environment variable expansion
timer heap per P
stack growth copy stack
defer and recover implementation
finalizer queue goroutine
memory profile sampling rate
trace event buffer
execution tracer user region
cgo callback from C thread
signal handler preemption
syscall table for linux amd64
elliptic curve p256 assembly
RSA key generation prime
sha256 block hash
base64 decoding ignoring newlines
csv reader lazy quotes
xml decoder namespace
gob encode interface type registration
`

// BenchmarkEdit indexes a text again after each insertion of a word, and finds the word.
func BenchmarkEdit(b *testing.B) {
	src := filepath.Join(build.Default.GOROOT, "src")
	for _, of := range []struct{ name, dir, file string }{
		{"1000 lines", "net/http", "client.go"}, {"10000 lines", "runtime", "malloc_generated.go"},
	} {
		b.Run(of.name, func(b *testing.B) {
			dir := filepath.Join(src, filepath.FromSlash(of.dir))
			path := filepath.Join(dir, of.file)
			text, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			x := indexed(b, dir)
			random := rand.New(rand.NewPCG(1, 2))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				from := random.IntN(len(text) * 9 / 10)
				at := from + bytes.IndexByte(text[from:], ' ')
				word := " zqj" + strings.Map(func(digit rune) rune { return digit - '0' + 'a' }, fmt.Sprint(1000+i)) + " "
				typed := slices.Concat(text[:at], []byte(word), text[at:])
				if err := x.SetBuffer(b.Context(), path, typed); err != nil {
					b.Fatal(err)
				}
				found, err := x.Search(b.Context(), index.Query{Text: word})
				if err != nil || len(found.Hits) == 0 || found.Hits[0].Path != path {
					b.Fatal("the word is not found", err)
				}
			}
		})
	}
}
