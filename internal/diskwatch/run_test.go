//go:build linux || windows

package diskwatch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// watched is a folder that is watched.
type watched struct {
	t       *testing.T
	root    string
	changed chan string
	hold    sync.Mutex // Changed waits for it
	ended   chan error
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// watch watches a folder with a folder in it, and returns once it is watched.
func watch(t *testing.T, run func(context.Context, Options) error) *watched {
	t.Helper()
	w := &watched{t: t, root: t.TempDir(), changed: make(chan string, 1000), ended: make(chan error, 1)}
	check(t, os.MkdirAll(w.path("deep/er"), 0o700))
	check(t, os.Mkdir(w.path("ignored"), 0o700))
	ready := make(chan struct{})
	go func() {
		w.ended <- run(t.Context(), Options{
			Folders: func(_ context.Context, enter func(string) error) error {
				return filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
					switch {
					case err != nil || !d.IsDir():
						return err
					case d.Name() == "ignored":
						return fs.SkipDir
					}
					return enter(path)
				})
			},
			Ready: func() { close(ready) },
			Changed: func(path string) {
				w.hold.Lock()
				defer w.hold.Unlock()
				select {
				case w.changed <- path:
				default: // nobody reads them
				}
			},
			Decides: func(name string) bool { return name == ".gitignore" },
		})
	}()
	select {
	case <-ready:
	case err := <-w.ended:
		w.ended <- err
	}
	return w
}

func (w *watched) path(name string) string { return filepath.Join(w.root, name) }

func (w *watched) write(name string) {
	w.t.Helper()
	check(w.t, os.WriteFile(w.path(name), []byte("text"), 0o600))
}

func (w *watched) awaitChange(name string) {
	w.t.Helper()
	for limit := time.After(time.Minute); ; {
		select {
		case path := <-w.changed:
			if path == w.path(name) {
				return
			}
		case err := <-w.ended:
			w.t.Fatalf("the watch has ended: %v", err)
		case <-limit:
			w.t.Fatalf("%s is not reported", name)
		}
	}
}

func (w *watched) awaitEnd() error {
	w.t.Helper()
	select {
	case err := <-w.ended:
		return err
	case <-time.After(time.Minute):
		w.t.Fatal("the watch has not ended")
		return nil
	}
}

func TestFilesAreReported(t *testing.T) {
	w := watch(t, run)
	for _, name := range []string{"a.go", "deep/er/b.go"} {
		w.write(name)
		w.awaitChange(name)
		check(t, os.Rename(w.path(name), w.path(name)+"x"))
		w.awaitChange(name + "x")
		check(t, os.Remove(w.path(name)+"x"))
		w.awaitChange(name + "x")
	}
}

// TestRunEndsWhenFoldersChange does what makes a folder appear that is not watched, or that is watched
// under another name.
func TestRunEndsWhenFoldersChange(t *testing.T) {
	for name, change := range map[string]func(w *watched) error{
		"a folder is created": func(w *watched) error { return os.Mkdir(w.path("deep/new"), 0o700) },
		"a folder is moved in": func(w *watched) error {
			from := filepath.Join(t.TempDir(), "from")
			return errors.Join(os.Mkdir(from, 0o700), os.Rename(from, w.path("deep/er/in")))
		},
		"a folder is moved out": func(w *watched) error { return os.Rename(w.path("deep"), filepath.Join(t.TempDir(), "out")) },
		"a folder is renamed":   func(w *watched) error { return os.Rename(w.path("deep"), w.path("deeper")) },
		"the rules change":      func(w *watched) error { return os.WriteFile(w.path("deep/.gitignore"), nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			w := watch(t, run)
			check(t, change(w))
			if err := w.awaitEnd(); !errors.Is(err, ErrOutdated) {
				t.Errorf("the watch ends with %v", err)
			}
		})
	}
}

// TestIgnoredFolders changes what is in a folder that is not to be watched.
func TestIgnoredFolders(t *testing.T) {
	w := watch(t, run)
	_, err := os.ReadDir(w.path("ignored")) // Wine reports what is in a folder after it was read
	check(t, err)
	w.write("ignored/a.go")
	check(t, os.Mkdir(w.path("ignored/new"), 0o700))
	w.write("b.go")
	for path := ""; path != w.path("b.go"); {
		select {
		case path = <-w.changed:
			if strings.HasPrefix(path, w.path("ignored")+string(filepath.Separator)) {
				t.Errorf("%s is reported", path)
			}
		case err := <-w.ended:
			t.Fatalf("the watch has ended: %v", err)
		case <-time.After(time.Minute):
			t.Fatal("b.go is not reported")
		}
	}
}

// TestOverflow makes more changes than the system keeps, while nobody reads them.
func TestOverflow(t *testing.T) {
	w := watch(t, run)
	w.hold.Lock()
	for i := range keptBySystem(t) + 10_000 { // more than has been read already
		name := fmt.Sprint("deep/", i%2, ".go")
		if i%4 < 2 {
			w.write(name)
		} else {
			check(t, os.Remove(w.path(name)))
		}
	}
	w.hold.Unlock()
	if err := w.awaitEnd(); !errors.Is(err, ErrOutdated) {
		t.Errorf("the watch ends with %v", err)
	}
}

// TestTheEndOfTheContext ends a watch, and watches the folder again.
func TestTheEndOfTheContext(t *testing.T) {
	for range 20 {
		ctx, stop := context.WithCancel(t.Context())
		w := watch(t, func(_ context.Context, o Options) error { return run(ctx, o) })
		w.write("a.go")
		stop()
		if err := w.awaitEnd(); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("the watch ends with %v", err)
		}
	}
}
