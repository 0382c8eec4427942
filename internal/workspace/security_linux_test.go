package workspace

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestLinksSwappedIn repeatedly swaps a folder with a symbolic link to the outside, while
// everything in the folder is read.
func TestLinksSwappedIn(t *testing.T) {
	w, dir, outside := hostile(t)
	write(t, dir+"/a/sub/x", "")
	write(t, outside+"/sub/named-outside", "")
	seen := func(e Entry) error {
		if strings.Contains(e.Path, "named-outside") {
			t.Errorf("%s is visited", e.Path)
		}
		return nil
	}
	for name, look := range map[string]func() error{
		"Read":              func() error { return readsInside(t, w, dir+"/a/b.go") },
		"Read through link": func() error { return readsInside(t, w, dir+"/inside/b.go") },
		"List": func() error {
			entries, err := w.List(t.Context(), "a", 2)
			for _, e := range entries {
				_ = seen(e)
			}
			return err
		},
		"Walk": func() error { return w.Walk(t.Context(), dir, seen) },
	} {
		t.Run(name, func(t *testing.T) { whileSwapping(t, dir+"/a", dir+"/out", look) })
	}
}

func readsInside(t *testing.T, w *Workspace, path string) error {
	file, err := w.Read(t.Context(), path)
	if err == nil && strings.Contains(string(file.Text), canary) {
		t.Errorf("%s was read from the outside, as %s", path, file.Path)
	}
	return err
}

// whileSwapping calls look many times, while two names are exchanged.
func whileSwapping(t *testing.T, a, b string, look func() error) {
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for even := true; ctx.Err() == nil || !even; even = !even { // an even number of swaps restores the names
			if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err != nil {
				t.Error(err)
				return
			}
		}
	})
	succeeded := 0
	for range 20_000 {
		if err := look(); err == nil {
			succeeded++
		}
		if ctx.Err() != nil || t.Failed() {
			break
		}
	}
	stop()
	swapping.Wait()
	if succeeded == 0 {
		t.Error("no call succeeded, so this test proves nothing")
	}
}
