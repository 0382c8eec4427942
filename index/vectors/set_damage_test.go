package vectors_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index/vectors"
	"ploke-lsp/internal/testbed"
)

// TestDamaged damages the file of a hundred vectors. The other vectors remain, and vectors
// that are added again are found as before.
func TestDamaged(t *testing.T) {
	keys, all := directions(rand.New(rand.NewPCG(11, 12)), 100, 32)
	for name, c := range map[string]struct {
		damage func(path string, record int64) error
		left   int
		lost   int
	}{
		"a byte in the middle": {func(path string, record int64) error { return write(path, -50*record+20, []byte{1, 2, 3}) }, 99, 1},
		"two records":          {func(path string, record int64) error { return write(path, -50*record+20, make([]byte, record)) }, 98, 2},
		"zeroes at the end":    {func(path string, record int64) error { return write(path, -10*record, make([]byte, 10*record)) }, 90, 10},
		"torn":                 {func(path string, record int64) error { return shorten(path, record/2) }, 99, 0},
		"half":                 {func(path string, record int64) error { return shorten(path, 50*record) }, 50, 0},
		"the beginning":        {func(path string, _ int64) error { return os.WriteFile(path, []byte("PLK"), 0o600) }, 0, 1},
		"nothing":              {func(path string, _ int64) error { return os.Truncate(path, 0) }, 0, 1},
		"a folder":             {func(path string, _ int64) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }, 0, 1},
		"the dimensions": {func(path string, _ int64) error {
			return os.WriteFile(path, []byte("PLKVEC02\xff\xff\xff\xff\x01\x00\x00\x00\x07\x00"+space+"abcd"), 0o600)
		}, 0, 1},
		"an older format": {func(path string, _ int64) error {
			return os.WriteFile(path, []byte("PLKVEC01\x20\x00\x00\x00\x01\x07\x00"+space), 0o600)
		}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "set")
			whole := open(t, path)
			add(t, whole, keys[:1], all[:1])
			before, _ := os.Stat(path)
			add(t, whole, keys[1:2], all[1:2])
			after, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			add(t, whole, keys, all)
			want := rounded(nearest(t, whole, all[7], 100))
			if err := c.damage(path, after.Size()-before.Size()); err != nil {
				t.Fatal(err)
			}
			s := open(t, path)
			if s.Len() != c.left || s.Lost() != c.lost {
				t.Errorf("%d vectors remain, %d are lost; want %d and %d", s.Len(), s.Lost(), c.left, c.lost)
			}
			add(t, s, keys, all)
			if got := rounded(nearest(t, s, all[7], 100)); s.Len() != 100 || got != want {
				t.Errorf("after adding them again there are %d vectors: %s, want %s", s.Len(), got, want)
			}
		})
	}
}

// TestEachDamageOfASetIsFound flips bits of a set, closed or in use. A search finds what it
// found before, but for the vectors that are lost.
func TestEachDamageOfASetIsFound(t *testing.T) {
	keys, all := directions(rand.New(rand.NewPCG(15, 16)), 40, 24)
	path := filepath.Join(t.TempDir(), "set")
	whole := open(t, path)
	add(t, whole, keys, all)
	if err := whole.MarkComplete(); err != nil {
		t.Fatal(err)
	}
	want := nearest(t, whole, all[7], 40)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range testbed.Count(2000, 200) {
		bit := rand.IntN(8 * len(data))
		changed := bytes.Clone(data)
		changed[bit/8] ^= 1 << (bit % 8)
		inUse := n%2 == 0
		copied := filepath.Join(filepath.Dir(path), "copy")
		if inUse {
			writeFile(t, copied, data)
		} else {
			writeFile(t, copied, changed)
		}
		s, err := vectors.Open(copied, space)
		if err != nil {
			t.Fatal(err)
		}
		if inUse {
			writeFile(t, copied, changed)
		}
		var found []vectors.Key
		for _, m := range nearest(t, s, all[7], 40) {
			found = append(found, m.Key)
		}
		var left []vectors.Key
		for _, m := range want {
			if s.Has(m.Key) {
				left = append(left, m.Key)
			}
		}
		inHeader := !inUse && s.Len() == 0 && s.Lost() == 1
		if !slices.Equal(found, left) || !inHeader && (len(left) < len(keys)-1 || !s.Complete()) {
			t.Errorf("bit %d, in use %v: %d vectors are found, %d left", bit, inUse, len(found), len(left))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// writeFile writes a file in place, so that it stays the same file for a process that has it open.
func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDeletedOrCutInUse deletes or cuts the file of a set that is in use. The vectors that
// are gone can be added again.
func TestDeletedOrCutInUse(t *testing.T) {
	keys, all := directions(rand.New(rand.NewPCG(17, 18)), 40, 24)
	for name, c := range map[string]struct {
		damage func(path string) error
		left   int
	}{
		"deleted": {os.Remove, 0},
		"cut":     {func(path string) error { return shorten(path, 20*(16+4+24)+1) }, 19},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "set")
			s := open(t, path)
			add(t, s, keys, all)
			want := nearest(t, s, all[3], 40)
			if err := c.damage(path); err != nil {
				t.Fatal(err)
			}
			if err := s.Refresh(); err != nil || s.Len() != c.left {
				t.Errorf("%d vectors are left, want %d; %v", s.Len(), c.left, err)
			}
			add(t, s, keys, all)
			if got := nearest(t, s, all[3], 40); !slices.Equal(got, want) {
				t.Errorf("found %v, want %v", got, want)
			}
		})
	}
}

