package edits

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
			if p := b.settle(plan, Outcome{Reason: err.Error()}); p.pending(b.path("a.txt")) == nil {
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
	if err := os.Chmod(b.path("a.txt"), 0o751); err != nil {
		t.Fatal(err)
	}
	b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"), Operation{Op: OpCreate, Path: "new/n.txt", Text: "mine"})
	plan := b.accept(b.stage("turn", b.replaceOnce("turn", "z.txt", "z", "Z")), Selection{})
	before := b.tree()
	w, err := b.newTransaction(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	defer w.roots.close()
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
	cause := errors.New("the disk is on fire")
	if err := b.abort(t.Context(), w, cause); !errors.Is(err, cause) || err.Error() != cause.Error() {
		t.Errorf("giveUp: %v", err)
	}
	if got := b.tree(); got != before {
		t.Errorf("the folder has changed from\n%s\nto\n%s", before, got)
	}
	if info, _ := os.Stat(b.path("a.txt")); info.Mode().Perm() != 0o751 {
		t.Errorf("mode %o", info.Mode().Perm())
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
			w, err := b.newTransaction(t.Context(), b.accept(b.stage("turn", d), Selection{}))
			if err != nil {
				t.Fatal(err)
			}
			defer w.roots.close()
			if err := w.prepare(); err != nil {
				t.Fatal(err)
			}
			b.write("n.txt", "theirs")
			if err := w.records[0].redo(w.roots, diskOld); !errors.Is(err, os.ErrExist) {
				t.Errorf("forward: %v", err)
			}
			if b.disk("n.txt") != "theirs" || b.disk("a.txt") != "a\n" {
				t.Errorf("the folder is\n%s", b.tree())
			}
		})
	}
}
