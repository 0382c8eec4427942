package workspace

import (
	"path/filepath"
	"runtime"
	"testing"
)

// BenchmarkWalk walks the Go standard library's source.
func BenchmarkWalk(b *testing.B) {
	src := filepath.Join(runtime.GOROOT(), "src")
	w, err := New([]string{src}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		files := 0
		err := w.Walk(b.Context(), w.Roots()[0], func(Entry) error { files++; return nil })
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(files), "files")
	}
}

// BenchmarkRead reads every file of the Go standard library's source.
func BenchmarkRead(b *testing.B) {
	src := filepath.Join(runtime.GOROOT(), "src")
	w, err := New([]string{src}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	var paths []string
	err = w.Walk(b.Context(), w.Roots()[0], func(e Entry) error {
		if e.Skip == "" {
			paths = append(paths, e.Path)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, path := range paths {
			if _, err := w.Read(b.Context(), path); err != nil {
				b.Fatal(err)
			}
		}
	}
}
