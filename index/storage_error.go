package index

import (
	"errors"
	"fmt"
	"syscall"

	sqlite "github.com/mattn/go-sqlite3"
)

// storageError adds advice to an error about a full disk.
func storageError(err error) error {
	var db sqlite.Error
	full := errors.As(err, &db) && (db.Code == sqlite.ErrFull || outOfSpace(db.SystemErrno))
	if full || outOfSpace(err) {
		return fmt.Errorf("no space for the index: %w; free some space, or choose another place with --state-dir (what has been indexed can be searched)", err)
	}
	return err
}

// outOfSpace reports whether the disk is full, or a quota or a limit on file sizes is
// reached.
func outOfSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
