package trial_test

import (
	"os"
	"path/filepath"
	"testing"

	"ploke-lsp/internal/trial"
)

// TestATickIsBetweenTheChangesBeforeAndAfter writes at once before one and after one, with the size and the time of
// modification that the file had.
func TestATickIsBetweenTheChangesBeforeAndAfter(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "a.txt")
	save := func(text string) {
		was, statErr := os.Stat(file)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if statErr != nil {
			return
		}
		if err := os.Chtimes(file, was.ModTime(), was.ModTime()); err != nil {
			t.Fatal(err)
		}
	}
	moved := func() bool {
		moved, err := trial.Moved(folder, trial.Tick(), func(string) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		return moved
	}
	for range 25 {
		save("before")
		if moved() {
			t.Fatal("a change from before a tick is taken for one after it")
		}
		since := trial.Tick()
		save("after!")
		if moved, err := trial.Moved(folder, since, func(string) bool { return false }); err != nil || !moved {
			t.Fatalf("a change just after a tick goes unseen: %v", err)
		}
		if err := os.WriteFile(file+"~", nil, 0o600); err != nil {
			t.Fatal(err)
		}
		since = trial.Tick()
		if err := os.Remove(file + "~"); err != nil {
			t.Fatal(err)
		}
		if moved, err := trial.Moved(folder, since, func(string) bool { return false }); err != nil || !moved {
			t.Fatalf("a file that is removed just after a tick goes unseen: %v", err)
		}
	}
}
