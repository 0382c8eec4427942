package index

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	sqlite "github.com/mattn/go-sqlite3"
)

//go:embed schema.sql
var schema string

// schemaVersion changes with schema.sql, with the encoding of its values, and when the
// rules of internal/syntax or index/postings change their results, or the text that they get.
//
//	1: the first version
//	2: a file's symbols in one value
//	3: references with their qualifiers
//	4: symbols with their length
//	5: commits
//	6: passages
//	7: more file traits, pairs of ideographs; a typedef includes its struct
//	8: text that was decoded from other encodings than UTF-8
const schemaVersion = 8

// readers is the number of queries that may run at the same time on one shard.
const readers = 4

// errDamaged says that an index folder is unusable and has to be rebuilt.
var errDamaged = errors.New("the index is damaged")

// database is a shard's index.db.
type database struct {
	write *sql.DB // one connection
	read  *sql.DB
	path  string
	file  fs.FileInfo // the open file's
}

// openDatabase opens the index.db in dir. It returns errDamaged if the database is damaged
// or older.
func openDatabase(ctx context.Context, dir string) (*database, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("creating the index folder: %v; choose another place with --state-dir", err)
	}
	d := &database{path: filepath.Join(dir, "index.db")}
	var err error
	if d.write, err = connect(d.path, 1, "_journal_mode=WAL&_synchronous=NORMAL&_txlock=immediate"); err != nil {
		return nil, err
	}
	if d.read, err = connect(d.path, readers, "mode=ro&_stmt_cache_size=8"); err != nil {
		d.write.Close()
		return nil, err
	}
	if err := prepare(ctx, d.write, d.path); err != nil {
		d.close()
		return nil, asDamage(err)
	}
	if d.file, err = os.Stat(d.path); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// inPlace reports whether the open file is still the one at its path. Anyone may delete
// index.db at any time, and another process replaces a damaged one.
func (d *database) inPlace() bool {
	info, err := os.Stat(d.path)
	return err == nil && os.SameFile(info, d.file)
}

func connect(path string, connections int, options string) (*sql.DB, error) {
	name := url.URL{Path: filepath.ToSlash(path)}
	db, err := sql.Open("sqlite3", "file:"+name.EscapedPath()+"?_busy_timeout=10000&"+options)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %v", path, err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// prepare creates the tables of a new database, and checks the version of an existing one.
func prepare(ctx context.Context, db *sql.DB, path string) error {
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
		return fmt.Errorf("%s was written by a newer ploke-lsp (its schema is %d, this program supports %d): use the newer program, or delete the file to index again",
			path, version, schemaVersion)
	case version == schemaVersion:
		return nil
	case version != 0 || tables > 0:
		return errDamaged
	}
	if _, err := tx.Exec(schema + fmt.Sprintf("; PRAGMA user_version = %d", schemaVersion)); err != nil {
		return fmt.Errorf("creating %s: %w", path, err)
	}
	return tx.Commit()
}

// asDamage turns SQLite's error for a damaged file into errDamaged.
func asDamage(err error) error {
	var e sqlite.Error
	if errors.As(err, &e) && (e.Code == sqlite.ErrCorrupt || e.Code == sqlite.ErrNotADB) {
		return errDamaged
	}
	return err
}

// removeIndex removes the files that this package has written in dir, except vectors.
func removeIndex(dir string) error {
	paths, err := filepath.Glob(filepath.Join(dir, segmentPattern))
	if err != nil {
		return err
	}
	for _, name := range []string{"index.db", "index.db-wal", "index.db-shm"} {
		paths = append(paths, filepath.Join(dir, name))
	}
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// transact runs fn in a write transaction.
func (d *database) transact(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (d *database) close() error { return errors.Join(d.read.Close(), d.write.Close()) }

// rowQuerier is a database or a transaction.
type rowQuerier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// queryRows returns all rows of a statement, each converted by scan.
func queryRows[T any](ctx context.Context, db rowQuerier, scan func(*sql.Rows) (T, error), statement string, args ...any) ([]T, error) {
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
