package shards

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	sqlite "github.com/mattn/go-sqlite3"

	"ploke-lsp/internal/disk"
)

// TestARefusedConnectionIsOpenedAgain has SQLite refuse to open a database, as it does where two processes make a new one
// a database with a write-ahead log at the same moment.
func TestARefusedConnectionIsOpenedAgain(t *testing.T) {
	for _, tt := range []struct {
		name    string
		refused error
		tries   int
	}{
		{"busy", sqlite.Error{Code: sqlite.ErrBusy}, 3},
		{"damaged", sqlite.Error{Code: sqlite.ErrCorrupt}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), databaseName)
			if err := createPrivately(path); err != nil {
				t.Fatal(err)
			}
			tries := 0
			c := &connector{name: disk.URI(path), files: &databaseFiles{path: path},
				driver: &sqlite.SQLiteDriver{ConnectHook: func(*sqlite.SQLiteConn) error {
					if tries++; tries < 3 {
						return tt.refused
					}
					return nil
				}}}
			conn, err := c.Connect(t.Context())
			if err == nil {
				conn.Close()
			}
			if tries != tt.tries || (err == nil) != (tt.tries == 3) {
				t.Errorf("after %d tries: %v", tries, err)
			}
		})
	}
}

// TestARefusedConnectionEndsWithItsContext lets the caller give up.
func TestARefusedConnectionEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), databaseName)
	if err := createPrivately(path); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	busy := sqlite.Error{Code: sqlite.ErrBusy}
	c := &connector{name: disk.URI(path), files: &databaseFiles{path: path},
		driver: &sqlite.SQLiteDriver{ConnectHook: func(*sqlite.SQLiteConn) error { cancel(); return busy }}}
	if _, err := c.Connect(ctx); !errors.Is(err, busy) {
		t.Errorf("the error is %v", err)
	}
}
