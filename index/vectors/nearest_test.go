package vectors_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"ploke-lsp/index/vectors"
	"ploke-lsp/internal/testbed"
)

func nearest(t testing.TB, s *vectors.Set, query []float32, n int) []vectors.Match {
	t.Helper()
	near, err := s.Nearest(query, n)
	if err != nil {
		t.Fatal(err)
	}
	return near
}

func exact(a, b []float32) float64 {
	var dot, x, y float64
	for i := range a {
		dot, x, y = dot+float64(a[i])*float64(b[i]), x+float64(a[i])*float64(a[i]), y+float64(b[i])*float64(b[i])
	}
	return dot / math.Sqrt(x*y)
}

// TestNearest compares the result with exact cosines of the original vectors.
func TestNearest(t *testing.T) {
	testbed.Long(t)
	r := rand.New(rand.NewPCG(1, 2))
	for _, dimensions := range []int{3, 64, 100, 768} {
		t.Run(fmt.Sprint(dimensions), func(t *testing.T) {
			s := open(t, filepath.Join(t.TempDir(), "set"))
			keys, all := directions(r, 2000, dimensions)
			add(t, s, keys, all)
			query := make([]float32, dimensions)
			for d := range query { // near one of the vectors
				query[d] = all[17][d] + float32(r.NormFloat64())
			}
			order := make([]int, len(all))
			for i := range order {
				order[i] = i
			}
			slices.SortFunc(order, func(a, b int) int {
				if exact(query, all[a]) > exact(query, all[b]) {
					return -1
				}
				return 1
			})
			near, missing := nearest(t, s, query, 20), 0
			for _, i := range order[:10] {
				at := slices.IndexFunc(near, func(n vectors.Match) bool { return n.Key == key(i) })
				if at < 0 {
					missing++
				} else if want := exact(query, all[i]); math.Abs(near[at].Cosine-want) > 0.02 {
					t.Errorf("the cosine of %d is %.3f, want %.3f", i, near[at].Cosine, want)
				}
			}
			if missing > 1 {
				t.Errorf("%d of the 10 nearest vectors are not among the 20 results", missing)
			}
		})
	}
}

func BenchmarkNearest(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := open(b, filepath.Join(b.TempDir(), "set"))
			r := rand.New(rand.NewPCG(9, 10))
			for at := 0; at < n; at += 1000 {
				keys, all := directions(r, 1000, 768)
				for i := range keys {
					keys[i] = key(at + i)
				}
				add(b, s, keys, all)
			}
			_, queries := directions(r, 16, 768)
			for i := 0; b.Loop(); i++ {
				nearest(b, s, queries[i%len(queries)], 100)
			}
		})
	}
}

// What was sampled before vectors came or went says nothing about them.
func TestZScoresFollowTheSet(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	path := filepath.Join(t.TempDir(), "vectors")
	s := open(t, path)
	keys, all := directions(r, 600, 64)
	query := all[0]
	add(t, s, keys[:20], all[:20])
	nearest(t, s, query, 5)
	for _, step := range []struct {
		name   string
		change func()
	}{
		{"added", func() { add(t, s, keys[20:], all[20:]) }},
		{"removed", func() {
			if err := s.Vacuum(func(k vectors.Key) bool { return k[0]%2 == 0 }); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		step.change()
		got, want := nearest(t, s, query, 5), nearest(t, open(t, path), query, 5)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the set finds %v, and the same set that was opened now %v", step.name, got, want)
		}
	}
}
