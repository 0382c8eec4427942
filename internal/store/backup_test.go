package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// newBackup creates a database with one conversation, and a backup of it. It returns the
// paths of both, and the database, which is open.
func newBackup(t *testing.T) (path, file string, db *DB) {
	t.Helper()
	dir := t.TempDir()
	path, file = filepath.Join(dir, "state.db"), filepath.Join(dir, "backup file.db")
	db = open(t, path)
	if err := addConversation(t.Context(), db, "saved"); err != nil {
		t.Fatal(err)
	}
	if err := Backup(t.Context(), path, file); err != nil {
		t.Fatal(err)
	}
	return path, file, db
}

func TestBackupOfADatabaseInUse(t *testing.T) {
	path, file, _ := newBackup(t)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the backup has mode %v, %v", info.Mode(), err)
	}
	if names, err := filepath.Glob(file + "?*"); err != nil || len(names) > 0 {
		t.Errorf("there are other files beside the backup: %v, %v", names, err)
	}
	if n := count(t, open(t, file), "conversations"); n != 1 {
		t.Errorf("the backup has %d conversations; want 1", n)
	}
	if err := Backup(t.Context(), path, file); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second backup to one file: %v", err)
	}
	if err := Backup(t.Context(), path+"x", file+"x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a backup of nothing: %v", err)
	}
}

func TestRestore(t *testing.T) {
	path, file, db := newBackup(t)
	if err := addConversation(t.Context(), db, "later"); err != nil {
		t.Fatal(err)
	}
	_, err := Restore(t.Context(), path, file)
	var inUse *InUseError
	if !errors.As(err, &inUse) || inUse.Path != path {
		t.Fatalf("Restore of a database in use: %v", err)
	}
	if n := count(t, db, "conversations"); n != 2 {
		t.Fatalf("%d conversations after a refusal; want 2", n)
	}
	db.Close()
	kept, err := Restore(t.Context(), path, file)
	if err != nil {
		t.Fatal(err)
	}
	if n := count(t, open(t, path), "conversations"); n != 1 {
		t.Errorf("%d conversations; want the backup's 1", n)
	}
	if n := count(t, open(t, kept), "conversations"); n != 2 {
		t.Errorf("%d conversations were kept; want 2", n)
	}
}

func TestRestoreWhereNothingWas(t *testing.T) {
	_, file, _ := newBackup(t)
	path := filepath.Join(t.TempDir(), "workspace", "state.db")
	kept, err := Restore(t.Context(), path, file)
	if err != nil || kept != "" {
		t.Fatalf("Restore = %q, %v", kept, err)
	}
	if n := count(t, open(t, path), "conversations"); n != 1 {
		t.Errorf("%d conversations; want 1", n)
	}
}

func TestRestoreRefusesWhatIsNoBackup(t *testing.T) {
	path, file, db := newBackup(t)
	db.Close()
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	newer := write("newer.db", data)
	other := open(t, newer)
	if _, err := other.writer.Exec("PRAGMA user_version = 99; PRAGMA journal_mode = DELETE"); err != nil {
		t.Fatal(err)
	}
	other.Close()
	empty := write("empty.db", nil)
	damaged := append([]byte{}, data...)
	copy(damaged[len(damaged)/2:], strings.Repeat("damage", 2000))
	for _, test := range []struct{ file, want string }{
		{write("notes.txt", []byte(strings.Repeat("my notes\n", 200))), "not a backup"},
		{write("damaged.db", damaged), "damaged"},
		{empty, "not a backup"},
		{newer, "99"},
		{filepath.Join(dir, "missing.db"), "missing.db"},
	} {
		if _, err := Restore(t.Context(), path, test.file); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Restore of %s: %v; want %q", filepath.Base(test.file), err, test.want)
		}
	}
	if n := count(t, open(t, path), "conversations"); n != 1 {
		t.Errorf("%d conversations after refusals; want 1", n)
	}
}

func TestOpenExclusiveKeepsOthersOut(t *testing.T) {
	path, _, db := newBackup(t)
	db.Close()
	exclusive, err := openExclusive(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := openExclusive(t.Context(), path); err == nil {
		second.Close()
		t.Error("a database was opened exclusively twice")
	}
	exclusive.Close()
	if n := count(t, open(t, path), "conversations"); n != 1 {
		t.Errorf("%d conversations; want 1", n)
	}
}

// TestRestoreReplacesWhatIsNoDatabase and keeps it.
func TestRestoreReplacesWhatIsNoDatabase(t *testing.T) {
	path, file, db := newBackup(t)
	db.Close()
	garbage := strings.Repeat("garbage\n", 1000)
	if err := os.WriteFile(path, []byte(garbage), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "ploke-lsp restore") {
		t.Errorf("Open: %v", err)
	}
	kept, err := Restore(t.Context(), path, file)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(kept); err != nil || string(data) != garbage {
		t.Errorf("%s holds %d bytes, %v", kept, len(data), err)
	}
	if n := count(t, open(t, path), "conversations"); n != 1 {
		t.Errorf("%d conversations; want 1", n)
	}
}

// TestABackupCleansUpAfterAKilledOne and only after one of the same database.
func TestABackupCleansUpAfterAKilledOne(t *testing.T) {
	path, file, _ := newBackup(t)
	folder := filepath.Dir(file)
	leftover, other := filepath.Join(folder, partPrefix(path)+"123-journal"), filepath.Join(folder, partPrefix("/state/other/state.db")+"123")
	for _, name := range []string{leftover, other} {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Backup(t.Context(), path, filepath.Join(folder, "second.db")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(leftover); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file of the killed backup: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("the file of another database's backup: %v", err)
	}
}
