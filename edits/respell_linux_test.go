package edits

import (
	"errors"
	"testing"

	"ploke-lsp/internal/workspace"
)

// TestAFolderThatTellsNamesApart has a folder that tells names apart on a disk that does not, as
// on Windows with its subsystem for Linux. No file is lost there.
func TestAFolderThatTellsNamesApart(t *testing.T) {
	b := newFixture(t, map[string]string{"Foo.txt": lines})
	workspace.Assume(b.dir, workspace.NameRules{Folds: true})
	b.start()
	rename := Operation{Op: OpRename, Path: "Foo.txt", To: "foo.txt"}
	p := b.stage("turn", rename)
	plan := b.accept(p, Selection{})
	b.write("foo.txt", "theirs")
	var stale *StaleError
	if err := b.WriteToDisk(t.Context(), plan); !errors.As(err, &stale) {
		t.Errorf("WriteToDisk: %v", err)
	}
	p = b.settle(plan, Outcome{Reason: "stale"})
	if _, err := b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{})); !errors.As(err, &stale) {
		t.Errorf("Accept: %v", err)
	}
	b.refused("exists already", rename)
	if b.disk("Foo.txt") != lines || b.disk("foo.txt") != "theirs" {
		t.Errorf("the folder is\n%s", b.tree())
	}
}
