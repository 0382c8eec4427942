package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"time"

	"github.com/mattn/go-sqlite3"

	"ploke-lsp/internal/disk"
)

// InUseError is the error for a database that another process has open.
type InUseError struct{ Path string }

func (e *InUseError) Error() string {
	return fmt.Sprintf("%s is in use: close the editors and commands that have the workspace open", e.Path)
}

// Backup writes a consistent copy of the database at path to a new file that only its
// owner can read. The database may be in use. If the file already exists, the error wraps
// [fs.ErrExist]. A file that exists afterwards is complete, even after a crash or a loss
// of power.
func Backup(ctx context.Context, path, file string) error {
	db, err := openReadOnly(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := copyOut(ctx, db, path, file); err != nil {
		return fmt.Errorf("back up %s: %w", path, err)
	}
	return nil
}

// Restore replaces the database at path with a backup. It returns the path of the file
// beside it that holds what was there before, or "" if there was nothing. If it fails, the
// database is unchanged: the backup may be damaged or have a newer schema (a
// [*NewerError]), or the database may be in use (an [*InUseError]).
func Restore(ctx context.Context, path, file string) (kept string, err error) {
	backup, err := openReadOnly(ctx, file)
	if err != nil {
		return "", err
	}
	defer backup.Close()
	if err := checkBackup(ctx, backup, file); err != nil {
		return "", err
	}
	db, kept, err := keepPrevious(ctx, path)
	if err != nil {
		return "", err
	}
	defer db.Close()
	return kept, copyPages(ctx, backup, db)
}

// keepPrevious opens the database at path exclusively, or creates it, and keeps what was
// there in another file. What is not a database at all is moved away.
func keepPrevious(ctx context.Context, path string) (db *sql.DB, kept string, err error) {
	kept = path + ".before-restore-" + time.Now().Format("20060102-150405.000")
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		db, err := openExclusive(ctx, path)
		return db, "", err
	}
	db, err = openExclusive(ctx, path)
	if failedWith(err, sqlite3.ErrNotADB) {
		if err := disk.Rename(path, kept); err != nil {
			return nil, "", err
		}
		db, err = openExclusive(ctx, path)
		return db, kept, err
	}
	if err != nil {
		return nil, "", err
	}
	if err := copyOut(ctx, db, path, kept); err != nil {
		db.Close()
		return nil, "", err
	}
	return db, kept, nil
}

// openReadOnly opens a database, which must exist, for reading. If a killed upgrade has left a
// transaction, it is taken back first, which SQLite does only for a connection that may write.
func openReadOnly(ctx context.Context, path string) (*sql.DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	db, err := connect(path, 1, url.Values{"mode": {"ro"}})
	if err != nil {
		return nil, err
	}
	var e sqlite3.Error
	if _, err := schemaVersion(ctx, db); errors.As(err, &e) && e.ExtendedCode == sqlite3.ErrReadonlyRollback {
		err = rollBack(ctx, path)
		if err != nil {
			db.Close()
			return nil, err
		}
	}
	return db, nil // what else is wrong, the first query says
}

// rollBack takes back what a killed program has not committed.
func rollBack(ctx context.Context, path string) error {
	db, err := connect(path, 1, url.Values{"mode": {"rw"}})
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = schemaVersion(ctx, db)
	return err
}

// checkBackup returns an error if a file can't replace the database.
func checkBackup(ctx context.Context, db *sql.DB, file string) error {
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return fmt.Errorf("%s is not a backup: %w", file, err)
	}
	if verdict != "ok" {
		return fmt.Errorf("%s is damaged: %s", file, verdict)
	}
	version, err := schemaVersion(ctx, db)
	if err != nil {
		return err
	}
	if supported := newest().version(); version > supported {
		return &NewerError{Path: file, Version: version, Supported: supported}
	}
	var tables int
	err = db.QueryRowContext(ctx,
		"SELECT count(*) FROM sqlite_schema WHERE name IN ('conversations', 'proposals')").Scan(&tables)
	if err == nil && tables != 2 {
		err = fmt.Errorf("%s is a database, but not a backup of ploke-lsp", file)
	}
	return err
}

// openExclusive opens or creates a database that no other process has open, and keeps
// other processes out. A process that has the database open in WAL mode holds a lock on
// it, which prevents changing the mode.
func openExclusive(ctx context.Context, path string) (*sql.DB, error) {
	if err := createPrivate(path); err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	db, err := connect(path, 1, url.Values{"_busy_timeout": {"0"}, "_synchronous": {"FULL"}})
	if err != nil {
		return nil, err
	}
	for _, statement := range []string{
		"PRAGMA locking_mode = EXCLUSIVE",
		"PRAGMA journal_mode = DELETE",
		"BEGIN EXCLUSIVE; COMMIT",
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			db.Close()
			if failedWith(err, sqlite3.ErrBusy, sqlite3.ErrLocked) {
				return nil, &InUseError{path}
			}
			return nil, err
		}
	}
	return db, nil
}

// failedWith reports whether SQLite failed with one of these codes.
func failedWith(err error, codes ...sqlite3.ErrNo) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && slices.Contains(codes, e.Code)
}

// copyPages copies from into to with SQLite's backup API, in one step. Afterwards to is a
// consistent copy, or unchanged if there is an error.
func copyPages(ctx context.Context, from, to *sql.DB) error {
	return withConn(ctx, from, func(source *sqlite3.SQLiteConn) error {
		return withConn(ctx, to, func(target *sqlite3.SQLiteConn) error {
			b, err := target.Backup("main", source, "main")
			if err != nil {
				return err
			}
			done, err := b.Step(-1)
			if err == nil && !done {
				err = errors.New("the database is busy; try again")
			}
			return errors.Join(err, b.Finish())
		})
	})
}

func withConn(ctx context.Context, db *sql.DB, fn func(*sqlite3.SQLiteConn) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(driver any) error { return fn(driver.(*sqlite3.SQLiteConn)) })
}
