package index_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/index/query"
)

// BenchmarkDense measures what 100,000 vectors of 768 dimensions add to the time of a
// search, without the endpoint, and to the memory.
func BenchmarkDense(b *testing.B) {
	const files, functions, dimensions = 1000, 100, 768
	p := open(b, nil)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range files {
		var text strings.Builder
		text.WriteString("package p\n")
		for j := range functions {
			fmt.Fprintf(&text, "\n// Do%d handles word%d and word%d.\nfunc Do%[1]d() {\n%[4]s}\n", i*functions+j, r.IntN(5000), r.IntN(5000),
				filler(fmt.Sprint("thing", r.IntN(5000))))
		}
		p.write(fmt.Sprintf("d%d/f%d.go", i%50, i), text.String())
	}
	p.update()
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / (1 << 20)
	}
	before := heap()
	e := newEmbedder("m")
	e.vector = func(text string) []float32 {
		r, v := rand.New(rand.NewChaCha8(sha256.Sum256([]byte(text)))), make([]float32, dimensions)
		for i := range v {
			v[i] = r.Float32() - 0.5
		}
		return v
	}
	p.useEmbedder(e)
	p.embed()
	e.takeSent()
	search := func(without ...query.Channel) int {
		found, err := p.index.Search(b.Context(), index.Query{Text: "where is word17 handled, and thing23 used", Without: without})
		if err != nil {
			b.Fatal(err)
		}
		return len(found.Hits)
	}
	search()
	more := heap() - before
	b.Run("with", func(b *testing.B) {
		for b.Loop() {
			search()
		}
		b.ReportMetric(more, "heap-MB")
	})
	b.Run("without", func(b *testing.B) {
		for b.Loop() {
			search(query.DenseChannel)
		}
	})
}
