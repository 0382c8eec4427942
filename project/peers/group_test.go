package peers_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/peers"
)

// process is what one process has of a folder.
type process struct {
	*peers.Group
	ws       *workspace.Workspace
	returned atomic.Int32
}

type text string

func (t text) Len() int      { return len(t) }
func (t text) Bytes() []byte { return []byte(t) }

// start starts a process that has a folder open.
func start(t *testing.T, editor bool, root, state string) *process {
	t.Helper()
	ws, err := workspace.New([]string{root}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := t.TempDir()
	x, err := index.Open(t.Context(), ws, index.Options{Dir: func(string) string { return own }})
	if err != nil {
		t.Fatal(err)
	}
	p := &process{ws: ws}
	p.Group = peers.New(peers.Options{
		Editor: editor, Program: "test", StateDir: state, Workspace: ws, Index: x, Log: slog.New(slog.DiscardHandler),
		On: peers.Events{
			TextChanged: func() {}, Returned: func(string) { p.returned.Add(1) }, TurnsEnded: func([]string) {},
			ProposalsChanged: func([]string) []string { return nil }, Running: func(string) bool { return false },
		},
	})
	p.Start()
	t.Cleanup(func() {
		p.Close()
		x.Close()
	})
	return p
}

// TestUnsavedTextOfAnEditor is served by a process without an editor until the document is closed, and never by
// another editor's process, which only knows that the file is open.
func TestUnsavedTextOfAnEditor(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path, state := filepath.Join(root, "a.go"), t.TempDir()
	if err := os.WriteFile(path, []byte("package saved\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	editor, other, line := start(t, true, root, state), start(t, true, root, state), start(t, false, root, state)
	editor.Set(path, &peers.Document{Version: 1, Text: text("package typed\n")})
	reads := func(p *process) string {
		f, err := p.ws.Read(t.Context(), path)
		if err != nil {
			return err.Error()
		}
		return string(f.Text)
	}
	testbed.Eventually(t, func() bool { return reads(line) == "package typed\n" }, func() string { return reads(line) })
	testbed.Eventually(t, func() bool { return other.IsOpen(path) }, func() string { return "the other editor does not know of the file" })
	if reads(other) != "package saved\n" || editor.IsOpen(path) {
		t.Errorf("the other editor reads %q; the file is open elsewhere for its own editor: %v", reads(other), editor.IsOpen(path))
	}
	if !line.HaveText(path, []byte("package typed\n")) || line.HaveText(path, []byte("package saved\n")) {
		t.Error("the text of the editor is not told from the saved one")
	}
	editor.Set(path, nil)
	testbed.Eventually(t, func() bool { return line.returned.Load() == 1 }, func() string { return "the file is not returned" })
	if reads(line) != "package saved\n" || line.AnyOpen() {
		t.Errorf("after the document was closed, %q is read", reads(line))
	}
}
