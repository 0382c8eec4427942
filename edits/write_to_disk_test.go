package edits

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/edits/rooted"
)

// leftovers returns the temporary files in the folder.
func (b *fixture) leftovers() (names []string) {
	filepath.WalkDir(b.dir, func(path string, d os.DirEntry, err error) error {
		if strings.HasPrefix(d.Name(), ".ploke-") {
			names = append(names, path)
		}
		return err
	})
	return names
}

func TestAllFilesOrNone(t *testing.T) {
	tests := map[string]struct {
		meanwhile func(b *fixture)
		part      string // of the message
	}{
		"the last file changed":       {func(b *fixture) { b.write("z.txt", "z\nchanged\n") }, "line 2"},
		"the last file is gone":       {func(b *fixture) { os.Remove(b.path("z.txt")) }, "z.txt"},
		"the new file is there":       {func(b *fixture) { b.write("new/n.txt", "theirs") }, "n.txt"},
		"the last file is open":       {func(b *fixture) { b.ws.SetBuffer(b.path("z.txt"), 1, []byte("z\n")) }, "open in an editor"},
		"a file is where a folder is": {func(b *fixture) { b.write("new", "a file") }, "new"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": "a\n", "z.txt": "z\n"})
			b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"))
			b.stage("turn", Operation{Op: OpCreate, Path: "new/n.txt", Text: "mine"})
			p := b.stage("turn", b.replaceOnce("turn", "z.txt", "z", "Z"))
			plan := b.accept(p, Selection{})
			tt.meanwhile(b)
			before := b.tree()
			err := b.WriteToDisk(t.Context(), plan)
			if err == nil || !strings.Contains(err.Error(), tt.part) {
				t.Errorf("WriteToDisk: %v", err)
			}
			if got := b.tree(); got != before {
				t.Errorf("the folder has changed from\n%s\nto\n%s", before, got)
			}
			if p := b.settle(plan, Outcome{Reason: err.Error()}); b.pending(p, b.path("a.txt")) == nil {
				t.Errorf("status %s; want it to be open again", p.Status())
			}
		})
	}
}

// tree returns everything in the folder as text.
func (b *fixture) tree() string {
	var out strings.Builder
	err := filepath.WalkDir(b.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			out.WriteString(path + "\n")
			return err
		}
		data, err := os.ReadFile(path)
		out.WriteString(path + ": " + string(data) + "\n")
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return out.String()
}

// TestRollBack fails the move of the last file, after all files were checked.
func TestRollBack(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "\xef\xbb\xbfa\n", "z.txt": "z\n"})
	mode := b.chmod("a.txt", 0o751)
	b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"), Operation{Op: OpCreate, Path: "new/n.txt", Text: "mine"})
	plan := b.accept(b.stage("turn", b.replaceOnce("turn", "z.txt", "z", "Z")), Selection{})
	before := b.tree()
	w, err := b.writer.newTransaction(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	defer w.roots.Close()
	if err := w.prepare(); err != nil {
		t.Fatal(err)
	}
	for _, s := range w.records[:2] {
		if err := s.redo(w.roots, 0); err != nil {
			t.Fatal(err)
		}
	}
	if b.disk("a.txt") != "\xef\xbb\xbfA\n" || b.disk("new/n.txt") != "mine" {
		t.Fatal("the first two are not in place")
	}
	w.begun = 2
	cause := errors.New("the disk is on fire")
	if err := b.writer.abort(t.Context(), w, cause); !errors.Is(err, cause) || err.Error() != cause.Error() {
		t.Errorf("abort: %v", err)
	}
	if got := b.tree(); got != before {
		t.Errorf("the folder has changed from\n%s\nto\n%s", before, got)
	}
	if now := b.mode("a.txt"); now != mode {
		t.Errorf("mode %v", now)
	}
}

func TestNoLeftovers(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "a\n"})
	b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"))
	b.apply(b.stage("turn", Operation{Op: OpCreate, Path: "new/n.txt", Text: "n"}), Selection{})
	if names := b.leftovers(); len(names) > 0 {
		t.Errorf("left over: %v", names)
	}
	info, err := os.Stat(b.path("new/n.txt"))
	if err != nil {
		t.Fatal(err)
	}
	b.write("plain.txt", "")
	plain, _ := os.Stat(b.path("plain.txt"))
	if got, want := info.Mode().Perm(), plain.Mode().Perm(); got != want {
		t.Errorf("a new file has mode %o; others have %o", got, want)
	}
}

