package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"ploke-lsp/internal/disk"
)

const lockRetry = 20 * time.Millisecond

// copyOut writes db, the database at path, to a new file.
func copyOut(ctx context.Context, db *sql.DB, path, file string) error {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return orExists(err, file)
	}
	return replaceCopy(ctx, db, path, file)
}

// replaceCopy writes db, the database at path, to a file, which it replaces. The copy is made
// next to the file and gets its name when it is complete and on the disk.
func replaceCopy(ctx context.Context, db *sql.DB, path, file string) error {
	// The lock tells a copy in the making from one that a dead process has left. The
	// operating system releases the lock of a process that dies.
	lock := flock.New(filepath.Join(filepath.Dir(path), "backup.lock"))
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("keep other backups out: %w", err)
	}
	defer lock.Close()
	folder, prefix := filepath.Dir(file), partPrefix(path)
	if err := removeParts(folder, prefix); err != nil {
		return err
	}
	part, err := os.CreateTemp(folder, prefix) // only its owner can read it
	if err != nil {
		return err
	}
	err = errors.Join(fillCopy(ctx, db, part.Name()), part.Sync(), part.Close())
	if err == nil {
		err = disk.Rename(part.Name(), file)
	}
	if err != nil {
		return errors.Join(err, removeParts(folder, prefix))
	}
	return disk.SyncFolder(folder)
}

// orExists returns err, or the error for a file that exists.
func orExists(err error, file string) error {
	if err == nil {
		err = &fs.PathError{Op: "create", Path: file, Err: fs.ErrExist}
	}
	return err
}

// partPrefix begins the names of unfinished copies of a database, and of SQLite's files
// next to them.
func partPrefix(path string) string {
	return ".ploke-lsp-backup-of-" + filepath.Base(filepath.Dir(path)) + "-"
}

// removeParts removes unfinished copies.
func removeParts(folder, prefix string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			if err := os.Remove(filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// fillCopy writes db to an empty file.
func fillCopy(ctx context.Context, db *sql.DB, file string) error {
	out, err := connect(file, 1, url.Values{"_synchronous": {"FULL"}})
	if err != nil {
		return err
	}
	defer out.Close()
	if err := copyPages(ctx, db, out); err != nil {
		return err
	}
	_, err = out.ExecContext(ctx, "PRAGMA journal_mode = DELETE") // one file, without a log next to it
	return err
}
