package compiler

import (
	"sync/atomic"
	"testing"
)

// TestDisk looks at the folder again only if a change was reported, if not all changes are, or if an answer shows a file
// that has changed before that was reported.
func TestDisk(t *testing.T) {
	t.Parallel()
	var stamp atomic.Uint64
	var some atomic.Bool
	f := serve(t, liars(""), map[string]string{"a.go": source, "b.go": source}, func(o *Options) {
		o.Disk = func() (uint64, bool) { return stamp.Load(), !some.Load() }
	})
	ask := func() *diskState {
		t.Helper()
		if _, err := f.References(t.Context(), f.at(t, "a.go", "square")); err != nil {
			t.Fatal(err)
		}
		for _, s := range f.all {
			return s.known.disk
		}
		return nil
	}
	first := ask()
	f.write(t, "b.go", source+"// more\n")
	if ask() != first {
		t.Error("the folder was looked at although nothing was reported")
	}
	stamp.Add(1)
	second := ask()
	if b := f.at(t, "b.go", "").Path; second == first || second.files[b] == first.files[b] {
		t.Error("the folder was not looked at although a change was reported")
	}
	q := f.at(t, "a.go", "square")
	f.write(t, "a.go", source+"// much more\n")
	third := ask()
	if third.files[q.Path] == second.files[q.Path] {
		t.Error("the folder was not looked at although the answer has a file that has changed")
	}
	if some.Store(true); ask() == third {
		t.Error("the folder was not looked at although not all changes are reported")
	}
}
