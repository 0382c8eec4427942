package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestReadDisk reads what is on disk whatever is open, and refuses what is no file of the workspace, or too large, without
// waiting for it or making room for it.
func TestReadDisk(t *testing.T) {
	w, dir, outside := hostile(t)
	write(t, dir+"/open.go", "saved")
	w.SetBuffer(dir+"/open.go", 1, []byte("typed"))
	write(t, outside+"/there.go", canary)
	write(t, dir+"/sparse.go", "")
	if err := os.Truncate(dir+"/sparse.go", 3<<30); err != nil {
		t.Fatal(err)
	}
	testbed.Need(t, "named pipes in folders", testbed.NamedPipe(dir+"/pipe.go"))
	if err := os.Symlink(filepath.Join(dir, "pipe.go"), dir+"/to-pipe.go"); err != nil {
		t.Fatal(err)
	}
	write(t, dir+"/.env", "A=1")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for name, want := range map[string]string{
		"open.go": "saved", "sparse.go": "", "pipe.go": "", "to-pipe.go": "", ".env": "", "a": "", "new.go": "",
		outside + "/there.go": "", "/dev/zero": "", "/dev/stdin": "", "out/there.go": "",
	} {
		got, err := w.ReadDisk(t.Context(), name, 1<<20)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %.20q, %v", name, got, err)
		}
		if missing := name == "new.go"; errors.Is(err, fs.ErrNotExist) != missing {
			t.Errorf("%s: %v", name, err)
		}
	}
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 8<<20 {
		t.Errorf("%d bytes were allocated", bytes)
	}
	if _, err := w.ReadDisk(t.Context(), "open.go", int64(len("saved")-1)); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("one byte above the limit: %v", err)
	}
}

// TestAPipeThatIsSwappedIn puts a named pipe in the place of a file between the look at it and its opening. Nothing waits for
// the pipe's other end, and its emptiness is not taken for that of the file.
func TestAPipeThatIsSwappedIn(t *testing.T) {
	for name, opener := range map[string]func(*Workspace, string) (diskFile, error){
		"confined": (*Workspace).openConfined,
		"below a root": func(_ *Workspace, path string) (diskFile, error) {
			return openBelow(filepath.Dir(path), filepath.Base(path))
		},
		"anywhere": func(_ *Workspace, path string) (diskFile, error) { return openAnywhere(path) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string]string{"x.go": "package x"})
			path, pipe := filepath.Join(dir, "x.go"), filepath.Join(dir, "pipe")
			testbed.Need(t, "named pipes in folders", testbed.NamedPipe(pipe))
			w := open(t, Options{}, dir)
			var err error
			testbed.Returns(t, func() {
				_, _, err = openRegular(path, "x.go", 100, func(path string) (diskFile, error) {
					if err := os.Rename(pipe, path); err != nil {
						return nil, err
					}
					return opener(w, path)
				})
			}, "a file that is a pipe by now")
			var skipped *SkippedError
			if !errors.As(err, &skipped) || skipped.Skip != Unreadable {
				t.Errorf("the pipe is opened: %v", err)
			}
		})
	}
}
