package edits

import (
	"os"
	"strings"
	"testing"
)

func (b *fixture) resolve(p *Proposal, name, before string) *Proposal {
	b.t.Helper()
	p, err := b.Resolve(b.t.Context(), p.ID, b.path(name), []byte(before))
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

// TestResolve merges a conflict by hand, and takes that back.
func TestResolve(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	ids := idsOf(p.Changes[0].Hunks)
	typed := strings.Replace(lines, "6", "VI", 1)
	b.write("a.txt", typed)
	texts, err := b.MergeTexts(t.Context(), p.ID, b.path("a.txt"))
	if err != nil || string(texts.File.Text) != typed || string(texts.Merged) != strings.Replace(typed, "2\n", "two\nand a half\n", 1) {
		t.Fatalf("%+v, %v", texts, err)
	}
	mine := strings.NewReplacer("2\n", "two\nand a half\n", "VI", "six VI").Replace(typed)
	b.write("a.txt", mine)
	p = b.resolve(p, "a.txt", typed)
	if c := p.Changes[0]; p.Status() != Partial || len(c.Hunks) != 2 || c.Hunks[0].ID != ids[0] || c.Hunks[0].State != Verified || c.EditedAt == 0 {
		t.Errorf("resolved: %s, %+v", p.Status(), p.Changes)
	}
	if placed, err := b.Place(t.Context(), p); err != nil || len(placed) != 1 || placed[0].Path != b.path("b.txt") {
		t.Errorf("what is left: %+v, %v", placed, err)
	}
	b.start() // what it needs is stored
	if b.undo(p); b.disk("a.txt") != typed {
		t.Errorf("undone: %q", b.disk("a.txt"))
	}
	if b.redo(p); b.disk("a.txt") != mine {
		t.Errorf("redone: %q", b.disk("a.txt"))
	}
	if _, err := b.Resolve(t.Context(), p.ID, b.path("a.txt"), []byte(typed)); err == nil || !strings.Contains(err.Error(), "nothing is left to decide for a.txt") {
		t.Errorf("resolving again: %v", err)
	}
}

// TestResolveByChangingNothing rejects what waits in the file.
func TestResolveByChangingNothing(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	p = b.resolve(p, "a.txt", lines)
	if c := p.Changes[0]; c.Hunks[0].State != Rejected || c.Hunks[2].State != Rejected || p.Changes[1].Hunks[0].State != Staged {
		t.Errorf("%+v", p.Changes)
	}
}

// TestResolveOfEachOperation: a file that exists now, one that is gone, and one that has changed since it was to be deleted or
// renamed.
func TestResolveOfEachOperation(t *testing.T) {
	b := newFixture(t, map[string]string{"gone.txt": "x\n", "delete.txt": lines, "rename.txt": lines, "name.txt": ""})
	b.stage("turn", Operation{Op: OpCreate, Path: "new.txt", Text: "theirs\n"})
	b.stage("turn", b.replaceOnce("turn", "gone.txt", "x", "y"))
	b.stage("turn", Operation{Op: OpDelete, Path: "delete.txt"})
	b.stage("turn", Operation{Op: OpRename, Path: "name.txt", To: "other.txt"})
	b.stage("turn", Operation{Op: OpRename, Path: "rename.txt", To: "renamed.txt"})
	p := b.stage("turn", b.replaceOnce("turn", "renamed.txt", "5", "five"))
	for name, text := range map[string]string{"new.txt": "mine\ntheirs\n", "delete.txt": "1\n", "rename.txt": strings.Replace(lines, "5", "V, five", 1)} {
		b.write(name, text)
	}
	p = b.resolve(p, "new.txt", "mine\n")
	p = b.resolve(p, "delete.txt", "one\n"+lines)
	p = b.resolve(p, "rename.txt", strings.Replace(lines, "5", "V", 1))
	os.Remove(b.path("gone.txt"))
	for name, want := range map[string]string{"gone.txt": "does not exist", "name.txt": "only the name of name.txt"} {
		if _, err := b.Resolve(t.Context(), p.ID, b.path(name), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if placed := b.pendingPaths(p); placed != "gone.txt name.txt rename.txt" {
		t.Errorf("these wait: %s", placed)
	}
	if p = b.apply(p, Selection{Files: []string{b.path("rename.txt")}}); !strings.Contains(b.disk("renamed.txt"), "V, five") {
		t.Errorf("renamed: %s", b.tree())
	}
	b.undo(p)
	if b.disk("new.txt") != "mine\n" || b.disk("delete.txt") != "one\n"+lines || b.disk("rename.txt") != strings.Replace(lines, "5", "V", 1) {
		t.Errorf("undone: %s", b.tree())
	}
}

// pendingPaths returns the names of the files in which something waits.
func (b *fixture) pendingPaths(p *Proposal) string {
	var names []string
	for _, name := range []string{"delete.txt", "gone.txt", "name.txt", "new.txt", "rename.txt"} {
		if p.Touches(b.path(name)) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}
