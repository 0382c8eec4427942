package pagesum_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	sqlite "github.com/mattn/go-sqlite3"

	"ploke-lsp/index/pagesum"
	"ploke-lsp/internal/testbed"
)

func init() {
	sql.Register("checked", &sqlite.SQLiteDriver{ConnectHook: func(c *sqlite.SQLiteConn) error {
		err := pagesum.Prepare(c)
		if err == nil {
			_, err = c.Exec("PRAGMA journal_mode = WAL", nil)
		}
		return err
	}})
}

// open opens a database with checksums, with one connection.
func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("checked", "file:"+path+"?vfs="+pagesum.VFS)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

func execute(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatal(err)
	}
}

// fill creates a table with small rows, an index, and values that take several pages.
func fill(t *testing.T, db *sql.DB) {
	t.Helper()
	execute(t, db, "CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT UNIQUE, content BLOB)")
	for n := range 40 {
		execute(t, db, "INSERT INTO files VALUES (?, ?, ?)", n, fmt.Sprint("file", n), bytes.Repeat([]byte{byte(n)}, 400*n))
	}
	execute(t, db, "DELETE FROM files WHERE id % 7 = 0")
}

// read returns everything in the table, by its index and by its rows.
func read(db *sql.DB) (all []string, err error) {
	for _, query := range []string{"SELECT name FROM files ORDER BY name", "SELECT hex(content) FROM files ORDER BY id"} {
		rows, err := db.Query(query)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		for rows.Next() {
			var value string
			if err := rows.Scan(&value); err != nil {
				return nil, err
			}
			all = append(all, value)
		}
		if err := rows.Err(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// mustRead requires that reading succeeds.
func mustRead(t *testing.T, db *sql.DB) []string {
	t.Helper()
	all, err := read(db)
	if err != nil || len(all) != 68 {
		t.Fatal(len(all), err)
	}
	return all
}

// TestEachFlippedBitIsFound flips bits of a database. Reading it fails with damage, or finds
// what was written.
func TestEachFlippedBitIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	db := open(t, path)
	fill(t, db)
	want := mustRead(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy")
	check := func(what string, changed []byte) {
		if err := os.WriteFile(copied, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		db := open(t, copied)
		defer db.Close()
		got, err := read(db)
		if err == nil && !slices.Equal(got, want) || err != nil && !pagesum.Damaged(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for range testbed.Count(500, 100) {
		bit := rand.IntN(8 * len(data))
		changed := bytes.Clone(data)
		changed[bit/8] ^= 1 << (bit % 8)
		check(fmt.Sprintf("bit %d", bit), changed)
	}
	const page = 4096
	pages := len(data) / page
	for range testbed.Count(100, 20) {
		a, b := 1+rand.IntN(pages-1), 1+rand.IntN(pages-1)
		changed := bytes.Clone(data)
		copy(changed[a*page:(a+1)*page], data[b*page:])
		check(fmt.Sprintf("page %d in the place of page %d", b, a), changed)
		clear(changed[a*page : (a+1)*page])
		check(fmt.Sprintf("page %d is zero", a), changed)
		check(fmt.Sprintf("the first %d pages", a), data[:a*page])
	}
}

// TestEachFlippedBitOfTheLogIsFound flips bits of the log while a connection uses it, and
// reads with another one.
func TestEachFlippedBitOfTheLogIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	db := open(t, path)
	execute(t, db, "PRAGMA wal_autocheckpoint = 0")
	fill(t, db)
	want := mustRead(t, db)
	log, err := os.OpenFile(path+"-wal", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	info, err := log.Stat()
	if err != nil || info.Size() < 100<<10 {
		t.Fatal(info, err)
	}
	noticed := 0
	for range testbed.Count(300, 50) {
		at, old := rand.Int64N(info.Size()), make([]byte, 1)
		if _, err := log.ReadAt(old, at); err != nil {
			t.Fatal(err)
		}
		if _, err := log.WriteAt([]byte{old[0] ^ 1<<rand.IntN(8)}, at); err != nil {
			t.Fatal(err)
		}
		reader := open(t, path)
		got, err := read(reader)
		if err == nil && !slices.Equal(got, want) || err != nil && !pagesum.Damaged(err) {
			t.Errorf("byte %d: %v", at, err)
		}
		if err != nil {
			noticed++
		}
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
		if _, err := log.WriteAt(old, at); err != nil {
			t.Fatal(err)
		}
	}
	if noticed == 0 {
		t.Error("no damage was noticed")
	}
}

// TestLargeTransaction writes and reads in a transaction that is larger than SQLite's cache.
// Nothing is taken for damage.
func TestLargeTransaction(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "db"))
	execute(t, db, "PRAGMA cache_size = 10")
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 5000) INSERT INTO t SELECT i, hex(randomblob(100)) FROM n",
		"UPDATE t SET b = b || a", "DELETE FROM t WHERE a % 3 = 0", "UPDATE t SET b = 'x' || b WHERE a % 2 = 0"} {
		if _, err := tx.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	var rows int
	var ok string
	if err := errors.Join(db.QueryRow("SELECT count(*) FROM t WHERE length(b) > 200").Scan(&rows),
		db.QueryRow("PRAGMA integrity_check").Scan(&ok)); err != nil || rows != 3334 || ok != "ok" {
		t.Error(rows, ok, err)
	}
}

// TestDatabaseWithoutChecksumsIsRefused opens a database that was created without the VFS.
func TestDatabaseWithoutChecksumsIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	plain, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, plain)
	if err := plain.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := read(open(t, path)); !pagesum.Damaged(err) {
		t.Errorf("reading it: %v", err)
	}
}
