package acp_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
)

// TestWhatIsWrittenAndNotRecordedIsCompleted has the store fail once the client has written an accepted edit.
func TestWhatIsWrittenAndNotRecordedIsCompleted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("done"))
	c := f.start(acptest.Options{Capabilities: files, OnPermission: choose("accept"), OnWrite: func(path, _ string) error {
		f.exec(`CREATE TRIGGER fail BEFORE UPDATE ON proposals BEGIN SELECT RAISE(ABORT, 'disk full'); END`)
		return nil
	}})
	id := c.New(f.root)
	c.Prompt(id, "Edit it.")
	f.exec(`DROP TRIGGER fail`)
	if shown := proposals(c, id); shown[0].Status != protocol.StatusCompleted {
		t.Errorf("shown: %+v", shown)
	}
	if said := c.Said(id, protocol.AgentThoughtChunk); !strings.Contains(said, "disk full") {
		t.Errorf("the person reads %q", said)
	}
}

// exec changes the database behind the agent's back.
func (f *fixture) exec(statement string) {
	f.t.Helper()
	all, err := filepath.Glob(filepath.Join(f.StateDir, "*", "state.db"))
	if err != nil || len(all) != 1 {
		f.t.Fatalf("the databases are %q: %v", all, err)
	}
	db, err := sql.Open("sqlite3", "file:"+all[0])
	if err != nil {
		f.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		f.t.Error(err)
	}
}
