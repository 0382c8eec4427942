package current_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

// folder is a workspace with the proposals of one turn.
type folder struct {
	*testing.T
	root    string
	ws      *workspace.Workspace
	index   *index.Index
	manager *edits.Manager
}

var turn = edits.Turn{ID: "turn"}

func newFolder(t *testing.T, files map[string]string) *folder {
	t.Helper()
	f := &folder{T: t, root: t.TempDir()}
	if real, err := filepath.EvalSymlinks(f.root); err == nil {
		f.root = real
	}
	for name, text := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(f.path(name)), 0o755),
			os.WriteFile(f.path(name), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if f.ws, err = workspace.New([]string{f.root}, workspace.Options{}); err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	db, err := store.Open(t.Context(), filepath.Join(state, "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if f.index, err = index.Open(t.Context(), f.ws, index.Options{Dir: func(string) string { return state }}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.index.Close() })
	if _, err := f.index.Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	f.manager = edits.New(db, f.ws, edits.Options{})
	return f
}

func (f *folder) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

func (f *folder) files() *current.Files { return current.New(f.ws, f.index, f.manager, turn) }

// stage stages operations of the turn.
func (f *folder) stage(operations ...edits.Operation) {
	f.Helper()
	_, err := f.manager.Staging.Stage(f.Context(), edits.Batch{ConversationID: "c", RequestID: turn.ID, CallID: "call",
		Title: "t", Reason: "r", Operations: operations})
	if err != nil {
		f.Fatal(err)
	}
}

// base returns an operation on a file as the turn sees it.
func (f *folder) base(op edits.Op, name string) edits.Operation {
	f.Helper()
	file, err := f.files().At(f.Context(), f.path(name))
	if err != nil {
		f.Fatal(err)
	}
	return edits.Operation{Op: op, Path: file.Path, BaseHash: file.Hash}
}

// TestATurnSeesItsOwnWork stages changes above an unsaved text. What is read is staged before unsaved, and unsaved
// before what is on disk; what is deleted or renamed is gone.
func TestATurnSeesItsOwnWork(t *testing.T) {
	f := newFolder(t, map[string]string{"a.go": "package a\n", "old.go": "package a\n", "gone.go": "package a\n"})
	text := func() string {
		t.Helper()
		file, err := f.files().At(t.Context(), f.path("a.go"))
		if err != nil {
			t.Fatal(err)
		}
		return string(file.Text)
	}
	disk := text()
	f.ws.SetBuffer(f.path("a.go"), 1, []byte("package unsaved\n"))
	unsaved := text()
	change := f.base(edits.OpEdit, "a.go")
	change.Edits = []edits.Edit{{Start: 8, End: 15, New: "staged"}}
	move := f.base(edits.OpRename, "old.go")
	move.To = f.path("new.go")
	f.stage(change, move, f.base(edits.OpDelete, "gone.go"))
	if got := []string{disk, unsaved, text()}; !slices.Equal(got, []string{"package a\n", "package unsaved\n", "package staged\n"}) {
		t.Errorf("the turn reads %q", got)
	}
	for name, message := range map[string]string{"old.go": "old.go is renamed by your proposal",
		"gone.go": "gone.go is deleted by your proposal", "none.go": "there is no file none.go"} {
		_, err := f.files().Named(t.Context(), "file", name)
		if failure := (*wording.Failure)(nil); !errors.As(err, &failure) || failure.Message != message || failure.Field != "file" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := f.files().Named(t.Context(), "file", "new.go"); err != nil {
		t.Error(err)
	}
}

// TestNamed checks which file a name means, and which lines.
func TestNamed(t *testing.T) {
	f := newFolder(t, map[string]string{"src/one.go": "package a\n", "src/two.go": "package a\n", "lib/two.go": "package a\n",
		"it\u2019s.txt": "x\n"})
	for name, want := range map[string]struct {
		file  string
		lines current.Lines
	}{
		"src/one.go":        {"src/one.go", current.Lines{}},
		"one.go":            {"src/one.go", current.Lines{}},
		"one.go:3":          {"src/one.go", current.Lines{First: 3}},
		"src/one.go#L3-L5":  {"src/one.go", current.Lines{First: 3, Last: 5}},
		"src/one.go:3:7":    {"src/one.go", current.Lines{First: 3}},
		"it's.txt":          {"it\u2019s.txt", current.Lines{}},
		"two.go":            {},
		"../outside.go":     {},
		"src/one.go:9-2":    {},
		"src/one.go:0":      {},
		"src/onr.go":        {},
		"sub/src/one.go:12": {},
	} {
		file, lines, err := f.files().NamedLines(t.Context(), "file", name)
		switch {
		case (err == nil) != (want.file != ""):
			t.Errorf("%s: %v", name, err)
		case err == nil && (file.Path != f.path(want.file) || lines != want.lines):
			t.Errorf("%s means %s, lines %v", name, file.Rel, lines)
		}
	}
}

// TestSymbolsAreFoundAgain stages another text than the one that the index has: a symbol is where it is now, or it is
// left out.
func TestSymbolsAreFoundAgain(t *testing.T) {
	f := newFolder(t, map[string]string{"a.go": "package a\n\nfunc First() {}\n\nfunc Second() {}\n"})
	change := f.base(edits.OpEdit, "a.go")
	change.Edits = []edits.Edit{{Start: 11, End: 27, New: "// More.\n\n// Lines.\n"}}
	f.stage(change)
	for name, want := range map[string]int{"Second": 7, "First": 0} {
		units, _, err := f.index.Lookup(t.Context(), index.LookupQuery{Name: name})
		if err != nil || len(units) != 1 {
			t.Fatalf("the index has %d symbols %s; %v", len(units), name, err)
		}
		symbol, err := f.files().Resolve(t.Context(), units[0])
		line := 0
		if symbol != nil {
			line = symbol.StartLine
		}
		if err != nil || line != want {
			t.Errorf("%s is in line %d, want %d; %v", name, line, want, err)
		}
		found, _, err := f.files().Lookup(t.Context(), name, "", "")
		if err != nil || len(found) != min(want, 1) {
			t.Errorf("%d symbols %s are found; %v", len(found), name, err)
		}
	}
}
