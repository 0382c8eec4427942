package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/mattn/go-sqlite3"
)

// InUseError says that another process has a database open.
type InUseError struct{ Path string }

func (e *InUseError) Error() string {
	return fmt.Sprintf("%s is in use: close the editors and commands that have the workspace open", e.Path)
}

// Backup writes the database at path, as of one moment, to a new file that only
// its owner can read. The database may be in use. A file that exists already is
// an error that wraps [fs.ErrExist].
func Backup(ctx context.Context, path, file string) error {
	db, err := existing(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	return copyOut(ctx, db, file)
}

// Restore puts what a backup holds in place of the database at path, and returns
// the file beside it that now holds what was there before, "" if nothing was. It
// changes nothing if the backup is damaged or of a newer schema (a
// [*NewerError]), or the database is in use (an [*InUseError]).
func Restore(ctx context.Context, path, file string) (kept string, err error) {
	backup, err := existing(ctx, file)
	if err != nil {
		return "", err
	}
	defer backup.Close()
	if err := sound(ctx, backup, file); err != nil {
		return "", err
	}
	_, err = os.Stat(path)
	fresh := errors.Is(err, os.ErrNotExist)
	if err := createPrivate(path); err != nil {
		return "", fmt.Errorf("create %s: %w", path, err)
	}
	db, err := seize(ctx, path)
	if err != nil {
		return "", err
	}
	defer db.Close()
	if !fresh {
		kept = path + ".before-restore-" + time.Now().Format("20060102-150405.000")
		if err := copyOut(ctx, db, kept); err != nil {
			return "", err
		}
	}
	return kept, copyPages(ctx, backup, db)
}

// existing opens a database that must be there, for reading.
func existing(ctx context.Context, path string) (*sql.DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return connect(path, 1, url.Values{"mode": {"ro"}})
}

// sound says what a backup lacks to take the database's place.
func sound(ctx context.Context, db *sql.DB, file string) error {
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
	if supported := len(latest()); version > supported {
		return &NewerError{Path: file, Version: version, Supported: supported}
	}
	var tables int
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name IN ('conversations', 'proposals')").Scan(&tables)
	if err == nil && tables != 2 {
		err = fmt.Errorf("%s is a database, but not a backup of this program's", file)
	}
	return err
}

// seize opens a database that nobody else has open, and keeps everybody out.
// Whoever has one open in WAL mode holds a lock on it, so that the mode can't be
// changed.
func seize(ctx context.Context, path string) (*sql.DB, error) {
	db, err := connect(path, 1, url.Values{"_busy_timeout": {"0"}})
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
			if busy(err) {
				return nil, &InUseError{path}
			}
			return nil, err
		}
	}
	return db, nil
}

func busy(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && (e.Code == sqlite3.ErrBusy || e.Code == sqlite3.ErrLocked)
}

// copyOut writes db to a new file, whole or not at all.
func copyOut(ctx context.Context, db *sql.DB, file string) (err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	f.Close()
	defer func() {
		if err != nil {
			os.Remove(file)
		}
	}()
	out, err := connect(file, 1, url.Values{"_synchronous": {"FULL"}})
	if err != nil {
		return err
	}
	defer out.Close()
	if err := copyPages(ctx, db, out); err != nil {
		return err
	}
	_, err = out.ExecContext(ctx, "PRAGMA journal_mode = DELETE") // one file, without a log beside it
	return err
}

// copyPages makes to a copy of from with SQLite's backup, in one step: to is a
// copy of one moment, or what it was.
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
