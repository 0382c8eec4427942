package disk_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"ploke-lsp/internal/disk"
)

// TestStatTellsAReplacedFile replaces a file after it was looked at.
func TestStatTellsAReplacedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, "old")
	before, err := disk.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path+".new", "new")
	if err := disk.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if after, err := disk.Stat(path); err != nil || os.SameFile(before, after) {
		t.Errorf("the new file is taken for the old one, %v", err)
	}
}

// TestOtherErrorsAreReturnedAtOnce has a failure that no patience mends.
func TestOtherErrorsAreReturnedAtOnce(t *testing.T) {
	calls, failure := 0, errors.New("no")
	if err := disk.Try("a", func() error { calls++; return failure }); err != failure || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func TestSync(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(disk.SyncWritten(f), f.Close()); err != nil {
		t.Error(err)
	}
	reader, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(disk.SyncFile(reader), reader.Close(), disk.SyncFolder(filepath.Dir(path))); err != nil {
		t.Error(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
