// Package store keeps state.db: conversations, records, and proposals. Its
// users bring their own queries; the schema and its migrations are here.
//
// Its promises:
//   - What Write has returned from survives power loss: the database runs in
//     WAL mode with synchronous=FULL. What Record has returned from survives the
//     end of this program, whatever ends it.
//   - One writer and several readers in this process; other processes may have
//     the same file open, and each waits for the other's transaction.
//   - A file of a newer schema is refused untouched; one of an older schema is
//     migrated, each step in a transaction of its own.
//   - The file is readable by its owner alone.
//
// Times in the tables are unix milliseconds.
package store

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	_ "github.com/mattn/go-sqlite3" // registers the driver "sqlite3"
)

const (
	busyTimeoutMS   = "10000" // how long to wait for another process's transaction
	readConnections = 4
	statements      = "64" // kept prepared on each connection: more than there are in use
)

// DB is an open state.db. Its methods are safe for concurrent use.
type DB struct {
	path   string
	writer *sql.DB // one connection
	reader *sql.DB

	writes, records atomic.Int64 // committed
	committing      atomic.Int64 // nanoseconds
}

// Open opens the database at path, creating it and its folder where they do
// not exist, and brings its schema up to date. A schema newer than this
// program's is a *NewerError.
func Open(ctx context.Context, path string) (*DB, error) {
	if err := createPrivate(path); err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	writer, err := connect(path, 1, url.Values{
		"_journal_mode": {"WAL"},
		"_synchronous":  {"FULL"},
		"_txlock":       {"immediate"},
	})
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, writer, path, latest()); err != nil {
		writer.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	reader, err := connect(path, readConnections, url.Values{"mode": {"ro"}})
	if err != nil {
		writer.Close()
		return nil, err
	}
	return &DB{path: path, writer: writer, reader: reader}, nil
}

// createPrivate makes sure that the file exists and only its owner may read
// it; SQLite gives the files beside it the same mode.
func createPrivate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Chmod(0o600)
}

func connect(path string, connections int, params url.Values) (*sql.DB, error) {
	if !params.Has("_busy_timeout") {
		params.Set("_busy_timeout", busyTimeoutMS)
	}
	params.Set("_foreign_keys", "on")
	params.Set("_stmt_cache_size", statements)
	name := url.URL{Path: filepath.ToSlash(path)}
	db, err := sql.Open("sqlite3", "file:"+name.EscapedPath()+"?"+params.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// Write runs fn in the one write transaction and commits it durably before it
// returns. When fn fails or panics, or ctx ends, nothing of it stays. fn must
// not keep tx, and must not call Write or Record.
func (db *DB) Write(ctx context.Context, fn func(tx *sql.Tx) error) error {
	return db.commit(ctx, "FULL", &db.writes, fn)
}

// Record is Write without waiting for the disk: what it has committed survives
// this program however it ends, but is certain to survive power loss only after
// a later Write.
func (db *DB) Record(ctx context.Context, fn func(tx *sql.Tx) error) error {
	return db.commit(ctx, "NORMAL", &db.records, fn)
}

// commit runs a transaction at a level of synchronous, and counts it.
func (db *DB) commit(ctx context.Context, synchronous string, count *atomic.Int64, fn func(tx *sql.Tx) error) error {
	began := time.Now()
	defer func() { db.committing.Add(int64(time.Since(began))) }()
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA synchronous = "+synchronous); err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	count.Add(1)
	return nil
}

// Path returns the path that the database was opened with.
func (db *DB) Path() string {
	return db.path
}

// Commits tells how many calls of Write and of Record have committed.
func (db *DB) Commits() (writes, records int64) {
	return db.writes.Load(), db.records.Load()
}

// Committing tells how long all calls of Write and Record together have taken,
// with their waiting for each other.
func (db *DB) Committing() time.Duration {
	return time.Duration(db.committing.Load())
}

// Read returns the readers. They see what has been committed, and can't write.
func (db *DB) Read() *sql.DB {
	return db.reader
}

// Close waits for what is running and closes the database.
func (db *DB) Close() error {
	err := db.reader.Close()
	// The writer goes last: the last connection folds the log into the file.
	if werr := db.writer.Close(); err == nil {
		err = werr
	}
	return err
}