// rounded returns matches without what depends on the order of the vectors.
func rounded(matches []vectors.Match) string {
	var b strings.Builder
	for _, m := range matches {
		fmt.Fprintf(&b, "%x %.9f %.9f\n", m.Key, m.Cosine, m.ZScore)
	}
	return b.String()
}

// write writes to a file at an offset from its end.
func write(path string, at int64, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, info.Size()+at)
	return err
}

// shorten removes the last bytes of a file.
func shorten(path string, bytes int64) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, info.Size()-bytes)
}

// fullSet is the environment variable that makes this test the child process of
// TestFullDisk. It holds the path of the set.
const fullSet = "PLOKE_TEST_FULL_SET"

// TestFullDisk adds vectors in a child process that may only write small files, which is
// the closest to a full disk that needs no privileges. First the header does not fit, then
// only a part of the vectors does. The rest is added when there is space.
func TestFullDisk(t *testing.T) {
	if path := os.Getenv(fullSet); path != "" {
		fillDisk(t, path)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$")
	cmd.Env = append(os.Environ(), fullSet+"="+filepath.Join(t.TempDir(), "set"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func fillDisk(t *testing.T, path string) {
	keys, all := directions(rand.New(rand.NewPCG(13, 14)), 100, 32)
	s := open(t, path)
	limited(t, 10, func() {
		if err := s.Add(keys, all); err == nil {
			t.Error("Add creates a set without disk space")
		}
	})
	if again := open(t, path); again.Len() != 0 {
		t.Errorf("the set has %d vectors, want none", again.Len())
	}
	add(t, s, keys[:10], all[:10])
	limited(t, 2000, func() {
		if err := s.Add(keys, all); err == nil {
			t.Error("Add succeeds without disk space")
		}
		if err := s.Vacuum(func(vectors.Key) bool { return true }); err != nil {
			t.Error(err)
		}
	})
	limited(t, 100, func() {
		if err := s.Vacuum(func(vectors.Key) bool { return true }); err == nil {
			t.Error("Vacuum succeeds without disk space")
		}
	})
	for _, s := range []*vectors.Set{s, open(t, path)} {
		if s.Len() != 10 || nearest(t, s, all[3], 1)[0].Key != keys[3] {
			t.Errorf("there are %d vectors, want 10", s.Len())
		}
	}
	add(t, s, keys, all)
	if s.Len() != 100 || open(t, path).Len() != 100 {
		t.Errorf("with disk space there are %d vectors", s.Len())
	}
	if left, _ := filepath.Glob(path + ".new"); len(left) > 0 {
		t.Errorf("%s remains", left)
	}
}

// limited runs do while no file may be longer than the given number of bytes.
func limited(t *testing.T, bytes uint64, do func()) {
	t.Helper()
	lift, err := testbed.LimitFiles(bytes)
	testbed.Need(t, "a limit on the length of files", err)
	do()
	if err := lift(); err != nil {
		t.Fatal(err)
	}
}
