package vectors_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ploke-lsp/index/vectors"
)

// TestDamaged damages the file of a hundred vectors. The vectors before the damage remain,
// and vectors that are added again are found as before.
func TestDamaged(t *testing.T) {
	keys, all := directions(rand.New(rand.NewPCG(11, 12)), 100, 32)
	for name, c := range map[string]struct {
		damage func(path string, record int64) error
		left   int // -1: it does not open
	}{
		"a byte in the middle": {func(path string, record int64) error { return write(path, -50*record+20, []byte{1, 2, 3}) }, 50},
		"zeroes at the end":    {func(path string, record int64) error { return write(path, -10*record, make([]byte, 10*record)) }, 90},
		"torn":                 {func(path string, record int64) error { return shorten(path, record/2) }, 99},
		"the beginning":        {func(path string, _ int64) error { return os.WriteFile(path, []byte("PLK"), 0o600) }, -1},
		"the dimensions": {func(path string, _ int64) error {
			return os.WriteFile(path, []byte("PLKVEC01\xff\xff\xff\xff\x01\x07\x00"+space), 0o600)
		}, -1},
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
			want := fmt.Sprint(nearest(t, whole, all[7], 100))
			if err := c.damage(path, after.Size()-before.Size()); err != nil {
				t.Fatal(err)
			}
			if c.left < 0 {
				if _, err := vectors.Open(path, space); err == nil || !strings.Contains(err.Error(), "delete it") {
					t.Errorf("the error is %v", err)
				}
				return
			}
			s := open(t, path)
			if s.Len() != c.left {
				t.Errorf("%d vectors remain, want %d", s.Len(), c.left)
			}
			add(t, s, keys, all)
			if got := fmt.Sprint(nearest(t, s, all[7], 100)); s.Len() != 100 || got != want {
				t.Errorf("after adding them again there are %d vectors: %s, want %s", s.Len(), got, want)
			}
		})
	}
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
	signal.Ignore(syscall.SIGXFSZ)
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
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	do()
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
}