// TestNewFilesReplaceNothing creates the file after the last check.
func TestNewFilesReplaceNothing(t *testing.T) {
	for name, d := range map[string]Operation{
		"created": {Op: OpCreate, Path: "n.txt", Text: "mine"},
		"renamed": {Op: OpRename, Path: "a.txt", To: "n.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": "a\n"})
			w, err := b.writer.newTransaction(t.Context(), b.accept(b.stage("turn", d), Selection{}))
			if err != nil {
				t.Fatal(err)
			}
			defer w.roots.Close()
			if err := w.prepare(); err != nil {
				t.Fatal(err)
			}
			b.write("n.txt", "theirs")
			if err := w.records[0].redo(w.roots, diskOld); !errors.Is(err, os.ErrExist) {
				t.Errorf("redo: %v", err)
			}
			if b.disk("n.txt") != "theirs" || b.disk("a.txt") != "a\n" {
				t.Errorf("the folder is\n%s", b.tree())
			}
		})
	}
}

// TestLastCheckBeforeReplacing changes the second file of a plan just before it is replaced,
// after everything is prepared and the first file is replaced. Nothing of the plan may stay,
// and nothing of the other program's work may be lost.
func TestLastCheckBeforeReplacing(t *testing.T) {
	writeTo := func(name, text string) func(*fixture) { return func(b *fixture) { b.write(name, text) } }
	remove := func(b *fixture) { os.Remove(b.path("z.txt")) }
	link := func(b *fixture) {
		remove(b)
		os.Symlink(b.path("target.txt"), b.path("z.txt"))
	}
	edit := func(b *fixture) Operation { return b.replaceOnce("turn", "z.txt", "z", "Z") }
	create := Operation{Op: OpCreate, Path: "z.txt", Text: "mine\n"}
	move := Operation{Op: OpRename, Path: "z.txt", To: "moved.txt"}
	del := Operation{Op: OpDelete, Path: "z.txt"}
	const gone = "(gone)"
	for name, tt := range map[string]struct {
		op     Operation // none: edit
		action func(b *fixture)
		want   map[string]string // beside a.txt
	}{
		"edited, changed":            {Operation{}, writeTo("z.txt", "theirs\n"), map[string]string{"z.txt": "theirs\n"}},
		"edited, changed likewise":   {Operation{}, writeTo("z.txt", "Z\n"), map[string]string{"z.txt": "Z\n"}},
		"edited, emptied":            {Operation{}, writeTo("z.txt", ""), map[string]string{"z.txt": ""}},
		"edited, removed":            {Operation{}, remove, map[string]string{}},
		"edited, a link":             {Operation{}, link, map[string]string{"z.txt": "z\n"}},
		"created, there":             {create, writeTo("z.txt", "theirs\n"), map[string]string{"z.txt": "theirs\n"}},
		"created, there likewise":    {create, writeTo("z.txt", "mine\n"), map[string]string{"z.txt": "mine\n"}},
		"renamed, changed":           {move, writeTo("z.txt", "theirs\n"), map[string]string{"z.txt": "theirs\n"}},
		"renamed, removed":           {move, remove, map[string]string{}},
		"renamed, the name taken":    {move, writeTo("moved.txt", "theirs\n"), map[string]string{"z.txt": "z\n", "moved.txt": "theirs\n"}},
		"renamed, taken likewise":    {move, writeTo("moved.txt", "z\n"), map[string]string{"z.txt": "z\n", "moved.txt": "z\n"}},
		"renamed, renamed likewise":  {move, func(b *fixture) { os.Rename(b.path("z.txt"), b.path("moved.txt")) }, map[string]string{"moved.txt": "z\n"}},
		"deleted, changed":           {del, writeTo("z.txt", "theirs\n"), map[string]string{"z.txt": "theirs\n"}},
		"deleted, removed":           {del, remove, map[string]string{}},
		"the first one changed, too": {Operation{}, func(b *fixture) { b.write("a.txt", "theirs\n"); b.write("z.txt", "theirs\n") }, map[string]string{"a.txt": "theirs\n", "z.txt": "theirs\n"}},
		"the first one removed, too": {Operation{}, func(b *fixture) { os.Remove(b.path("a.txt")); b.write("z.txt", "") }, map[string]string{"a.txt": gone, "z.txt": ""}},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"a.txt": "a\n", "target.txt": "z\n", "z.txt": "z\n"}
			if tt.op.Op == OpCreate {
				delete(files, "z.txt")
			}
			b := newFixture(t, files)
			if tt.op.Op == "" {
				tt.op = edit(b)
			}
			b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"))
			p := b.stage("turn", tt.op)
			plan := b.accept(p, Selection{})
			changed := 0
			b.writer.onReplace = func(file rooted.Path, checked bool) {
				if file.Name == "z.txt" && !checked {
					if b.disk("a.txt") != "A\n" {
						t.Error("the first file is not replaced yet")
					}
					tt.action(b)
					changed++
				}
			}
			err := b.WriteToDisk(t.Context(), plan)
			var stale *StaleError
			if !errors.As(err, &stale) || stale.Path != b.path("z.txt") || changed != 1 {
				t.Errorf("WriteToDisk: %v, after %d changes", err, changed)
			}
			b.checkNothingLeft()
			want := map[string]string{b.path("a.txt"): "a\n", b.path("target.txt"): "z\n"}
			for name, text := range tt.want {
				want[b.path(name)] = text
			}
			maps.DeleteFunc(want, func(_, text string) bool { return text == gone })
			if diff := cmp.Diff(want, b.files()); diff != "" {
				t.Errorf("the files (-want +got):\n%s", diff)
			}
			if first := strings.HasPrefix(name, "the first one"); first != strings.Contains(err.Error(), "a.txt: changed by another program") {
				t.Errorf("WriteToDisk: %v", err)
			}
			if p = b.settle(plan, Outcome{Reason: fmt.Sprint(err)}); p.hunk(plan.Files[0].Hunks[0]).State != Failed {
				t.Errorf("the first file's hunk is %s; want it to be open", p.hunk(plan.Files[0].Hunks[0]).State)
			}
		})
	}
}

