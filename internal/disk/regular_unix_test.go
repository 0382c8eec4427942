//go:build unix

package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"ploke-lsp/internal/disk"
	"ploke-lsp/internal/testbed"
)

// TestReadRegular reads what has no end, and what is too large.
func TestReadRegular(t *testing.T) {
	dir := t.TempDir()
	file, link, pipe, large := filepath.Join(dir, "a"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe"), filepath.Join(dir, "large")
	write(t, file, "text")
	write(t, large, "")
	if err := errors.Join(os.Symlink(file, link), syscall.Mkfifo(pipe, 0o600), os.Truncate(large, 3<<30)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{file: nil, link: nil, pipe: disk.ErrNotRegular, dir: disk.ErrNotRegular,
		"/dev/zero": disk.ErrNotRegular, filepath.Join(dir, "none"): fs.ErrNotExist} {
		testbed.Returns(t, func() {
			if text, err := disk.ReadRegular(path, 4); !errors.Is(err, want) || err == nil && string(text) != "text" {
				t.Errorf("%s: %q, %v", path, text, err)
			}
		}, "reading "+path)
	}
	for path, limit := range map[string]int64{file: 3, large: 1 << 20} {
		if text, err := disk.ReadRegular(path, limit); err == nil || len(text) > 0 {
			t.Errorf("%s has %d bytes within %d, %v", path, len(text), limit, err)
		}
	}
}
