package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestWatchOpens reports files that are read, and not those that are only examined.
func TestWatchOpens(t *testing.T) {
	dir := t.TempDir()
	var files []listedFile
	for _, name := range []string{"read.go", "stat.go", ".gitignore"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("package a\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, listedFile{"go", path})
	}
	w, err := watchOpens(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, err := os.Lstat(f.path); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"read.go", ".gitignore"} {
		if _, err := os.ReadFile(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	opened, err := w.stop()
	if want := []string{files[0].path}; err != nil || !slices.Equal(opened, want) {
		t.Errorf("opened: %v, %v; want %v", opened, err, want)
	}
}
