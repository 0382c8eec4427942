package edits

import (
	"database/sql"
	"errors"
	"os"
	"strings"
	"testing"

	"ploke-lsp/internal/workspace"
)

// undo undoes p, writes and settles.
func (b *fixture) undo(p *Proposal) *Proposal {
	b.t.Helper()
	plan, err := b.Undo(b.t.Context(), latest(b.Proposals, p.ID, Selection{}))
	return b.carryOut(plan, err)
}

func (b *fixture) redo(p *Proposal) *Proposal {
	b.t.Helper()
	plan, err := b.Redo(b.t.Context(), latest(b.Proposals, p.ID, Selection{}))
	return b.carryOut(plan, err)
}

func (b *fixture) carryOut(plan *Plan, err error) *Proposal {
	b.t.Helper()
	if err == nil {
		err = b.WriteToDisk(b.t.Context(), plan)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return b.settle(plan, Outcome{Applied: true})
}

// TestUndoOfWhatWasAcceptedInSteps undoes changes of one file that build on each other.
func TestUndoOfWhatWasAcceptedInSteps(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	ids := idsOf(p.Changes[0].Hunks)
	p = b.apply(p, Selection{Hunks: ids[1:2]})
	p = b.apply(p, Selection{Hunks: ids[:1]})
	p = b.apply(p, Selection{Files: []string{"b.txt"}})
	applied := b.disk("a.txt")
	if p = b.undo(p); p.Status() != Partial || p.hunk(ids[0]).State != Undone || p.hunk(ids[2]).State != Staged {
		t.Errorf("undone: %+v", p.Changes)
	}
	if b.disk("a.txt") != lines || b.disk("b.txt") != "b\n" {
		t.Errorf("undone: %q, %q", b.disk("a.txt"), b.disk("b.txt"))
	}
	if p = b.redo(p); b.disk("a.txt") != applied || b.disk("b.txt") != "B\n" || p.hunk(ids[0]).State != Verified {
		t.Errorf("redone: %q", b.disk("a.txt"))
	}
	if _, err := b.Redo(t.Context(), latest(b.Proposals, p.ID, Selection{})); err == nil || !strings.Contains(err.Error(), "partial") {
		t.Errorf("redoing again: %v", err)
	}
	p = b.undo(p)
	b.write("a.txt", "0\n"+lines)
	p = b.redo(p)
	b.start()
	if p = b.undo(p); b.disk("a.txt") != "0\n"+lines {
		t.Errorf("undone after redoing elsewhere: %q", b.disk("a.txt"))
	}
}

func TestUndoAfterSomebodyTyped(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := b.apply(stageThreeHunks(b), Selection{})
	applied := b.disk("a.txt")
	b.write("a.txt", "0\n"+strings.Replace(applied, "9\n", "nine\n", 1))
	p = b.undo(p)
	elsewhere := "0\n" + strings.Replace(lines, "9\n", "nine\n", 1)
	if got := b.disk("a.txt"); got != elsewhere || p.Status() != Undone {
		t.Errorf("undone: %s, %q", p.Status(), got)
	}
	p = b.redo(p)
	if got := b.disk("a.txt"); got != "0\n"+strings.Replace(applied, "9\n", "nine\n", 1) {
		t.Errorf("redone: %q", got)
	}
	b.start() // what the redo rebased must be stored
	if p = b.undo(b.get(p)); b.disk("a.txt") != elsewhere {
		t.Errorf("undone again: %q", b.disk("a.txt"))
	}
	p = b.redo(p)
	b.write("a.txt", strings.Replace(b.disk("a.txt"), "six", "SIX", 1))
	before, changes := b.tree(), len(b.changes)
	var stale *StaleError
	if _, err := b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{})); !errors.As(err, &stale) || stale.Path != b.path("a.txt") ||
		stale.Line != 7 {
		t.Errorf("undoing where somebody typed: %v", err)
	}
	if b.tree() != before || len(b.changes) != changes || b.get(p).Status() != Verified {
		t.Error("a refused undo changed something")
	}
}

