package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var when = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// TestArchivesAreTheSameEachTime writes each archive twice, and reads it.
func TestArchivesAreTheSameEachTime(t *testing.T) {
	members := []member{{"x/ploke-lsp", []byte("program"), 0o755}, {"x/LICENSE", []byte("MIT"), 0o644}}
	for name, write := range map[string]func(string, []member, time.Time) error{"a.tar.gz": writeTarGz, "a.zip": writeZip} {
		var made [2][]byte
		for i := range made {
			path := filepath.Join(t.TempDir(), name)
			if err := write(path, members, when); err != nil {
				t.Fatal(err)
			}
			var err error
			if made[i], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(made[0], made[1]) {
			t.Errorf("%s differs the second time", name)
		}
	}
}

func TestTarKeepsOrderModeAndTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tar.gz")
	members := []member{{"z", []byte("1"), 0o755}, {"a", []byte("22"), 0o644}}
	if err := writeTarGz(path, members, when); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(z)
	for _, m := range members {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if h.Name != m.name || h.Mode != m.mode || h.Size != int64(len(m.content)) || !h.ModTime.Equal(when) {
			t.Errorf("got %+v, want %+v", h, m)
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the last member: %v", err)
	}
}
