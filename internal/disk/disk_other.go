//go:build !windows

package disk

import (
	"errors"
	"os"
)

// busy returns false: a file can be replaced whoever has it open.
func busy(error) bool { return false }

// Open is [os.OpenFile]: others may always replace or remove a file.
func Open(path string, flag int, mode os.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, mode)
}

func rename(from, to string) error { return os.Rename(from, to) }

// SyncWritten does nothing: [SyncFile] syncs the file later, when all files are written, which
// takes less time.
func SyncWritten(*os.File) error { return nil }

// SyncFile makes the bytes of a file last, or the names in a folder. Any handle will do.
func SyncFile(f *os.File) error { return f.Sync() }

// SyncFolder makes the names in a folder last.
func SyncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
