package index_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index"
)

// TestRandomVectors searches with ambiguous words and with vectors that have no meaning.
// The results are as good as without vectors.
func TestRandomVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var words []string
	for _, begin := range strings.Fields("ba ke li mo nu pa re so ti vu wa zy") {
		for _, end := range strings.Fields("bar ken lim mon nur pas rel sot tin vun war zyx") {
			words = append(words, begin+end)
		}
	}
	files, queries := map[string]string{}, map[string]string{}
	for i := range 500 {
		r.Shuffle(len(words), func(a, b int) { words[a], words[b] = words[b], words[a] })
		var body strings.Builder
		for n, word := range words[:8] {
			body.WriteString(strings.Repeat("\tuse("+word+")\n", 1+n%3))
		}
		file, name := fmt.Sprintf("f%03d.go", i), fmt.Sprintf("F%d", i)
		files[file] = "package f\n\nfunc " + name + "() {\n" + body.String() + "}\n"
		if i%5 == 0 {
			queries[file+" "+name] = strings.Join(words[5:9], " ")
		}
	}
	files["long.go"] = "package f\n\nfunc Long() {\n"
	for i := range 500 {
		files["long.go"] += fmt.Sprintf("\tuse(%d, %s)\n", i, strings.Repeat("x", 20))
	}
	files["long.go"] += "}\n"
	p := open(t, files)
	p.update()
	reciprocal := func() (sum float64) {
		for answer, query := range queries {
			results, err := p.index.Search(t.Context(), index.Query{Text: query})
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(results.Hits, func(h index.Hit) bool { return h.Rel+" "+h.Canon == answer })
			if at >= 0 {
				sum += 1 / float64(at+1)
			}
		}
		return sum / float64(len(queries))
	}
	without := reciprocal()
	e := newEmbedder("m")
	e.vector = func(text string) []float32 {
		sum := sha256.Sum256([]byte(text))
		r, v := rand.New(rand.NewChaCha8(sum)), make([]float32, 64)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return v
	}
	p.useEmbedder(e)
	p.embed()
	if with := reciprocal(); with < without-0.02 {
		t.Errorf("MRR is %.3f with random vectors, and %.3f without", with, without)
	}
	var long, one [][]float32 // the vectors of the passages of Long, and of another function
	for _, passage := range e.passages {
		if v := e.vector(passage.Title + "\n" + passage.Text); strings.HasSuffix(passage.Title, " Long") {
			long = append(long, v)
		} else if strings.HasSuffix(passage.Title, " F17") {
			one = append(one, v)
		}
	}
	var queryVector []float32
	e.vector = func(string) []float32 { return queryVector }
	queryVector = one[0]
	if hit, signal, _ := p.dense("what no word says"); hit != "f017.go F17" || signal != 1 {
		t.Errorf("the vector of F17 finds %s with signal %v", hit, signal)
	}
	queryVector = slices.Clone(long[5])
	for _, v := range [][]float32{long[1], long[2], long[7]} {
		for i := range queryVector {
			queryVector[i] += v[i] * 0.7
		}
	}
	if hit, signal, _ := p.dense("nor this"); hit != "long.go Long" || signal < 0.7 {
		t.Errorf("vector near several passages of Long finds %s with signal %v", hit, signal)
	}
}
