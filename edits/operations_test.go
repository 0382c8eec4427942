package edits

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ploke-lsp/internal/workspace"
)

// isGone reports whether the file does not exist in the turn's view.
func (b *fixture) isGone(turn, name string) bool {
	b.t.Helper()
	_, err := b.Staging.View(Turn{ID: turn}).Read(b.t.Context(), b.path(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.t.Fatal(err)
	}
	return err != nil
}

func (b *fixture) exists(name string) bool {
	_, err := os.Lstat(b.path(name))
	return err == nil
}

func (b *fixture) refused(part string, ops ...Operation) {
	b.t.Helper()
	if _, err := b.Staging.Stage(b.t.Context(), Batch{RequestID: "turn", Operations: ops}); err == nil ||
		!strings.Contains(err.Error(), part) {
		b.t.Errorf("staging %+v: %v; want %q", ops, err, part)
	}
}

func TestRename(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "there.txt": "x"})
	b.stage("turn", b.replaceOnce("turn", "a.txt", "5\n", "five\n"))
	b.stage("turn", Operation{Op: OpRename, Path: "a.txt", To: "deep/b.txt"})
	if !b.isGone("turn", "a.txt") || b.isGone("another", "a.txt") {
		t.Error("the old name is there for the turn, or gone for another")
	}
	b.refused("deep/b.txt", b.replaceOnce("another", "a.txt", "1", "one"))
	b.refused("deep/b.txt", Operation{Op: OpCreate, Path: "a.txt"})
	b.refused("exists already", Operation{Op: OpRename, Path: "deep/b.txt", To: "there.txt"})
	b.refused("(rename)", Operation{Op: OpRename, Path: "there.txt", To: "deep/b.txt"})
	b.refused("the only operation", Operation{Op: OpRename, Path: "there.txt", To: "y"}, Operation{Op: OpDelete, Path: "there.txt"})
	p := b.stage("turn", b.replaceOnce("turn", "deep/b.txt", "7\n", "seven\n"))
	c := p.Changes[0]
	if len(p.Changes) != 1 || c.Op != OpRename || c.Path != b.path("a.txt") || c.To != b.path("deep/b.txt") || len(c.Hunks) != 3 ||
		!c.Hunks[0].Renames {
		t.Fatalf("changes %+v", p.Changes)
	}
	again := b.stage("turn", Operation{Op: OpRename, Path: "deep/b.txt", To: "c.txt"})
	if got := again.Changes[0]; got.To != b.path("c.txt") || got.Hunks[0].ID != c.Hunks[0].ID {
		t.Errorf("renamed again: %+v", got)
	}
	want := "1\n2\n3\n4\nfive\n6\nseven\n8\n9\n"
	if got := b.view("turn", "c.txt"); got != want || !b.isGone("turn", "deep/b.txt") {
		t.Errorf("the turn sees %q", got)
	}
	b.isPatch(again)
	b.write("a.txt", "0\n"+lines) // the person types elsewhere
	if p := b.apply(again, Selection{}); p.Status() != Verified || b.exists("a.txt") || b.disk("c.txt") != "0\n"+want {
		t.Errorf("applied: %s\n%s", p.Status(), b.tree())
	}
}

// isPatch lets git apply the proposal's diff to the current files.
func (b *fixture) isPatch(p *Proposal) {
	b.t.Helper()
	diff, err := b.Preview.Diff(b.t.Context(), p)
	if err != nil {
		b.t.Fatal(err)
	}
	git := exec.Command("git", "apply", "--check", "--verbose", "-")
	git.Dir, git.Stdin = b.dir, strings.NewReader(diff)
	if out, err := git.CombinedOutput(); err != nil {
		b.t.Errorf("git apply: %v\n%s\n%s", err, out, diff)
	}
}

func TestPartsOfARename(t *testing.T) {
	const edited = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"
	for name, tt := range map[string]struct {
		first              int // the hunk that is accepted first
		path, text, before string
	}{
		"the name first": {0, "b.txt", lines, "rename"},
		"the text first": {1, "a.txt", edited, "edit"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": lines})
			b.stage("turn", Operation{Op: OpRename, Path: "a.txt", To: "b.txt"})
			p := b.stage("turn", b.replaceOnce("turn", "b.txt", "5", "five"))
			p = b.apply(p, Selection{Hunks: []string{p.Changes[0].Hunks[tt.first].ID}})
			if p.Status() != Partial || b.disk(tt.path) != tt.text || p.Changes[0].Op != Op(tt.before) {
				t.Errorf("after the first: %s %+v\n%s", p.Status(), p.Changes, b.tree())
			}
			if p = b.apply(p, Selection{Files: []string{"b.txt"}}); p.Status() != Verified || b.exists("a.txt") || b.disk("b.txt") != edited {
				t.Errorf("after the second: %s\n%s", p.Status(), b.tree())
			}
			if p = b.undo(p); p.Status() != Undone || b.exists("b.txt") || b.disk("a.txt") != lines {
				t.Errorf("undone: %s\n%s", p.Status(), b.tree())
			}
			if p = b.redo(p); p.Status() != Verified || b.exists("a.txt") || b.disk("b.txt") != edited {
				t.Errorf("redone: %s\n%s", p.Status(), b.tree())
			}
		})
	}
}

