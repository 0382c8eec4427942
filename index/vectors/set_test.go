package vectors_test

import (
	"crypto/sha256"
	"encoding/binary"
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

// directions returns n random vectors around a common mean, like those of models.
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

// TestReopen checks that the content of a set does not depend on its history: vectors
// added twice, by another process, or after a torn write.
func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set")
	keys, all := directions(rand.New(rand.NewPCG(3, 4)), 300, 32)
	s, other := open(t, path), open(t, path)
	add(t, s, keys[:100], all[:100])
	add(t, s, keys[50:200], all[50:200])
	if err := other.Refresh(); err != nil {
		t.Fatal(err)
	}
	if other.Len() != 200 || !other.Has(key(199)) || other.Has(key(200)) {
		t.Fatalf("the other set has %d vectors", other.Len())
	}
	want := nearest(t, s, all[7], 30)
	if err := shorten(path, 5); err != nil {
		t.Fatal(err)
	}
	reopened := open(t, path)
	if reopened.Len() != 199 {
		t.Fatalf("after a torn write there are %d vectors", reopened.Len())
	}
	add(t, reopened, keys[199:200], all[199:200])
	if got := nearest(t, reopened, all[7], 30); !slices.Equal(got, want) {
		t.Errorf("after a repair, the nearest are %v, want %v", got, want)
	}
	if reopened.Complete() {
		t.Error("the set is complete without MarkComplete")
	}
	if err := reopened.MarkComplete(); err != nil {
		t.Fatal(err)
	}
	if again := open(t, path); !again.Complete() || again.Len() != 200 {
		t.Errorf("reopened: complete %v, %d vectors", again.Complete(), again.Len())
	}
}

func TestVacuum(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set")
	keys, all := directions(rand.New(rand.NewPCG(5, 6)), 100, 16)
	s, other := open(t, path), open(t, path)
	add(t, s, keys, all)
	if err := s.MarkComplete(); err != nil {
		t.Fatal(err)
	}
	if err := other.Refresh(); err != nil {
		t.Fatal(err)
	}
	even := map[vectors.Key]bool{}
	for i := 0; i < len(keys); i += 2 {
		even[keys[i]] = true
	}
	if err := s.Vacuum(func(k vectors.Key) bool { return even[k] }); err != nil {
		t.Fatal(err)
	}
	if err := other.Refresh(); err != nil {
		t.Fatal(err)
	}
	for _, set := range []*vectors.Set{s, other} {
		if set.Len() != 50 || !set.Complete() || set.Has(keys[1]) || nearest(t, set, all[4], 1)[0].Key != keys[4] {
			t.Errorf("after vacuuming there are %d vectors, complete %v", set.Len(), set.Complete())
		}
	}
	add(t, s, keys[:4], all[:4])
	if s.Len() != 52 {
		t.Errorf("%d vectors after adding to a vacuumed set, want 52", s.Len())
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
			t.Errorf("%s: the vector is accepted", name)
		}
	}
	if _, err := s.Nearest([]float32{1, 2}, 1); err == nil {
		t.Error("a query with the wrong number of dimensions succeeds")
	}
}

// TestOtherFilesAreReplaced opens files that are not sets of the space. They are lost, and
// the set is empty.
func TestOtherFilesAreReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set")
	other, err := vectors.Open(path, "another model")
	if err != nil {
		t.Fatal(err)
	}
	add(t, other, []vectors.Key{key(1)}, [][]float32{{1, 2, 3}})
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"the other set", "what is this"} {
		s := open(t, path)
		if s.Len() != 0 || s.Lost() != 1 {
			t.Errorf("over %s, the set has %d vectors, %d are lost", what, s.Len(), s.Lost())
		}
		add(t, s, []vectors.Key{key(1)}, [][]float32{{1, 2, 3}})
		if err := os.WriteFile(path, []byte("what is this"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBusyFileIsKept reads a damaged header while another process writes the file. The file
// stays, since the other process may just write the header.
func TestBusyFileIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set")
	writer := open(t, path)
	add(t, writer, []vectors.Key{key(1)}, [][]float32{{1, 2, 3}})
	if locked, err := writer.TryLock(); err != nil || !locked {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append([]byte("PLK"), whole[3:]...)[:20], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := vectors.Open(path, space); err == nil {
		t.Error("half a header is read")
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writer.Unlock(); err != nil {
		t.Fatal(err)
	}
	if s := open(t, path); s.Len() != 1 || s.Lost() != 0 {
		t.Errorf("there are %d vectors, %d are lost", s.Len(), s.Lost())
	}
}

// TestAddWhileSearching adds ten thousand vectors while others search. The searches never
// find a vector without its key, and never fewer vectors than before.
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
