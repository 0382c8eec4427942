package shards

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	sqlite "github.com/mattn/go-sqlite3"

	"ploke-lsp/index/pagesum"
	"ploke-lsp/internal/disk"
)

const (
	busyTimeout = 10 * time.Second      // how long a connection waits for a lock
	busyPause   = 10 * time.Millisecond // between two tries to open one
)

// databaseFiles is where the connections of a database find it. Anyone may delete or replace its
// files at any time, so each connection makes sure that it has the file of the first one.
type databaseFiles struct {
	path string

	mu   sync.Mutex  // guards the fields below
	file fs.FileInfo // of the first connection
	wal  fs.FileInfo
}

// intact reports whether the file that the first connection has opened is still in its
// place.
func (p *databaseFiles) intact() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil {
		p.file, p.wal = stat(p.path), stat(p.path+walSuffix)
	}
	return same(p.file, stat(p.path))
}

// taken reports whether another process has put a database of its own in this place: none
// of the files is ours.
func (p *databaseFiles) taken() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	file := stat(p.path)
	return file != nil && !same(p.file, file) && !same(p.wal, stat(p.path+walSuffix))
}

// stat returns what is at a path, nil if there is nothing.
func stat(path string) fs.FileInfo {
	info, err := disk.Stat(path)
	if err != nil {
		return nil
	}
	return info
}

func same(a, b fs.FileInfo) bool { return a != nil && b != nil && os.SameFile(a, b) }

// connector opens connections to a database.
type connector struct {
	driver *sqlite.SQLiteDriver
	name   string
	files  *databaseFiles
}

// connect returns a pool of connections. Each begins with the statements. The first must
// read the database, because SQLite opens the log next to it only then.
func connect(p *databaseFiles, connections int, options string, statements ...string) *sql.DB {
	db := sql.OpenDB(&connector{
		driver: &sqlite.SQLiteDriver{
			ConnectHook: func(c *sqlite.SQLiteConn) error { return prepareConnection(c, statements) }},
		name: fmt.Sprintf("%s?vfs=%s&_busy_timeout=%d&%s", disk.URI(p.path), pagesum.VFS, busyTimeout.Milliseconds(),
			options),
		files: p,
	})
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}

func prepareConnection(c *sqlite.SQLiteConn, statements []string) error {
	if err := pagesum.Prepare(c); err != nil {
		return err
	}
	// SQLite would delete the log by its name, which may by then be another database's.
	if err := c.SetFileControlInt("main", sqlite.SQLITE_FCNTL_PERSIST_WAL, 1); err != nil {
		return err
	}
	for _, s := range statements {
		if _, err := c.Exec(s, nil); err != nil {
			return err
		}
	}
	return nil
}

func (c *connector) Driver() driver.Driver { return c.driver }

func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.open(ctx)
	switch intact := c.files.intact(); {
	case intact && err == nil:
		return conn, nil
	case intact:
		return nil, fmt.Errorf("opening %s: %w", c.files.path, err)
	case err == nil:
		conn.Close()
	}
	return nil, fmt.Errorf("%w: %s has been deleted or replaced", ErrDamaged, c.files.path)
}

// open opens a connection. Of several that open a new database at once, each has to change it to a write-ahead log, and
// SQLite refuses all but one of them at once, since they might wait for each other. So it is tried again.
func (c *connector) open(ctx context.Context) (conn driver.Conn, err error) {
	for deadline := time.Now().Add(busyTimeout); ; {
		var refused sqlite.Error
		if conn, err = c.driver.Open(c.name); !errors.As(err, &refused) || refused.Code != sqlite.ErrBusy ||
			time.Now().After(deadline) {
			return conn, err
		}
		select {
		case <-time.After(busyPause):
		case <-ctx.Done():
			return nil, err
		}
	}
}