func TestRenameBackAndRenameOfANewFile(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "a\n", "x.txt": "x\n"})
	b.stage("turn", Operation{Op: OpRename, Path: "a.txt", To: "b.txt"})
	b.stage("turn", Operation{Op: OpCreate, Path: "n.txt", Text: "new\n"})
	p := b.stage("turn", Operation{Op: OpRename, Path: "b.txt", To: "a.txt"})
	if len(p.Changes) != 1 || b.isGone("turn", "a.txt") || !b.isGone("turn", "b.txt") {
		t.Errorf("renamed back: %+v", p.Changes)
	}
	p = b.stage("turn", Operation{Op: OpRename, Path: "n.txt", To: "m.txt"})
	if c := p.Changes[0]; c.Op != OpCreate || c.Path != b.path("m.txt") || b.view("turn", "m.txt") != "new\n" || !b.isGone("turn", "n.txt") {
		t.Errorf("a new file under another name: %+v", p.Changes)
	}
}

func TestDelete(t *testing.T) {
	const bom = workspace.ByteOrderMark
	b := newFixture(t, map[string]string{"a.txt": bom + "a\r\nb\r\n", "b.txt": "b\n"})
	mode := b.chmod("a.txt", 0o751)
	var stale *StaleError
	if _, err := b.Staging.Stage(t.Context(), Batch{Operations: []Operation{{Op: OpDelete, Path: "a.txt", BaseHash: workspace.Hash(nil)}}}); !errors.As(err, &stale) {
		t.Errorf("deleting another text: %v", err)
	}
	b.refused("does not exist", Operation{Op: OpDelete, Path: "none.txt"})
	p := b.stage("turn", Operation{Op: OpDelete, Path: "a.txt"})
	if !b.isGone("turn", "a.txt") || !b.exists("a.txt") {
		t.Error("the file is there for the turn, or gone already")
	}
	b.refused("deleted by this proposal", Operation{Op: OpDelete, Path: "a.txt"})
	b.isPatch(b.stage("x", Operation{Op: OpDelete, Path: "b.txt"}))
	if p = b.apply(p, Selection{}); p.Status() != Verified || b.exists("a.txt") {
		t.Errorf("applied: %s\n%s", p.Status(), b.tree())
	}
	if p = b.undo(p); p.Status() != Undone || b.disk("a.txt") != bom+"a\r\nb\r\n" {
		t.Errorf("undone: %s\n%s", p.Status(), b.tree())
	}
	if now := b.mode("a.txt"); now != mode {
		t.Errorf("it came back with mode %v", now)
	}
	b.write("a.txt", bom+"a\r\nbee\r\n")
	if _, err := b.Redo(t.Context(), latest(b.Proposals, p.ID, Selection{})); !errors.As(err, &stale) || stale.Line != 2 {
		t.Errorf("deleting what somebody typed: %v", err)
	}
}

func TestDeleteThenCreate(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "old\n"})
	b.stage("turn", Operation{Op: OpDelete, Path: "a.txt"})
	p := b.stage("turn", Operation{Op: OpCreate, Path: "a.txt", Text: "new\n"})
	if c := p.Changes[0]; len(p.Changes) != 1 || c.Op != OpEdit || b.view("turn", "a.txt") != "new\n" {
		t.Errorf("changes %+v", p.Changes)
	}
	if b.apply(p, Selection{}); b.disk("a.txt") != "new\n" {
		t.Errorf("applied: %q", b.disk("a.txt"))
	}
}

// TestWithdraw lets a turn take back its last change.
func TestWithdraw(t *testing.T) {
	for name, steps := range map[string][]Operation{
		"deleting a new file":       {{Op: OpCreate, Path: "n.txt", Text: "n"}, {Op: OpDelete, Path: "n.txt"}},
		"deleting it renamed":       {{Op: OpCreate, Path: "n.txt"}, {Op: OpRename, Path: "n.txt", To: "m.txt"}, {Op: OpDelete, Path: "m.txt"}},
		"naming it back":            {{Op: OpRename, Path: "a.txt", To: "b.txt"}, {Op: OpRename, Path: "b.txt", To: "c.txt"}, {Op: OpRename, Path: "c.txt", To: "a.txt"}},
		"creating what was deleted": {{Op: OpDelete, Path: "a.txt"}, {Op: OpCreate, Path: "a.txt", Text: lines}},
		"editing it back": {{Op: OpEdit, Path: "a.txt", BaseHash: workspace.Hash([]byte(lines)), Edits: []Edit{{2, 3, "two"}}},
			{Op: OpEdit, Path: "a.txt", BaseHash: workspace.Hash([]byte(strings.Replace(lines, "2", "two", 1))), Edits: []Edit{{2, 5, "2"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": lines})
			var p *Proposal
			for _, d := range steps {
				p = b.stage("turn", d)
			}
			if p = b.get(p); p.Status() != Withdrawn || len(p.Changes) != 1 || b.view("turn", "a.txt") != lines || !b.isGone("turn", "n.txt") {
				t.Errorf("%s: %+v", p.Status(), p.Changes)
			}
			if _, err := b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{})); err == nil || !strings.Contains(err.Error(), "withdrawn") {
				t.Errorf("accepting it: %v", err)
			}
			if next := b.stage("turn", b.replaceOnce("turn", "a.txt", "5", "five")); next.ID == p.ID || next.Status() != Staged {
				t.Errorf("the turn goes on with %+v", next)
			}
		})
	}
	b := newFixture(t, map[string]string{"a.txt": lines})
	b.refused("change nothing", Operation{Op: OpEdit, Path: "a.txt", BaseHash: workspace.Hash([]byte(lines)), Edits: []Edit{{0, 1, "1"}}})
}