// TestUndoKnowsWhereItWasRedone makes two places look alike after the redo. Only the stored
// change tells which one to undo.
func TestUndoKnowsWhereItWasRedone(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "1\n2\nx\n3\n4\n"})
	p := b.undo(b.apply(b.stage("turn", b.replaceOnce("turn", "a.txt", "x\n", "")), Selection{}))
	const typed = "new\n1\n2\nx\n3\n4\n1\n2\n3\n4\nend\n"
	b.write("a.txt", typed)
	p = b.redo(p)
	if got := b.disk("a.txt"); got != "new\n1\n2\n3\n4\n1\n2\n3\n4\nend\n" {
		t.Errorf("redone: %q", got)
	}
	if b.undo(p); b.disk("a.txt") != typed {
		t.Errorf("undone: %q", b.disk("a.txt"))
	}
}

func TestUndoOfANewFileThatSomebodyFilled(t *testing.T) {
	b := newFixture(t, nil)
	p := b.apply(b.stage("turn", Operation{Op: OpCreate, Path: "n.txt", Text: "one\ntwo\n"}), Selection{})
	b.write("n.txt", "one\ntwo\nthree\n")
	var stale *StaleError
	if _, err := b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{})); !errors.As(err, &stale) || stale.Line != 3 {
		t.Errorf("deleting what was typed: %v", err)
	}
	os.Remove(b.path("n.txt"))
	if p = b.undo(p); p.Status() != Undone {
		t.Errorf("taken back by hand: %s", p.Status())
	}
}

// TestUndoThatFails leaves the proposal as it is, so it can be tried again.
func TestUndoThatFails(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "a\n"})
	p := b.apply(b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A")), Selection{})
	plan, err := b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{})); err == nil || !strings.Contains(err.Error(), "being undone") {
		t.Errorf("undoing twice at once: %v", err)
	}
	if p = b.settle(plan, Outcome{Reason: "the editor said no"}); p.Status() != Verified || p.DecisionReason != "the editor said no" {
		t.Errorf("status %s, %q", p.Status(), p.DecisionReason)
	}
	if p = b.undo(p); p.Status() != Undone || b.disk("a.txt") != "a\n" || p.DecisionReason != "" {
		t.Errorf("status %s, %q, %q", p.Status(), b.disk("a.txt"), p.DecisionReason)
	}
}

// TestUndoOfWhatIsNotSeen has an editor that applied a change without sending the text.
func TestUndoOfWhatIsNotSeen(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "a\n"})
	p := b.settle(b.accept(b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A")), Selection{}), Outcome{Applied: true})
	if _, err := b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{})); p.Status() != Applied || err == nil ||
		!strings.Contains(err.Error(), "save the file") {
		t.Errorf("undoing a change that is %s: %v", p.Status(), err)
	}
	b.write("a.txt", "A\n") // it was saved
	if p = b.undo(p); p.Status() != Undone || b.disk("a.txt") != "a\n" {
		t.Errorf("status %s, %q", p.Status(), b.disk("a.txt"))
	}
}

func TestEditFile(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": strings.ReplaceAll(lines, "\n", "\r\n"), "mixed.txt": "caf\xe9 caf\xc3\xa9\n", "latin.txt": "caf\xe9\n", "gone.txt": "x\n"})
	p := b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"), b.replaceOnce("turn", "a.txt", "8", "eight"))
	ids := idsOf(p.Changes[0].Hunks)
	p = b.editFile(p, "a.txt", strings.Replace(lines, "2\n", "TWO\n", 1)+"10\n") // an editor's text field drops the CRs
	hunks := p.Changes[0].Hunks
	if len(hunks) != 2 || hunks[0].ID != ids[0] || hunks[1].ID == ids[1] || hunks[0].Edit.New != "TWO\r\n" {
		t.Errorf("hunks %+v", hunks)
	}
	if _, err := b.EditFile(t.Context(), latest(b.Proposals, p.ID, Selection{}), "a.txt", lines); err == nil ||
		!strings.Contains(err.Error(), "reject") {
		t.Errorf("editing until nothing is left: %v", err)
	}
	p = b.apply(p, Selection{})
	if got, want := b.disk("a.txt"), strings.ReplaceAll(strings.Replace(lines, "2", "TWO", 1)+"10\n", "\n", "\r\n"); got != want {
		t.Errorf("applied: %q; want %q", got, want)
	}
	if _, err := b.EditFile(t.Context(), latest(b.Proposals, p.ID, Selection{}), "a.txt", "x"); err == nil ||
		!strings.Contains(err.Error(), "left to decide") {
		t.Errorf("editing an applied change: %v", err)
	}
	q := b.stage("2", b.replaceOnce("2", "latin.txt", "\n", "!\n"))
	q = b.stage("2", Operation{Op: OpRename, Path: "mixed.txt", To: "moved.txt"})
	q = b.stage("2", Operation{Op: OpDelete, Path: "gone.txt"})
	for name, part := range map[string]string{"latin.txt": "'€'", "moved.txt": "UTF-8", "gone.txt": "deleted"} {
		if _, err := b.EditFile(t.Context(), latest(b.Proposals, q.ID, Selection{}), name, "€"); err == nil ||
			!strings.Contains(err.Error(), part) {
			t.Errorf("editing %s: %v", name, err)
		}
	}
}

