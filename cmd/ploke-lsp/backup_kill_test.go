package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
)

// TestAKilledBackupLeavesACompleteFileOrNone kills backup at moments that are spread over
// its work. What has the name of the backup can be restored, and the next backup leaves
// no other file.
func TestAKilledBackupLeavesACompleteFileOrNone(t *testing.T) {
	const conversations = 60_000
	state, root, saved := t.TempDir(), manyFiles(t, 1), t.TempDir()
	path := filepath.Join(store.Folder(state, root), "state.db")
	change(t, path, fmt.Sprintf(`
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO conversations (id, title, created_at, updated_at) SELECT i, hex(randomblob(50)), 1, 1 FROM n`, conversations))
	whole, err := os.Stat(path)
	check(t, err)
	moments, kills, complete, unfinished := testbed.Count(12, 4), 0, 0, 0
	for kills < moments || unfinished == 0 && kills < 10*moments { // on a busy machine each of a few may come too late
		i := kills % moments
		kills++
		file := filepath.Join(saved, fmt.Sprintf("%d.db", kills))
		p := program(t, "backup", "--state-dir", state, "--workspace", root, file)
		check(t, p.Start())
		ended := make(chan struct{})
		go func() { p.Wait(); close(ended) }()
		awaitBackup(saved, file, whole.Size()*int64(i)/int64(moments*3/4), ended)
		p.Process.Kill() // it may have ended
		<-ended
		if _, err := os.Stat(file); os.IsNotExist(err) {
			unfinished++
			continue
		}
		complete++
		restored := filepath.Join(t.TempDir(), "state.db")
		if _, err := store.Restore(t.Context(), restored, file); err != nil {
			t.Fatalf("after kill %d: %v", kills, err)
		}
		if n := countConversations(t, restored); n != conversations {
			t.Fatalf("after kill %d the backup has %d conversations; want %d", kills, n, conversations)
		}
		check(t, os.Remove(file))
	}
	t.Logf("%d kills left %d files", kills, complete)
	if unfinished == 0 {
		t.Error("every backup was complete before its kill, so this test proves nothing")
	}
	last := filepath.Join(saved, "last.db")
	check(t, program(t, "backup", "--state-dir", state, "--workspace", root, last).Run())
	entries, err := os.ReadDir(saved)
	check(t, err)
	if len(entries) != 1 || countConversations(t, last) != conversations {
		t.Errorf("the files are %v", entries)
	}
}

// awaitBackup waits until the files of a folder have a size together, or the backup has
// its name, or its process has ended.
func awaitBackup(folder, file string, size int64, ended <-chan struct{}) {
	for { // without a pause, to kill at that moment
		var now int64
		entries, _ := os.ReadDir(folder)
		for _, e := range entries {
			if info, err := e.Info(); err == nil {
				now += info.Size()
			}
		}
		select {
		case <-ended:
			return
		default:
		}
		if named := slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == filepath.Base(file) }); len(entries) > 0 &&
			(named || now >= size) {
			return
		}
	}
}

func countConversations(t *testing.T, path string) (n int) {
	t.Helper()
	db, err := store.Open(t.Context(), path)
	check(t, err)
	defer db.Close()
	check(t, db.Read().QueryRow(`SELECT count(*) FROM conversations`).Scan(&n))
	return n
}
