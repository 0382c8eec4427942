package store

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// later returns the schema of a later release: that of this one, and more steps.
func later(steps ...string) schema {
	s := newest()
	return schema{steps: append(slices.Clip(s.steps), steps...), wait: 100 * time.Millisecond}
}

// store creates the state of this release with one conversation.
func store(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "state.db")
	addTo(t, path, "said")
	return path
}

func addTo(t *testing.T, path, id string) {
	t.Helper()
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := addConversation(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
}

// files returns the hashes of the files beside path, by name.
func files(t *testing.T, path string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	hashes := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		hashes[e.Name()] = fmt.Sprintf("%d bytes, %x", len(data), sha256.Sum256(data))
	}
	return hashes
}

func TestAnUpgradeKeepsACopyOfWhatWasThere(t *testing.T) {
	path, n := store(t), newest().version()
	next := later(`CREATE TABLE more (x INTEGER); INSERT INTO more VALUES (1);`, `INSERT INTO more VALUES (2);`)
	for range 2 { // the second time there is nothing to do
		db, err := next.open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := schemaVersion(t.Context(), db.writer); v != n+2 || count(t, db, "more") != 2 || count(t, db, "conversations") != 1 {
			t.Errorf("version %d with %d rows and %d conversations", v, count(t, db, "more"), count(t, db, "conversations"))
		}
		db.Close()
	}
	kept := copyName(path, n)
	if got := copies(path); !slices.Equal(got, []string{kept}) {
		t.Fatalf("the copies are %q", got)
	}
	if info, err := os.Stat(kept); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has mode %v, %v", info.Mode(), err)
	}

	// The next upgrade replaces the copy of this one.
	next.steps = append(next.steps, `INSERT INTO more VALUES (3);`)
	db, err := next.open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	if got := copies(path); !slices.Equal(got, []string{copyName(path, n+2)}) {
		t.Errorf("the copies are %q", got)
	}
}

func TestAFailedUpgradeChangesNothing(t *testing.T) {
	path := store(t)
	before := files(t, path)["state.db"]
	_, err := later(`CREATE TABLE more (x INTEGER);`, `INSERT INTO missing VALUES (1);`).open(t.Context(), path)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("to version %d", newest().version()+2)) {
		t.Fatalf("a failing step: %v", err)
	}
	db := open(t, path)
	if v, _ := schemaVersion(t.Context(), db.writer); v != newest().version() || count(t, db, "conversations") != 1 {
		t.Errorf("version %d, was %s", v, before)
	}
}

func TestAnUpgradeWithoutRoomForItsCopyChangesNothing(t *testing.T) {
	path := store(t)
	if err := os.MkdirAll(filepath.Join(copyName(path, newest().version()), "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := later(`CREATE TABLE more (x INTEGER);`).open(t.Context(), path)
	if err == nil || !strings.Contains(err.Error(), "nothing was changed") {
		t.Fatalf("the error is %v", err)
	}
	open(t, path)
}

// TestAnOlderReleaseRefusesANewerState also leaves a log beside the newer state, as a killed program
// does: an older program must not move it into the file.
func TestAnOlderReleaseRefusesANewerState(t *testing.T) {
	path := store(t)
	db, err := later(`CREATE TABLE more (x INTEGER);`).open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := addConversation(t.Context(), db, "newer"); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(t.TempDir(), "state.db")
	for _, name := range []string{"", "-wal", copyName("", newest().version())} {
		data, err := os.ReadFile(path + name)
		if err == nil {
			err = os.WriteFile(killed+name, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{path, killed} { // in use, and not
		before := files(t, path)
		_, err := Open(t.Context(), path)
		newer := new(NewerError)
		if !errors.As(err, &newer) || newer.Version != newest().version()+1 || newer.Supported != newest().version() {
			t.Fatalf("Open: %v", err)
		}
		for _, part := range []string{"update ploke-lsp", "restore " + copyName(path, newest().version()), path} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("the message %q lacks %q", err, part)
			}
		}
		after := files(t, path)
		for name, hash := range before {
			if !strings.HasSuffix(name, "-shm") && after[name] != hash {
				t.Errorf("%s was changed: %s before, %s after", name, hash, after[name])
			}
		}
	}

	// What the message says works, and loses nothing.
	db.Close()
	kept, err := Restore(t.Context(), path, copyName(path, newest().version()))
	if err != nil {
		t.Fatal(err)
	}
	if n := count(t, open(t, path), "conversations"); n != 1 {
		t.Errorf("%d conversations; want 1", n)
	}
	if db, err = later(`CREATE TABLE more (x INTEGER);`).open(t.Context(), kept); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if n := count(t, db, "conversations"); n != 2 {
		t.Errorf("%d conversations were kept; want 2", n)
	}
}

// TestTwoReleasesAtOnce upgrades while an older release is at work. It must not be disturbed, and
// when it ends, the upgrade is done.
func TestTwoReleasesAtOnce(t *testing.T) {
	path := store(t)
	older, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	next := later(`ALTER TABLE conversations RENAME TO talks;`) // which the older does not understand
	if _, err := next.open(t.Context(), path); !errors.As(err, new(*UpgradeError)) ||
		!strings.Contains(err.Error(), "close the other editors") {
		t.Fatalf("an upgrade under an older program: %v", err)
	}
	if got := copies(path); len(got) > 0 {
		t.Errorf("the copies are %q", got)
	}
	if err := addConversation(t.Context(), older, "later"); err != nil {
		t.Fatalf("the older program was disturbed: %v", err)
	}

	next.wait = time.Minute
	var db *DB
	var upgrading sync.WaitGroup
	upgrading.Go(func() { db, err = next.open(t.Context(), path) })
	for n := range 20 {
		if err := addConversation(t.Context(), older, fmt.Sprint(n)); err != nil {
			t.Errorf("the older program was disturbed: %v", err)
		}
	}
	older.Close()
	upgrading.Wait()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if n := count(t, db, "talks"); n != 22 {
		t.Errorf("%d conversations; want 22", n)
	}
}

// TestUpgradesAtOnce upgrades one state from several processes, to two releases.
func TestUpgradesAtOnce(t *testing.T) {
	path := store(t)
	one := later(`CREATE TABLE more (x INTEGER); INSERT INTO more VALUES (1);`)
	one.wait = time.Minute
	two := one
	two.steps = append(slices.Clip(one.steps), `INSERT INTO more VALUES (2);`)
	var openers sync.WaitGroup
	for n := range 8 {
		s := []schema{one, two}[n%2]
		openers.Go(func() {
			db, err := s.open(t.Context(), path)
			if err == nil {
				err = db.Close()
			}
			if err != nil && !errors.As(err, new(*NewerError)) {
				t.Error(err)
			}
		})
	}
	openers.Wait()
	db, err := two.open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if n := count(t, db, "more"); n != 2 {
		t.Errorf("%d rows; want 2", n)
	}
}

// schemaOf returns the text of the schema at path.
func schemaOf(t *testing.T, path string) string {
	t.Helper()
	db, err := connect(path, 1, map[string][]string{"mode": {"ro"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var text sql.NullString
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		all = append(all, text.String)
	}
	return strings.Join(all, ";\n")
}
