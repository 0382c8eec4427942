package project_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/project"
)

// opensLate is the front end of an editor that can't apply edits. Once the plan was permitted, another process opens its
// file: the second look at what is open finds it.
type opensLate struct {
	headless
	asked int
	open  func()
}

func (f *opensLate) CanApply(*edits.Plan) bool {
	if f.asked++; f.asked == 2 { // first to permit the plan, then to carry it out
		f.open()
	}
	return false
}

// TestAFileThatIsOpenedElsewhereAfterItWasPermitted is not written, by an editor's process or another one.
func TestAFileThatIsOpenedElsewhereAfterItWasPermitted(t *testing.T) {
	for name, editor := range map[string]bool{"an editor": true, "no editor": false} {
		t.Run(name, func(t *testing.T) {
			f := &opensLate{}
			root := t.TempDir()
			files(t, root, map[string]string{"a.go": "package a\n"})
			p, err := project.Open(t.Context(), project.Options{StateDir: t.TempDir(), Settings: project.NewSettings(), Editor: editor, Alone: true,
				Getenv: func(string) string { return "" }}, []string{root}, f)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			path := p.Workspace.Canonical(filepath.Join(root, "a.go"))
			f.open = func() { p.OpenElsewhere(path) }
			text, err := p.Workspace.Read(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			change := touch(path)
			change.BaseHash = text.Hash
			proposal, err := p.Edits.Staging.Stage(t.Context(), edits.Batch{RequestID: t.Name(), Title: "try",
				Operations: []edits.Operation{change}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Applier.Accept(t.Context(), proposal.Whole()); err == nil ||
				!strings.Contains(err.Error(), "a.go is open in the editor; accept it there") {
				t.Errorf("accepted: %v", err)
			}
			if now, err := os.ReadFile(path); err != nil || string(now) != string(text.Text) || f.asked != 2 {
				t.Errorf("asked %d times; the file reads %q, %v", f.asked, now, err)
			}
		})
	}
}
