package vectors_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"ploke-lsp/index/vectors"
)

const space = "a model"

func open(t testing.TB, path string) *vectors.Set {
	t.Helper()
	s, err := vectors.Open(path, space)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func key(i int) (k vectors.Key) {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64(nil, uint64(i)))
	return vectors.Key(sum[:len(k)])
}

// directions are n vectors around a common one, as models make them.
func directions(r *rand.Rand, n, dimensions int) (keys []vectors.Key, all [][]float32) {
	for i := range n {
		v := make([]float32, dimensions)
		for d := range v {
			v[d] = float32(r.NormFloat64()) + float32(d%7)/20
		}
		keys, all = append(keys, key(i)), append(all, v)
	}
	return keys, all
}

func add(t testing.TB, s *vectors.Set, keys []vectors.Key, all [][]float32) {
	t.Helper()
	if err := s.Add(keys, all); err != nil {
		t.Fatal(err)
	}
}

func nearest(t testing.TB, s *vectors.Set, query []float32, n int) []vectors.Neighbor {
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

// TestNearest compares with the cosines of the vectors as they were.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, dimensions := range []int{3, 64, 100, 768} {
		t.Run(fmt.Sprint(dimensions), func(t *testing.T) {
			s := open(t, filepath.Join(t.TempDir(), "set"))
			keys, all := directions(r, 2000, dimensions)
			add(t, s, keys, all)
			query := make([]float32, dimensions)
			for d := range query { // near one of them
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
				at := slices.IndexFunc(near, func(n vectors.Neighbor) bool { return n.Key == key(i) })
				if at < 0 {
					missing++
				} else if want := exact(query, all[i]); math.Abs(near[at].Cosine-want) > 0.02 {
					t.Errorf("the cosine of %d is %.3f, want %.3f", i, near[at].Cosine, want)
				}
			}
			if missing > 1 {
				t.Errorf("%d of the 10 nearest are not among the 20 found", missing)
			}
		})
	}
}

// TestReopen checks that a set is what was added, however it came to be: added at once
// or bit by bit, twice, by this process or another, with a tail that is torn.
func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set")
	keys, all := directions(rand.New(rand.NewPCG(3, 4)), 300, 32)
	s, other := open(t, path), open(t, path)
	add(t, s, keys[:100], all[:100])
	add(t, s, keys[50:200], all[50:200])
	if err := other.Follow(); err != nil {
		t.Fatal(err)
	}
	if other.Len() != 200 || !other.Has(key(199)) || other.Has(key(200)) {
		t.Fatalf("another has %d vectors", other.Len())
	}
	want := nearest(t, s, all[7], 30)
	if err := shorten(path, 5); err != nil {
		t.Fatal(err)
	}
	reopened := open(t, path)
	if reopened.Len() != 199 {
		t.Fatalf("after a torn tail there are %d vectors", reopened.Len())
	}
	add(t, reopened, keys[199:200], all[199:200])
	if got := nearest(t, reopened, all[7], 30); !slices.Equal(got, want) {
		t.Errorf("after a repair it finds %v, want %v", got, want)
	}
	if reopened.Complete() {
		t.Error("it is complete unasked")
	}
	if err := reopened.MarkComplete(); err != nil {
		t.Fatal(err)
	}
	if again := open(t, path); !again.Complete() || again.Len() != 200 {
		t.Errorf("reopened: complete %v, %d vectors", again.Complete(), again.Len())
	}
}

func TestCompact(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set")
	keys, all := directions(rand.New(rand.NewPCG(5, 6)), 100, 16)
	s, other := open(t, path), open(t, path)
	add(t, s, keys, all)
	if err := s.MarkComplete(); err != nil {
		t.Fatal(err)
	}
	if err := other.Follow(); err != nil {
		t.Fatal(err)
	}
	even := map[vectors.Key]bool{}
	for i := 0; i < len(keys); i += 2 {
		even[keys[i]] = true
	}
	if err := s.Compact(func(k vectors.Key) bool { return even[k] }); err != nil {
		t.Fatal(err)
	}
	if err := other.Follow(); err != nil {
		t.Fatal(err)
	}
	for _, set := range []*vectors.Set{s, other} {
		if set.Len() != 50 || !set.Complete() || set.Has(keys[1]) || nearest(t, set, all[4], 1)[0].Key != keys[4] {
			t.Errorf("compacted: %d vectors, complete %v", set.Len(), set.Complete())
		}
	}
	add(t, s, keys[:4], all[:4])
	if s.Len() != 52 {
		t.Errorf("%d vectors after adding to a compacted set, want 52", s.Len())
	}
}

func TestRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set")
	s := open(t, path)
	add(t, s, []vectors.Key{key(1)}, [][]float32{{1, 2, 3}})
	for name, v := range map[string][]float32{
		"other dimensions": {1, 2}, "zero": {0, 0, 0}, "not a number": {1, float32(math.NaN()), 1}, "infinite": {float32(math.Inf(1)), 0, 0},
	} {
		if err := s.Add([]vectors.Key{key(2)}, [][]float32{v}); err == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
	if _, err := s.Nearest([]float32{1, 2}, 1); err == nil {
		t.Error("a query of other dimensions is answered")
	}
	if _, err := vectors.Open(path, "another model"); err == nil {
		t.Error("it opens for another space")
	}
	if err := os.WriteFile(path, []byte("what is this"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := vectors.Open(path, space); err == nil {
		t.Error("a file of something else opens")
	}
}

// TestAddWhileSearching adds ten thousand vectors while others search, who never see one
// without its key, nor fewer than before.
func TestAddWhileSearching(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "set"))
	keys, all := directions(rand.New(rand.NewPCG(7, 8)), 10_000, 64)
	add(t, s, keys[:1], all[:1])
	var searching sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		searching.Go(func() {
			for seen := 1; ; seen = s.Len() {
				near, err := s.Nearest(all[0], 5)
				if err != nil || near[0].Key != keys[0] || s.Len() < seen {
					t.Errorf("found %v, %v", near, err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := 1; i < len(keys); i += 100 {
		end := min(i+100, len(keys))
		add(t, s, keys[i:end], all[i:end])
	}
	close(done)
	searching.Wait()
	if s.Len() != len(keys) {
		t.Errorf("%d vectors, want %d", s.Len(), len(keys))
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