func (b *fixture) editFile(p *Proposal, name, after string) *Proposal {
	b.t.Helper()
	p, err := b.EditFile(b.t.Context(), latest(b.Proposals, p.ID, Selection{}), name, after)
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

func TestEditFileOfEachOperation(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines})
	b.stage("turn", Operation{Op: OpCreate, Path: "n.go", Text: "package n\n"})
	p := b.stage("turn", Operation{Op: OpRename, Path: "a.txt", To: "b.txt"})
	p = b.editFile(p, "n.go", "package n\n\nfunc {\n")
	if len(b.pending(p, b.path("n.go")).Problems) == 0 {
		t.Error("a new syntax error is not reported")
	}
	p = b.editFile(p, "n.go", "package m\n")
	p = b.editFile(p, "b.txt", "0\n"+lines)
	if p = b.apply(p, Selection{}); p.Status() != Verified || b.disk("n.go") != "package m\n" || b.disk("b.txt") != "0\n"+lines {
		t.Errorf("%s\n%s", p.Status(), b.tree())
	}
}

func TestCollect(t *testing.T) {
	long := strings.Repeat("text\n", 100)
	b := newFixture(t, map[string]string{"open.txt": "open\n" + long, "old.txt": "old\n" + long, "new.txt": "new\n" + long})
	open := b.stage("1", b.replaceOnce("1", "open.txt", "open", "closed"))
	old := b.apply(b.stage("2", Operation{Op: OpDelete, Path: "old.txt"}), Selection{})
	new := b.apply(b.stage("3", Operation{Op: OpDelete, Path: "new.txt"}), Selection{})
	stray := []byte("of no proposal, yet")
	if err := b.Proposals.db.Write(t.Context(),
		func(tx *sql.Tx) error { return packTexts([][]byte{stray})[0].save(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
	if err := b.Proposals.Collect(t.Context(), 0, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Proposals.text(t.Context(), workspace.Hash(stray)); err != nil {
		t.Errorf("a text that was stored just now: %v", err)
	}
	if err := b.Proposals.collect(t.Context(), bounds{bytes: int64(len(long) + 10)}, open.CreatedAt.AddDate(1, 0, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Proposals.text(t.Context(), workspace.Hash(stray)); err == nil {
		t.Error("an unused text is kept")
	}
	if _, err := b.Undo(t.Context(), latest(b.Proposals, old.ID, Selection{})); err == nil || !strings.Contains(err.Error(), "not kept") {
		t.Errorf("undoing a proposal beyond the limit: %v", err)
	}
	if p := b.undo(new); p.Status() != Undone {
		t.Errorf("undoing a proposal within the limit: %s", p.Status())
	}
	b.write("open.txt", b.disk("open.txt")+"end\n")
	if p := b.apply(open, Selection{}); p.Status() != Verified {
		t.Errorf("accepting an undecided proposal: %s", p.Status())
	}
}

// TestUndoRemovesTheFoldersOfNewFiles removes them unless they are in use.
func TestUndoRemovesTheFoldersOfNewFiles(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "a\n", "there/b.txt": "b\n"})
	b.stage("turn", Operation{Op: OpCreate, Path: "new/deep/n.txt", Text: "n\n"})
	b.stage("turn", Operation{Op: OpCreate, Path: "new/deep/m.txt"})
	b.stage("turn", Operation{Op: OpRename, Path: "there/b.txt", To: "other/b.txt"})
	p := b.stage("turn", Operation{Op: OpCreate, Path: "there/n.txt"})
	old := b.tree()
	p = b.apply(p, Selection{Files: []string{"new/deep/m.txt", "there/b.txt"}})
	p = b.apply(p, Selection{})
	new := b.tree()
	for range 2 {
		b.start() // the created folders must be stored
		if p = b.undo(p); b.tree() != old {
			t.Fatalf("undone: the folder was\n%s\nand is\n%s", old, b.tree())
		}
		if p = b.redo(p); b.tree() != new {
			t.Fatalf("redone: the folder was\n%s\nand is\n%s", new, b.tree())
		}
	}
	b.write("new/theirs.txt", "")
	if b.undo(p); b.exists("new/deep") || !b.exists("new/theirs.txt") || b.exists("other") {
		t.Errorf("undone: %s", b.tree())
	}
}

// TestUndoOfADeletionBringsFoldersBack removes the folders again on redo.
func TestUndoOfADeletionBringsFoldersBack(t *testing.T) {
	b := newFixture(t, map[string]string{"in/a.txt": "a\n"})
	p := b.apply(b.stage("turn", Operation{Op: OpDelete, Path: "in/a.txt"}), Selection{})
	if !b.exists("in") {
		t.Error("a folder that was there before is gone")
	}
	os.Remove(b.path("in"))
	if p = b.undo(p); b.disk("in/a.txt") != "a\n" {
		t.Errorf("undone: %s", b.tree())
	}
	if b.redo(p); b.exists("in") {
		t.Errorf("redone: %s", b.tree())
	}
}

// TestCreateDirs covers an editor that creates no folders.
func TestCreateDirs(t *testing.T) {
	b := newFixture(t, nil)
	old := b.tree()
	p := b.stage("turn", Operation{Op: OpCreate, Path: "new/deep/n.txt", Text: "n\n"})
	plan := b.accept(p, Selection{})
	tidy, err := b.CreateDirs(plan)
	if err != nil || !b.exists("new/deep") {
		t.Fatalf("no folder: %v", err)
	}
	if tidy(); b.tree() != old {
		t.Errorf("nothing was put into them: %s", b.tree())
	}
	b.settle(plan, Outcome{Reason: "no"})
	plan = b.accept(p, Selection{})
	if tidy, err = b.CreateDirs(plan); err != nil {
		t.Fatal(err)
	}
	b.write("new/deep/n.txt", "n\n")
	tidy()
	p = b.settle(plan, Outcome{Applied: true})
	plan, err = b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{}))
	if err != nil {
		t.Fatal(err)
	}
	if tidy, err = b.CreateDirs(plan); err != nil {
		t.Fatal(err)
	}
	os.Remove(b.path("new/deep/n.txt"))
	tidy()
	if b.settle(plan, Outcome{Applied: true}); b.tree() != old {
		t.Errorf("undone by an editor: %s", b.tree())
	}
}

// TestUndoInAnEditorThatKeepsADeletedFileOpen: the file is gone from the disk, and its text is
// still in a window.
func TestUndoInAnEditorThatKeepsADeletedFileOpen(t *testing.T) {
	b := newFixture(t, nil)
	p := b.apply(b.stage("turn", Operation{Op: OpCreate, Path: "a.txt", Text: "a\n"}), Selection{})
	b.ws.SetBuffer(b.path("a.txt"), 1, []byte("a\n"))
	plan, err := b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{}))
	if err != nil {
		t.Fatal(err)
	}
	if p = b.settle(plan, Outcome{Applied: true}); p.Status() != Verified {
		t.Errorf("while the file is on disk it is %s", p.Status())
	}
	if plan, err = b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{})); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(b.path("a.txt")); err != nil {
		t.Fatal(err)
	}
	if p = b.settle(plan, Outcome{Applied: true}); p.Status() != Undone {
		t.Errorf("it is %s", p.Status())
	}
}
