//go:build unix

package setup

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestModeAndOwner writes a file of another user, if the test may make one.
func TestModeAndOwner(t *testing.T) {
	f := fileOf(t, "helix")
	put(t, f.Path, "")
	if err := os.Chmod(f.Path, 0o604); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(f.Path, 1234, 1235); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.Stat(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	change := write(t, f)
	for _, path := range []string{f.Path, change.Copy} {
		after, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		is, was := after.Sys().(*syscall.Stat_t), before.Sys().(*syscall.Stat_t)
		if after.Mode() != before.Mode() || is.Uid != was.Uid || is.Gid != was.Gid {
			t.Errorf("%s has the mode %v and the owner %d:%d", path, after.Mode(), is.Uid, is.Gid)
		}
	}
}

// TestPipe looks at a pipe, without reading from it.
func TestPipe(t *testing.T) {
	f := fileOf(t, "helix")
	put(t, f.Path, "")
	if err := errors.Join(os.Remove(f.Path), syscall.Mkfifo(f.Path, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(nil, noon); err == nil || !strings.Contains(f.State(), "not a file") {
		t.Errorf("a pipe: %v, %s", err, f.State())
	}
}
