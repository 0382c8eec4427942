package trial_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/trial"
)

// TestACopySharesBlocks on a disk that can: it takes next to nothing, and what is written in it is its own.
func TestACopySharesBlocks(t *testing.T) {
	disk := testbed.CloningDisk(t)
	const size = 64 << 20
	text := make([]byte, size)
	if _, err := rand.NewChaCha8([32]byte{}).Read(text); err != nil { // which a disk can't pack
		t.Fatal(err)
	}
	folder := filepath.Join(disk, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "large"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	free := func() int64 {
		unix.Sync()
		var stat unix.Statfs_t
		if err := unix.Statfs(disk, &stat); err != nil {
			t.Fatal(err)
		}
		return int64(stat.Bfree) * stat.Bsize
	}
	before := free()
	c, err := trial.NewCopy(folder, filepath.Join(disk, "tree"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context(), []string{"large"}, size); err != nil {
		t.Fatal(err)
	}
	if taken := before - free(); taken > size/16 {
		t.Errorf("the copy of %d bytes takes %d", size, taken)
	}
	if got, err := c.Read("large", size); err != nil || !bytes.Equal(got, text) {
		t.Errorf("the copy reads %d bytes, %v", len(got), err)
	}
	if err := os.WriteFile(filepath.Join(c.Dir(), "large"), []byte("owned"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(folder, "large")); err != nil || !bytes.Equal(got, text) {
		t.Errorf("the folder's file reads %d bytes, %v", len(got), err)
	}
	if err := c.Remove(); err != nil {
		t.Error(err)
	}
}
