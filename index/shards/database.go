package shards

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

//go:embed schema.sql
var schema string

// schemaVersion changes with schema.sql, with the encoding of its values, and when the
// rules of internal/syntax or index/postings change their results, or the text that they get. The last changes:
//
//	15: templates of translations are data
//	16: what functions return as a receiver, and the fields that literals of Go name
//	17: the types of what Go's functions return
//	18: the words of long doc comments weigh less
//	19: what the tokens of Rust's macros call
//	20: what JavaScript loads and exports in the way of CommonJS
const schemaVersion = 20

// readers is the number of queries that may run at the same time on one shard.
const readers = 4

// errOutdated says that an index folder holds the index of an older program.
var errOutdated = errors.New("the index has an older format")

// database is a shard's index.db.
type database struct {
	write *sql.DB // one connection
	read  *sql.DB
	files *databaseFiles
}

// openDatabase opens the index.db in dir. It returns ErrDamaged if the database is damaged,
// or is that of another root, and errOutdated if it is older.
func openDatabase(ctx context.Context, dir, root string) (*database, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("creating the index folder: %v; choose another place with --state-dir", err)
	}
	path := filepath.Join(dir, databaseName)
	if err := createPrivately(path); err != nil {
		return nil, err
	}
	d := &database{files: &databaseFiles{path: path}}
	d.write = connect(d.files, 1, "_txlock=immediate", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
		"PRAGMA journal_size_limit = 0")
	d.read = connect(d.files, readers, "mode=ro&_stmt_cache_size=8", "SELECT count(*) FROM sqlite_schema")
	if err := prepare(ctx, d.write, path, root); err != nil {
		err = asDamage(err)
		d.close()
		if errors.Is(err, ErrDamaged) && olderFormat(path) {
			err = errOutdated
		}
		return nil, err
	}
	return d, nil
}

// createPrivately creates a file that only the user may read, if there is none. SQLite
// gives the mode of the database to its other files.
func createPrivately(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		return f.Close()
	}
	if info, statErr := os.Lstat(path); statErr == nil {
		segments, _ := filepath.Glob(filepath.Join(filepath.Dir(path), segmentPattern))
		switch {
		case !info.Mode().IsRegular():
			return fmt.Errorf("%w: %s is not a file", ErrDamaged, path)
		case info.Size() == 0 && len(segments) > 0:
			return fmt.Errorf("%w: %s is empty", ErrDamaged, path)
		}
		return nil // opening and closing it would release SQLite's locks
	}
	return fmt.Errorf("creating %s: %v; make the folder writable, or choose another place with --state-dir", path, err)
}

// prepare creates the tables of a new database, and checks the version and the root of an
// existing one.
func prepare(ctx context.Context, db *sql.DB, path, root string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("opening %s: %w", path, err)
	}
	defer tx.Rollback()
	var version, tables int
	if err := tx.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	if err := tx.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	switch {
	case version > schemaVersion:
		return fmt.Errorf("%s was written by a newer ploke-lsp (its schema is %d, this program supports %d): "+
			"use the newer program, or delete the file to index again",
			path, version, schemaVersion)
	case version == schemaVersion:
		owner, err := meta(ctx, tx, "root")
		if err == nil && owner != rootNumber(root) {
			err = fmt.Errorf("%w: %s is the index of another folder", ErrDamaged, path)
		}
		return err
	case version != 0:
		return errOutdated
	case tables > 0:
		return ErrDamaged
	}
	if _, err := tx.Exec(schema + fmt.Sprintf("; PRAGMA user_version = %d", schemaVersion)); err != nil {
		return fmt.Errorf("creating %s: %w", path, err)
	}
	if err := setMeta(tx, "root", rootNumber(root)); err != nil {
		return err
	}
	return tx.Commit()
}

// rootNumber returns a number that identifies a root folder.
func rootNumber(root string) int64 {
	sum := sha256.Sum256([]byte(root))
	return int64(binary.LittleEndian.Uint64(sum[:]))
}

// firstSummed is the first version whose pages have checksums.
const firstSummed = 8

// olderFormat reports whether a database that could not be read is from before checksums.
func olderFormat(path string) bool {
	const reservedAt, versionAt, headerBytes = 20, 60, 100
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var header [headerBytes]byte
	if _, err := io.ReadFull(f, header[:]); err != nil || !bytes.HasPrefix(header[:], []byte("SQLite format 3\x00")) {
		return false
	}
	version := binary.BigEndian.Uint32(header[versionAt:])
	return header[reservedAt] == 0 && 0 < version && version < firstSummed
}

// transact runs fn in a write transaction.
func (d *database) transact(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err = fn(tx); err == nil {
		err = tx.Commit()
	}
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return ctx.Err() // the transaction ends with the context, which its error does not say
	}
	return err
}

func (d *database) close() error { return errors.Join(d.read.Close(), d.write.Close()) }

// rowQuerier is a database or a transaction.
type rowQuerier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// queryRows returns all rows of a statement, each converted by scan.
func queryRows[T any](ctx context.Context, db rowQuerier, scan func(*sql.Rows) (T, error), statement string,
	args ...any) ([]T, error) {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// meta returns the number stored under a key, 0 if there is none.
func meta(ctx context.Context, db rowQuerier, key string) (value int64, err error) {
	err = db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", key).Scan(&value)
	if isNoRow(err) {
		return 0, nil
	}
	return value, err
}

func isNoRow(err error) bool { return errors.Is(err, sql.ErrNoRows) }

func setMeta(tx *sql.Tx, key string, value int64) error {
	_, err := tx.Exec("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, value)
	return err
}
