package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mattn/go-sqlite3"
)

// upgradeRetry is the time between two looks whether other processes have closed the database.
const upgradeRetry = 50 * time.Millisecond

// UpgradeError is the error for a database that has to be upgraded, which waits until the
// processes of the earlier release that have it open are gone.
type UpgradeError struct{ Path string }

func (e *UpgradeError) Error() string {
	return fmt.Sprintf("%s has to be upgraded for this ploke-lsp, and an earlier ploke-lsp is using it; nothing was "+
		"changed: "+
		"close the other editors and commands that have the workspace open, or restart their language servers, and then "+
		"start this one again", filepath.Base(e.Path))
}

// ensure brings the database at path to this schema. It waits for a moment until no other
// process has the database open: an earlier release would not understand what it finds afterwards.
// A database with a newer schema is not touched.
func (s schema) ensure(ctx context.Context, path string) error {
	for began := time.Now(); ; {
		version, err := s.versionOf(ctx, path)
		if err != nil || version == s.version() {
			return err
		}
		err = s.upgrade(ctx, path)
		if inUse := new(InUseError); !errors.As(err, &inUse) {
			return err
		}
		if time.Since(began) >= s.wait {
			return &UpgradeError{path}
		}
		select {
		case <-time.After(upgradeRetry):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// versionOf returns the version of the database at path. The error is a [*NewerError] if the
// schema does not go so far.
func (s schema) versionOf(ctx context.Context, path string) (int, error) {
	db, err := openReadOnly(ctx, path)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	version, err := schemaVersion(ctx, db)
	switch {
	case failedWith(err, sqlite3.ErrBusy):
		return 0, &UpgradeError{path} // only an upgrade keeps readers out for so long
	case err == nil && version > s.version():
		return 0, &NewerError{Path: path, Version: version, Supported: s.version(), Copy: s.usableCopy(path)}
	}
	return version, err
}

// upgrade brings the database at path to this schema while it keeps other processes out. What was
// there is copied first. If there is an error, or the program is killed, the database is as it was.
func (s schema) upgrade(ctx context.Context, path string) error {
	db, err := openExclusive(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	version, err := schemaVersion(ctx, db)
	if err != nil || version >= s.version() {
		return err // another process was faster; the next look at the version judges it
	}
	kept := ""
	if version > 0 {
		kept = copyName(path, version)
		if err := replaceCopy(ctx, db, path, kept); err != nil {
			return fmt.Errorf("nothing was changed, since the state could not be copied before its upgrade: %w", err)
		}
	}
	if err := s.migrate(ctx, db, version); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	return removeCopies(path, kept)
}

// copyName returns the path of the copy of a database from before its upgrade from version.
func copyName(path string, version int) string { return fmt.Sprintf("%s.schema-%d", path, version) }

// copies returns the paths of the copies of a database from before upgrades.
func copies(path string) []string {
	entries, _ := os.ReadDir(filepath.Dir(path)) // a folder that can't be read has no copies to show
	var paths []string
	for _, e := range entries {
		var version int
		name := filepath.Join(filepath.Dir(path), e.Name())
		if n, _ := fmt.Sscanf(e.Name(), filepath.Base(path)+".schema-%d", &version); n == 1 &&
			name == copyName(path, version) {
			paths = append(paths, name)
		}
	}
	return paths
}

// UpgradeCopy returns the path of the copy from before the last upgrade of the database at path, "" if there is
// none that this program can read.
func UpgradeCopy(path string) string { return newest().usableCopy(path) }

// removeCopies removes the copies from before earlier upgrades: all but kept.
func removeCopies(path, kept string) error {
	var errs []error
	for _, c := range copies(path) {
		if c != kept {
			errs = append(errs, os.Remove(c))
		}
	}
	return errors.Join(errs...)
}

// usableCopy returns the path of the newest copy that this schema can read, "" if there is none.
func (s schema) usableCopy(path string) string {
	have := copies(path)
	for version := s.version(); version > 0; version-- {
		for _, c := range have {
			if c == copyName(path, version) {
				return c
			}
		}
	}
	return ""
}
