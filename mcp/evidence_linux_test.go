package mcp_test

import (
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/mcp"
	"ploke-lsp/project"
	"ploke-lsp/tools"
)

// allow stores that commands may run in a sandbox on copies of the folder, as an editor does when its person says so.
func (w *world) allow(stateDir string) {
	w.t.Helper()
	db, err := store.Open(w.t.Context(), filepath.Join(store.Folder(stateDir, w.root), "state.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	err = db.Write(w.t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO permissions (key, allowed, title, created_at) VALUES (?, 1, 'commands', 1)`,
			tools.SandboxPermission(w.root, nil).Key)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestAnEditSaysWhetherItBuilds once commands are allowed for the folder, and so does the status.
func TestAnEditSaysWhetherItBuilds(t *testing.T) {
	_, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
	state := t.TempDir()
	w := newWorld(t, func(o *mcp.Options) { o.Project.StateDir = state })
	w.write("go.mod", "module m\n\ngo 1.21\n")
	c := w.connect(nil)
	edit := func(old, new string) string {
		text, _ := c.call("edit", map[string]any{"edits": []any{map[string]any{"file": "greet.go", "old": old, "new": new}}})
		return text
	}
	if got := edit(`"hello " + name`, `"hi " + name`); strings.Contains(got, "go vet") {
		t.Errorf("it ran without a permission: %s", got)
	}
	w.allow(state)
	if got := edit(`"hi " + name`, `"hi " + 1`); !strings.Contains(got, "go vet: 1 new problem") || !strings.Contains(got, "greet.go:4:") {
		t.Errorf("the edit says %s", got)
	}
	if got := edit(`"hi " + 1`, `"hi"`); !strings.Contains(got, "go vet: passed") {
		t.Errorf("the edit says %s", got)
	}
	if got, _ := c.call("status", nil); !strings.Contains(got, "go vet: passed") {
		t.Errorf("the status says %s", got)
	}
	w.write("other.go", "package main\n")
	if got, _ := c.call("status", nil); !strings.Contains(got, "go vet: stale: the files have changed since") {
		t.Errorf("after a change of the files the status says %s", got)
	}
}

// TestTheStatusHasWhatAnEditDoesNotWaitFor has a check that goes on until it is told to end.
func TestTheStatusHasWhatAnEditDoesNotWaitFor(t *testing.T) {
	t.Parallel()
	_, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
	state := t.TempDir()
	const slow = `{"checks": {"slow": {"on": "proposal", "command":
		["sh", "-c", "touch $HOME/began; until test -e $HOME/enough; do sleep 0.1; done"]}}}`
	w := newWorld(t, func(o *mcp.Options) {
		o.Project.StateDir, o.Project.Settings = state, project.NewSettings(config.FromJSON("the test", []byte(slow)))
	})
	w.allow(state)
	c := w.connect(nil)
	answer := ""
	testbed.Returns(t, func() {
		one := map[string]any{"file": "greet.go", "old": `"hello " + name`, "new": `"hi " + name`}
		answer, _ = c.call("edit", map[string]any{"edits": []any{one}})
	}, "the edit")
	if !strings.Contains(answer, "slow: running") {
		t.Errorf("the edit says %s", answer)
	}
	began := ""
	testbed.Eventually(t, func() bool {
		_ = filepath.WalkDir(state, func(path string, _ fs.DirEntry, _ error) error {
			if filepath.Base(path) == "began" {
				began = path
			}
			return nil
		})
		return began != ""
	}, func() string { return "the check has not begun" })
	if err := os.WriteFile(filepath.Join(filepath.Dir(began), "enough"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	testbed.Eventually(t, func() bool { answer, _ = c.call("status", nil); return strings.Contains(answer, "slow: passed") },
		func() string { return "the status says " + answer })
}
