package shards

import (
	"errors"
	"fmt"

	sqlite "github.com/mattn/go-sqlite3"
)

// storageError adds advice to an error about a full disk.
func storageError(err error) error {
	var db sqlite.Error
	full := errors.As(err, &db) && (db.Code == sqlite.ErrFull || outOfSpace(db.SystemErrno))
	if full || outOfSpace(err) {
		return fmt.Errorf("no space for the index: %w; free some space, "+
			"or choose another place with --state-dir (what has been indexed can be searched)", err)
	}
	return err
}
