package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

func open(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func addConversation(ctx context.Context, db *DB, id string) error {
	return db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO conversations (id, created_at, updated_at) VALUES (?, 1, 1)`, id)
		return err
	})
}

func count(t *testing.T, db *DB, table string) (n int) {
	t.Helper()
	if err := db.Read().QueryRow(`SELECT count(*) FROM ` + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func pragma(t *testing.T, db *sql.DB, name string) (value string) {
	t.Helper()
	if err := db.QueryRow("PRAGMA " + name).Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestOpenIsDurableAndPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd ?#%41 name", "state.db")
	db := open(t, path)
	for name, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "fullfsync": "1", "foreign_keys": "1", "busy_timeout": busyTimeoutMS} {
		if got := pragma(t, db.writer, name); got != want {
			t.Errorf("writer: %s = %s; want %s", name, got, want)
		}
	}
	if err := addConversation(t.Context(), db, "c"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "state.db": 0o600, "state.db-wal": 0o600, "state.db-shm": 0o600} {
		info, err := os.Stat(filepath.Join(filepath.Dir(path), name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("mode of %q = %o; want %o", name, got, want)
		}
	}
	if _, err := db.Read().Exec(`DELETE FROM conversations`); err == nil {
		t.Error("a reader can write")
	}
}

// TestOnlyWriteWaitsForTheDisk checks the level of synchronous for each order of Write and
// Record.
func TestOnlyWriteWaitsForTheDisk(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "state.db"))
	level := func(commit func(context.Context, func(*sql.Tx) error) error) (level string) {
		err := commit(t.Context(), func(tx *sql.Tx) error { return tx.QueryRow("PRAGMA synchronous").Scan(&level) })
		if err != nil {
			t.Fatal(err)
		}
		return level
	}
	got := []string{level(db.Write), level(db.Record), level(db.Record), level(db.Write)}
	if !slices.Equal(got, []string{"2", "1", "1", "2"}) {
		t.Errorf("levels of synchronous: %v", got)
	}
	if writes, records := db.Commits(); writes != 2 || records != 2 {
		t.Errorf("%d writes and %d records were counted", writes, records)
	}
}

func TestWriteIsAllOrNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	db := open(t, path)
	boom := errors.New("boom")
	insert := func(tx *sql.Tx) {
		if _, err := tx.Exec(`INSERT INTO conversations (id, created_at, updated_at) VALUES ('x', 1, 1)`); err != nil {
			t.Error(err)
		}
	}
	if err := db.Write(t.Context(), func(tx *sql.Tx) error { insert(tx); return boom }); err != boom {
		t.Errorf("Write = %v; want the function's own error", err)
	}
	func() {
		defer func() { recover() }()
		db.Write(t.Context(), func(tx *sql.Tx) error { insert(tx); panic("boom") })
	}()
	ctx, cancel := context.WithCancel(t.Context())
	if err := db.Write(ctx, func(tx *sql.Tx) error { insert(tx); cancel(); return nil }); err == nil {
		t.Error("Write succeeded after its context ended")
	}
	if n := count(t, db, "conversations"); n != 0 {
		t.Errorf("%d rows remain", n)
	}
	if err := addConversation(t.Context(), db, "kept"); err != nil {
		t.Fatalf("the writer is still blocked: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if n := count(t, open(t, path), "conversations"); n != 1 {
		t.Errorf("after opening again: %d rows; want 1", n)
	}
}

// TestACancelledWriteSaysSo cancels in the middle of a transaction.
func TestACancelledWriteSaysSo(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "state.db"))
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Write(ctx, func(tx *sql.Tx) error {
		cancel()
		var err error
		testbed.Eventually(t, func() bool { _, err = tx.Exec(`SELECT 1`); return err != nil },
			func() string { return "the transaction goes on after the end of its context" })
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestDeletingAConversation(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "state.db"))
	err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`
			INSERT INTO conversations (id, created_at, updated_at) VALUES ('c', 1, 1);
			INSERT INTO messages (id, conversation_id, role, status, created_at, updated_at) VALUES ('m', 'c', 'user', 'completed', 1, 1);
			INSERT INTO tool_calls (id, request_id, conversation_id, call_id, tool, started_at) VALUES ('t', 'r', 'c', 'k', 'x', 1);
			INSERT INTO ledger (id, request_id, conversation_id, provider, model, created_at) VALUES ('l', 'r', 'c', 'p', 'm', 1);
			INSERT INTO proposals (id, conversation_id, body, status, created_at, updated_at) VALUES ('p', 'c', '{}', 'staged', 1, 1);
			DELETE FROM conversations WHERE id = 'c';`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]int{"messages": 0, "tool_calls": 0, "ledger": 1, "proposals": 1} {
		if got := count(t, db, table); got != want {
			t.Errorf("%s: %d rows left; want %d", table, got, want)
		}
	}
	if err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO messages (id, conversation_id, role, status, created_at, updated_at) VALUES ('m', 'gone', 'user', ` +
			`'completed', 1, 1)`)
		return err
	}); err == nil {
		t.Error("a message without a conversation was stored")
	}
}

// TestSeveralProcesses opens one file several times at once. SQLite treats these like
// several processes.
func TestSeveralProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	const openers, writes = 6, 5
	var wg sync.WaitGroup
	for i := range openers {
		wg.Go(func() {
			db, err := Open(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close()
			for j := range writes {
				if err := addConversation(t.Context(), db, string(rune('a'+i))+string(rune('a'+j))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := count(t, open(t, path), "conversations"); n != openers*writes {
		t.Errorf("%d rows; want %d", n, openers*writes)
	}
}

func TestWhatIsNoDatabaseIsNotTouched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	text := strings.Repeat("my notes\n", 200)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("Open: %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != text {
		t.Error("the file was changed")
	}
}

func TestFolder(t *testing.T) {
	a, b := Folder("/state", "/home/me/app"), Folder("/state", "/home/you/app")
	if a == b || a != Folder("/state", "/home/me/app") || Folder("/state", "") == Folder("/state", "/") {
		t.Errorf("Folder = %q, %q", a, b)
	}
	if !strings.HasPrefix(a, filepath.FromSlash("/state/app-")) {
		t.Errorf("Folder = %q; want it readable", a)
	}
	if root := Folder("/state", "/"); filepath.Dir(root) != filepath.FromSlash("/state") {
		t.Errorf("Folder of the file system's root = %q", root)
	}
}

// TestCloseMovesTheLogWhateverWasInterrupted ends the contexts of writes and reads at any moment, and then closes the database.
func TestCloseMovesTheLogWhateverWasInterrupted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	soon := func() context.Context {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Duration(r.IntN(300))*time.Microsecond, cancel)
		return ctx
	}
	for range 80 { // of which about one in twelve left the log, with the race detector
		path := filepath.Join(t.TempDir(), "state.db")
		db, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			ctx := soon()
			err = db.Write(ctx, func(tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, `UPDATE permissions SET allowed = 1`)
				return err
			})
		}
		reading := soon()
		for range 3 {
			db.Read().QueryRowContext(reading, `SELECT count(*) FROM permissions`).Scan(new(int))
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("the log is still there, %v", err)
		}
	}
}
