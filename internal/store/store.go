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
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-sqlite3"

	"ploke-lsp/internal/disk"
)

const (
	busyTimeoutMS    = "10000" // milliseconds to wait for another process's transaction
	readConnections  = 4
	cachedStatements = "64" // prepared statements on each connection, more than the program uses
)

// driverName names SQLite with fullfsync: on macOS, a sync otherwise leaves data in the disk's own memory, and
// a loss of power loses it. Elsewhere it changes nothing.
const driverName = "sqlite3-fullfsync"

func init() {
	sql.Register(driverName, &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		_, err := c.Exec("PRAGMA fullfsync = ON", nil)
		return err
	}})
}

// DB is an open state.db. Its methods are safe for concurrent use.
type DB struct {
	path   string
	file   os.FileInfo // at path when it was opened
	writer *sql.DB     // one connection
	reader *sql.DB

	synchronous synchronous // who has the writer's connection uses it

	writes, records atomic.Int64 // committed
	commitTime      atomic.Int64 // nanoseconds

	removed   sync.Once
	onRemoved func(*RemovedError) // may be nil
}

// synchronous is the level of PRAGMA synchronous that a connection has.
type synchronous struct {
	conn  *sqlite3.SQLiteConn
	level string
}

// Open opens the database at path and migrates its schema. It creates the file and its
// folder if they do not exist. If the schema is newer than this program's, the error is a
// [*NewerError]. If it is older and another process has the file open, it is an [*UpgradeError].
func Open(ctx context.Context, path string) (*DB, error) {
	return newest().open(ctx, path)
}

func (s schema) open(ctx context.Context, path string) (*DB, error) {
	if err := createPrivate(path); err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	if err := s.ensure(ctx, path); err != nil {
		return nil, fmt.Errorf("open %s: %w%s", path, err, whatToTry(err))
	}
	writer, err := connect(path, 1, url.Values{
		"_journal_mode": {"WAL"},
		"_synchronous":  {"FULL"},
		"_txlock":       {"immediate"},
	})
	if err != nil {
		return nil, err
	}
	if err := writer.PingContext(ctx); err != nil {
		writer.Close()
		return nil, fmt.Errorf("open %s: %w%s", path, err, whatToTry(err))
	}
	file, err := disk.Stat(path)
	if err != nil {
		writer.Close()
		return nil, err
	}
	reader, err := connect(path, readConnections, url.Values{"mode": {"ro"}})
	if err != nil {
		writer.Close()
		return nil, err
	}
	return &DB{path: path, file: file, writer: writer, reader: reader}, nil
}

// whatToTry returns what a person can do about a database that doesn't open.
func whatToTry(err error) string {
	if Damaged(err) {
		return "; restore a backup with \"ploke-lsp restore\", or move the file away to begin again"
	}
	return ""
}

// Damaged reports whether err says that a file is not a database, or a damaged one.
func Damaged(err error) bool { return failedWith(err, sqlite3.ErrNotADB, sqlite3.ErrCorrupt) }

// createPrivate creates the file if it does not exist, and lets only its owner read it.
// SQLite gives the files next to it the same mode. It does not open a file that exists: closing it
// would release the locks of other connections of this process.
func createPrivate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return os.Chmod(path, 0o600)
	}
	if err != nil {
		return err
	}
	return f.Close()
}

func connect(path string, connections int, params url.Values) (*sql.DB, error) {
	if !params.Has("_busy_timeout") {
		params.Set("_busy_timeout", busyTimeoutMS)
	}
	params.Set("_foreign_keys", "on")
	params.Set("_stmt_cache_size", cachedStatements)
	db, err := sql.Open(driverName, disk.URI(path)+"?"+params.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// Write runs fn in a transaction and commits it durably before it returns. If fn fails or
// panics, or ctx ends, the transaction is rolled back. There is one write transaction at a
// time. fn must not keep tx, and must not call Write or Record. If the file was removed
// or replaced meanwhile, the error is a [*RemovedError].
func (db *DB) Write(ctx context.Context, fn func(tx *sql.Tx) error) error {
	return db.commit(ctx, "FULL", &db.writes, fn)
}

// Record is like Write but does not wait for the disk. What it has committed survives the
// end of this program. It is certain to survive a loss of power only after a later Write.
func (db *DB) Record(ctx context.Context, fn func(tx *sql.Tx) error) error {
	return db.commit(ctx, "NORMAL", &db.records, fn)
}

// commit runs a transaction at a level of PRAGMA synchronous, and counts it. SQLite also
// commits to a file that was removed, so the file is looked for afterwards.
func (db *DB) commit(ctx context.Context, level string, count *atomic.Int64, fn func(tx *sql.Tx) error) error {
	start := time.Now()
	defer func() { db.commitTime.Add(int64(time.Since(start))) }()
	err := db.transact(ctx, level, fn)
	if removed := db.checkPlace(); removed != nil {
		return removed
	}
	if err == nil {
		count.Add(1)
	}
	return err
}

func (db *DB) transact(ctx context.Context, level string, fn func(tx *sql.Tx) error) error {
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := db.setSynchronous(ctx, conn, level); err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
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

// setSynchronous sets PRAGMA synchronous of the writer, unless its connection has the level already.
func (db *DB) setSynchronous(ctx context.Context, conn *sql.Conn, level string) error {
	return conn.Raw(func(driver any) error {
		now := synchronous{driver.(*sqlite3.SQLiteConn), level}
		if db.synchronous == now {
			return nil
		}
		db.synchronous = synchronous{} // unknown, should the statement fail
		_, err := now.conn.ExecContext(ctx, "PRAGMA synchronous = "+level, nil)
		if err == nil {
			db.synchronous = now
		}
		return err
	})
}

// Path returns the path that the database was opened with.
func (db *DB) Path() string {
	return db.path
}

// Commits returns how many calls of Write and of Record have committed.
func (db *DB) Commits() (writes, records int64) {
	return db.writes.Load(), db.records.Load()
}

// CommitTime returns how long all calls of Write and Record together have taken, including
// their waiting for each other.
func (db *DB) CommitTime() time.Duration {
	return time.Duration(db.commitTime.Load())
}

// Read returns the read-only connections. They see committed data.
func (db *DB) Read() *sql.DB {
	return db.reader
}

// Close waits for running queries and closes the database.
func (db *DB) Close() error {
	err := db.reader.Close()
	// The writer closes last, because the last connection moves the log into the file. It would not if
	// the end of a context has interrupted it after its last statement, so there is one more, which
	// waits for its turn.
	_, _ = db.writer.Exec("SELECT 1") // it reads nothing, and fails only where db is closed already
	if werr := db.writer.Close(); err == nil {
		err = werr
	}
	return err
}
