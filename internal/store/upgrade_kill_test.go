package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ploke-lsp/internal/testbed"
)

// upgradeVariable names the state that this program upgrades instead of running tests.
const upgradeVariable = "PLOKE_TEST_UPGRADE"

func TestMain(m *testing.M) {
	if path := os.Getenv(upgradeVariable); path != "" {
		db, err := largeUpgrade().open(context.Background(), path)
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// largeUpgrade changes every conversation in two steps.
func largeUpgrade() schema {
	return later(`UPDATE conversations SET title = title || '1'`, `UPDATE conversations SET title = title || '2'`)
}

// TestAKilledUpgradeLeavesTheOldOrTheNew kills upgrades at moments that are spread over their work.
// The state is then whole in the old or the new version. Once it is the new one, the copy has all of the old.
func TestAKilledUpgradeLeavesTheOldOrTheNew(t *testing.T) {
	const conversations = 10_000
	base := store(t)
	fill(t, base, conversations-1)
	size := folderSize(base)
	upgrade := func(path string, killAt int64) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), upgradeVariable+"="+path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { cmd.Wait(); close(ended) }()
		for killAt > 0 && folderSize(path) < killAt { // without a pause, to kill at that moment
			select {
			case <-ended:
				return
			default:
			}
		}
		if killAt > 0 {
			cmd.Process.Kill()
		}
		<-ended
	}
	place := func() string {
		path := filepath.Join(t.TempDir(), "state.db")
		data, err := os.ReadFile(base)
		if err == nil {
			err = os.WriteFile(path, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	kills, upgraded, copied := testbed.Count(8, 2), 0, 0
	for n := range kills {
		path := place()
		upgrade(path, size+1+2*size*int64(n)/int64(kills)) // the copy and the journal are about as large as the state
		if len(copies(path)) > 0 {
			copied++
		}
		if titled(t, newest(), path, "") == conversations {
			upgrade(path, 0) // the next start does it, whatever was left
		} else {
			upgraded++
		}
		if got := titled(t, largeUpgrade(), path, "12"); got != conversations {
			t.Fatalf("after kill %d: %d conversations are upgraded; want %d", n, got, conversations)
		}
		if got := titled(t, newest(), copyName(path, newest().version()), ""); got != conversations {
			t.Fatalf("after kill %d: the copy has %d conversations; want %d", n, got, conversations)
		}
		if entries, _ := filepath.Glob(filepath.Join(filepath.Dir(path), partPrefix(path)+"*")); len(entries) > 0 {
			t.Errorf("after kill %d there are unfinished copies: %q", n, entries)
		}
	}
	t.Logf("of %d killed upgrades %d had made their copy, and %d were complete", kills, copied, upgraded)
	if upgraded == kills {
		t.Error("every upgrade was complete before its kill, so this test proves nothing")
	}
}

// folderSize returns the size of all files in the folder of a state, in bytes.
func folderSize(path string) (size int64) {
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // else it is gone
			size += info.Size()
		}
	}
	return size
}

// fill adds conversations to a state.
func fill(t *testing.T, path string, n int) {
	t.Helper()
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO conversations (id, created_at, updated_at) SELECT hex(randomblob(50)), 1, 1 FROM n`, n))
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// titled returns how many conversations of the state at path have a title, and checks the whole file. It
// returns -1 if the state is newer than s.
func titled(t *testing.T, s schema, path, title string) (n int) {
	t.Helper()
	if _, err := s.versionOf(t.Context(), path); errors.As(err, new(*NewerError)) {
		return -1
	}
	db, err := s.open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if verdict := pragma(t, db.Read(), "integrity_check"); verdict != "ok" {
		t.Fatalf("%s is damaged: %s", path, verdict)
	}
	if err := db.Read().QueryRow(`SELECT count(*) FROM conversations WHERE title = ?`, title).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
