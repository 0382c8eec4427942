package disk_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/disk"
)

// TestAFileThatIsReleasedIsReplaced has another program that closes the file between two attempts.
func TestAFileThatIsReleasedIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, "old")
	write(t, path+".new", "new")
	holder, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	err = disk.Try(path, func() error {
		if calls++; calls == 3 {
			holder.Close()
		}
		return os.Rename(path+".new", path)
	})
	if text, _ := os.ReadFile(path); err != nil || calls != 3 || string(text) != "new" {
		t.Errorf("%v after %d calls, the file has %q", err, calls, text)
	}
}

// TestAFileThatStaysOpenIsRefused names the file that another program keeps open.
func TestAFileThatStaysOpenIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, "old")
	write(t, path+".new", "new")
	holder, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	var busy *disk.BusyError
	if err := disk.Rename(path+".new", path); !errors.As(err, &busy) || !strings.Contains(err.Error(), path) {
		t.Errorf("the error is %v", err)
	}
}