// TestNameTakenAfterTheLastCheck creates the new file between the last check and its creation.
// The file has the very text that the plan creates, so only its author tells the two apart.
func TestNameTakenAfterTheLastCheck(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "a\n"})
	b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"))
	plan := b.accept(b.stage("turn", Operation{Op: OpCreate, Path: "z.txt", Text: "mine\n"}), Selection{})
	b.writer.onReplace = func(file rooted.Path, checked bool) {
		if file.Name == "z.txt" && checked {
			b.write("z.txt", "mine\n")
		}
	}
	if err := b.WriteToDisk(t.Context(), plan); !errors.Is(err, os.ErrExist) {
		t.Errorf("WriteToDisk: %v", err)
	}
	b.checkNothingLeft()
	if b.disk("a.txt") != "a\n" || b.disk("z.txt") != "mine\n" {
		t.Errorf("the folder is\n%s", b.tree())
	}
}

// TestCleanUpLater makes the folder unreachable before the first file is replaced, so the
// temporary files can only be removed by the next start.
func TestCleanUpLater(t *testing.T) {
	b := newFixture(t, map[string]string{"in/a.txt": "a\n"})
	plan := b.accept(b.stage("turn", b.replaceOnce("turn", "in/a.txt", "a", "A")), Selection{})
	outside := t.TempDir()
	b.writer.onReplace = func(rooted.Path, bool) {
		if err := errors.Join(os.Rename(b.path("in"), b.path("away")), os.Symlink(outside, b.path("in"))); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.WriteToDisk(t.Context(), plan); err == nil || len(b.leftovers()) != 2 {
		t.Errorf("WriteToDisk: %v, left over: %v", err, b.leftovers())
	}
	if err := errors.Join(os.Remove(b.path("in")), os.Rename(b.path("away"), b.path("in")), b.Recover(t.Context())); err != nil {
		t.Fatal(err)
	}
	b.checkNothingLeft()
	if p, err := b.Proposals.Get(t.Context(), plan.ProposalID); err != nil || p.Status() != Failed || b.disk("in/a.txt") != "a\n" {
		t.Errorf("it is %s, and the file reads %q, %v", p.Status(), b.disk("in/a.txt"), err)
	}
}

// checkNothingLeft checks that no temporary file and no journal entry is left.
func (b *fixture) checkNothingLeft() {
	b.t.Helper()
	if names := b.leftovers(); len(names) > 0 {
		b.t.Errorf("left over: %v", names)
	}
	if entries, err := b.journal.entries(b.t.Context()); err != nil || len(entries) > 0 {
		b.t.Errorf("%d entries are left in the journal, %v", len(entries), err)
	}
}

// TestAFileThatWasOpenedSinceItsPlan is not written: the editor would keep its text, and overwrite the change.
func TestAFileThatWasOpenedSinceItsPlan(t *testing.T) {
	for name, op := range map[string]func(b *fixture) Operation{
		"edited":  func(b *fixture) Operation { return b.replaceOnce("", "a.txt", "2", "two") },
		"renamed": func(*fixture) Operation { return Operation{Op: OpRename, Path: "a.txt", To: "b.txt"} },
		"deleted": func(*fixture) Operation { return Operation{Op: OpDelete, Path: "a.txt"} },
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": lines, "z.txt": "z\n"})
			b.stage("turn", op(b))
			plan := b.accept(b.stage("turn", b.replaceOnce("turn", "z.txt", "z", "Z")), Selection{})
			b.ws.SetBuffer(b.path("a.txt"), 1, []byte(lines))
			if err := b.WriteToDisk(t.Context(), plan); err == nil || !strings.Contains(err.Error(), "a.txt is open in an editor") {
				t.Errorf("WriteToDisk: %v", err)
			}
			b.checkNothingLeft()
			if b.disk("a.txt") != lines || b.disk("z.txt") != "z\n" {
				t.Errorf("the folder is\n%s", b.tree())
			}
		})
	}
}