// TestRenameOntoWhatIsDeleted moves a file to the name of a deleted one, and back.
func TestRenameOntoWhatIsDeleted(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	b.stage("turn", b.replaceOnce("turn", "a.txt", "5", "five"))
	b.refused("delete it first", Operation{Op: OpRename, Path: "a.txt", To: "b.txt"})
	b.stage("turn", Operation{Op: OpDelete, Path: "b.txt"})
	p := b.stage("turn", Operation{Op: OpRename, Path: "a.txt", To: "b.txt"})
	want := strings.Replace(lines, "5", "five", 1)
	if len(p.Changes) != 2 || !b.isGone("turn", "a.txt") || b.view("turn", "b.txt") != want {
		t.Errorf("the turn sees %q of %+v", b.view("turn", "b.txt"), p.Changes)
	}
	if q := b.stage("turn",
		Operation{Op: OpRename, Path: "b.txt", To: "a.txt"}); b.view("turn", "a.txt") != want || !b.isGone("turn", "b.txt") ||
		len(q.Changes) != 2 {
		t.Errorf("there and back: %+v", q.Changes)
	}
	p = b.stage("turn", Operation{Op: OpRename, Path: "a.txt", To: "b.txt"})
	old := b.tree()
	if p = b.apply(p, Selection{}); p.Status() != Verified || b.exists("a.txt") || b.disk("b.txt") != want {
		t.Errorf("applied: %s\n%s", p.Status(), b.tree())
	}
	if b.undo(p); b.tree() != old {
		t.Errorf("undone: the folder was\n%s\nand is\n%s", old, b.tree())
	}
}

// TestOperationsThatNoLongerFit changes the files before the person accepts.
func TestOperationsThatNoLongerFit(t *testing.T) {
	move := Operation{Op: OpRename, Path: "a.txt", To: "b.txt"}
	for name, tt := range map[string]struct {
		op        Operation
		meanwhile func(b *fixture)
		part      string // of the error; "": it counts as done
	}{
		"renamed, and gone":           {move, func(b *fixture) { os.Remove(b.path("a.txt")) }, "a.txt no longer exists"},
		"renamed, and the name taken": {move, func(b *fixture) { b.write("b.txt", "theirs") }, "b.txt exists now"},
		"renamed, by hand":            {move, func(b *fixture) { os.Rename(b.path("a.txt"), b.path("b.txt")) }, ""},
		"deleted, and changed":        {Operation{Op: OpDelete, Path: "a.txt"}, func(b *fixture) { b.write("a.txt", lines+"10\n") }, "line 10"},
		"deleted, by hand":            {Operation{Op: OpDelete, Path: "a.txt"}, func(b *fixture) { os.Remove(b.path("a.txt")) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": lines})
			p := b.stage("turn", tt.op)
			tt.meanwhile(b)
			before := b.tree()
			if tt.part == "" {
				if p = b.apply(p, Selection{}); p.Status() != Verified {
					t.Errorf("status %s", p.Status())
				}
			} else if _, err := b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{})); err == nil ||
				!strings.Contains(err.Error(), tt.part) {
				t.Errorf("Accept: %v", err)
			} else if p = b.get(p); p.Status() != Stale {
				t.Errorf("status %s", p.Status())
			}
			if got := b.tree(); got != before {
				t.Errorf("the folder has changed from\n%s\nto\n%s", before, got)
			}
		})
	}
}

// TestRenameAcrossRoots moves a file to another folder of the workspace.
func TestRenameAcrossRoots(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "a\n"})
	other := newFixture(t, nil)
	if err := b.ws.AddRoot(other.dir); err != nil {
		t.Fatal(err)
	}
	p := b.stage("turn", Operation{Op: OpRename, Path: b.path("a.txt"), To: other.path("sub/a.txt")})
	if p = b.apply(p, Selection{}); p.Status() != Verified || b.exists("a.txt") || other.disk("sub/a.txt") != "a\n" {
		t.Errorf("%s\n%s%s", p.Status(), b.tree(), other.tree())
	}
}
