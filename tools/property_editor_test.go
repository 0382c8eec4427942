package tools_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/edits"
)

// editor applies plans like an editor with some open documents. Files that are not open are
// changed on disk.
type editor struct {
	*world
	texts   map[string]string
	version int32
}

func newEditor(w *world) *editor { return &editor{world: w, texts: map[string]string{}} }

func (e *editor) has(name string) bool {
	_, open := e.texts[name]
	return open
}

// open opens or changes a document.
func (e *editor) open(name, text string) {
	e.version++
	e.texts[name] = text
	e.deps.Workspace.SetBuffer(e.path(name), e.version, []byte(text))
}

func (e *editor) name(path string) string {
	e.t.Helper()
	rel, err := filepath.Rel(e.root, path)
	if err != nil {
		e.t.Fatal(err)
	}
	return filepath.ToSlash(rel)
}

// apply applies the plan like a client that receives it as a WorkspaceEdit.
func (e *editor) apply(plan *edits.Plan) {
	e.t.Helper()
	for _, f := range plan.Files {
		name := e.name(f.Path)
		if f.Done {
			continue
		}
		switch f.Op {
		case edits.OpDelete:
			e.remove(name)
			continue
		case edits.OpCreate:
			e.write(name, "")
		}
		if len(f.Edits) > 0 {
			e.change(name, f)
		}
		if f.Op == edits.OpRename {
			e.move(name, e.name(f.To))
		}
	}
}

func (e *editor) remove(name string) {
	e.t.Helper()
	if e.has(name) {
		delete(e.texts, name)
		e.deps.Workspace.CloseBuffer(e.path(name))
	}
	if err := os.Remove(e.path(name)); err != nil {
		e.t.Error(err)
	}
}

func (e *editor) change(name string, f edits.PlannedFile) {
	e.t.Helper()
	text, open := e.texts[name]
	if open && (f.Version == nil || text != string(f.Before)) {
		e.t.Errorf("the plan for %s is for another version", name)
	}
	if !open {
		data, err := os.ReadFile(e.path(name))
		if err != nil {
			e.t.Fatal(err)
		}
		text = string(data)
	}
	text, marked := strings.CutPrefix(text, "\ufeff")
	for _, edit := range slices.Backward(f.Edits) {
		text = text[:edit.Start] + edit.New + text[edit.End:]
	}
	if marked {
		text = "\ufeff" + text
	}
	if open {
		e.open(name, text)
	} else {
		e.write(name, text)
	}
}

func (e *editor) move(name, to string) {
	e.t.Helper()
	if err := os.Rename(e.path(name), e.path(to)); err != nil {
		e.t.Error(err)
	}
	if text, open := e.texts[name]; open {
		delete(e.texts, name)
		e.deps.Workspace.CloseBuffer(e.path(name))
		e.open(to, text)
	}
}
