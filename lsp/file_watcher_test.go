package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.lsp.dev/protocol"
	"golang.org/x/tools/txtar"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// bubble runs a test in a synctest bubble. The objects in the pools of the JSON-RPC library
// belong to the bubble that created them, so the pools must be empty before and after:
// two garbage collections empty them.
func bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	runtime.GC()
	runtime.GC()
	defer runtime.GC()
	defer runtime.GC()
	synctest.Test(t, test)
}

// waitIdle waits until the server has finished all work, including debounced work. The test
// must run in a synctest bubble, where this takes no real time.
func waitIdle() {
	synctest.Wait()
	advanceClock(time.Second)
	synctest.Wait()
}

// advanceClock advances the fake clock of the synctest bubble.
func advanceClock(d time.Duration) { time.Sleep(d) }

// write writes a file without the editor.
func (f *fixture) write(name, text string) {
	f.t.Helper()
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) remove(name string) {
	f.t.Helper()
	if err := os.RemoveAll(f.path(name)); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) rename(from, to string) {
	f.t.Helper()
	if err := os.Rename(f.path(from), f.path(to)); err != nil {
		f.t.Fatal(err)
	}
}

// withoutWatcher returns all capabilities except file watching.
func withoutWatcher() *protocol.ClientCapabilities {
	c := lsptest.Capabilities()
	c.Workspace.DidChangeWatchedFiles = nil
	return c
}

// TestWatchedFiles changes the disk, reports the changes as an editor's file watcher does,
// and searches for the symbols before and after the change.
func TestWatchedFiles(t *testing.T) {
	for _, tt := range []struct {
		name        string
		change      func(f *fixture)
		reported    []string
		found, lost string
	}{
		{"a file was created", func(f *fixture) { f.write("new.go", "package p\n\nfunc Newcomer() {}\n") },
			[]string{"new.go"}, "Newcomer", ""},
		{"a file was changed", func(f *fixture) { f.write("shapes/rect.go", "package shapes\n\ntype Oblong struct{}\n") },
			[]string{"shapes/rect.go"}, "Oblong", "Rect"},
		{"a file was deleted", func(f *fixture) { f.remove("shapes/rect.go") },
			[]string{"shapes/rect.go"}, "Circle", "Rect"},
		{"a file was renamed", func(f *fixture) { f.rename("shapes/rect.go", "shapes/rectangle.txt") },
			[]string{"shapes/rect.go", "shapes/rectangle.txt"}, "Circle", "Rect"},
		{"a folder was created", func(f *fixture) { f.write("deep/er/new.go", "package p\n\nfunc Newcomer() {}\n") },
			[]string{"deep"}, "Newcomer", ""},
		{"a folder was deleted", func(f *fixture) { f.remove("shapes") },
			[]string{"shapes"}, "report", "Circle"},
		{"the workspace was deleted", func(f *fixture) { f.remove("") },
			[]string{"shapes", "tools/report.py"}, "", "Circle"},
		{"a folder was renamed", func(f *fixture) { f.rename("shapes", "forms") },
			[]string{"shapes", "forms"}, "Circle", ""},
		{"the ignore rules changed", func(f *fixture) { f.write(".gitignore", "rect.go\n") },
			[]string{".gitignore"}, "Circle", "Rect"},
		{"a file was replaced by a folder", func(f *fixture) {
			f.remove("shapes/rect.go")
			f.write("shapes/rect.go/inner.go", "package p\n\nfunc Inner() {}\n")
		}, []string{"shapes/rect.go"}, "Inner", "Rect"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFixture(t)
				e := f.startIndexed()
				waitIdle()
				tt.change(f)
				var paths []string
				for _, name := range tt.reported {
					paths = append(paths, f.path(name))
				}
				e.DiskChanged(paths...)
				waitIdle()
				if tt.found != "" && !e.Finds(tt.found) {
					t.Errorf("%s is not found", tt.found)
				}
				if tt.lost != "" && e.Finds(tt.lost) {
					t.Errorf("%s is still found", tt.lost)
				}
			})
		})
	}
}

// TestBranchSwitch reports thousands of changed files at once, which cause one scan with
// one progress.
func TestBranchSwitch(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		e := f.startIndexed()
		waitIdle()
		before := countReady(e)
		var paths []string
		for i := range 2000 {
			name := fmt.Sprintf("branch/file%d.go", i)
			f.write(name, fmt.Sprintf("package branch\n\nfunc Branch%d() {}\n", i))
			paths = append(paths, f.path(name))
		}
		for part := range 10 {
			e.DiskChanged(paths[200*part : 200*(part+1)]...)
		}
		waitIdle()
		if !e.Finds("Branch0") || !e.Finds("Branch1999") {
			t.Error("the files of the branch are not found")
		}
		if n := countReady(e) - before; n != 1 {
			t.Errorf("the index became ready %d times, want once", n)
		}
		if values := e.ServerProgress(indexingTitle); !strings.HasPrefix(values[len(values)-1].Message, "2,003 files, ") {
			t.Errorf("the progress of the scan is %+v", values)
		}
		e.DiskChanged(paths[0])
		waitIdle()
		if n := countReady(e) - before; n != 2 {
			t.Errorf("after one more file the index became ready %d times, want twice", n)
		}
	})
}

// countReady counts how often the server reported that the index is ready.
func countReady(e *lsptest.Editor) (n int) {
	for _, ev := range e.Events() {
		if ev.Type == ploke.PartIndex && ev.Index.State == ploke.IndexReady {
			n++
		}
	}
	return n
}

// TestEditorThatDoesNotWatch checks that an action of the person causes a scan, but not
// right after the previous scan.
func TestEditorThatDoesNotWatch(t *testing.T) {
	for _, tt := range []struct {
		name string
		act  func(f *fixture, e *lsptest.Editor)
	}{
		{"search", func(_ *fixture, e *lsptest.Editor) { e.Finds("Circle") }},
		{"open", func(f *fixture, e *lsptest.Editor) { e.Open(f.path("shapes/rect.go")) }},
		{"save", func(f *fixture, e *lsptest.Editor) { e.Save(f.path("shapes/circle.go")) }},
		{"code actions", func(f *fixture, e *lsptest.Editor) {
			codeAction(t, e, f.path("shapes/circle.go"), "func square", "ploke: explain")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFixture(t)
				e := f.start(lsptest.Options{Capabilities: withoutWatcher()})
				e.AwaitIndex()
				e.Open(f.path("shapes/circle.go"))
				waitIdle()
				f.write("new.go", "package p\n\nfunc Newcomer() {}\n")
				tt.act(f, e)
				waitIdle()
				if e.Finds("Newcomer") {
					t.Error("a second scan followed at once")
				}
				advanceClock(6 * time.Second)
				tt.act(f, e)
				waitIdle()
				if !e.Finds("Newcomer") {
					t.Error("the disk was not scanned")
				}
			})
		})
	}
}

// TestEditorThatWatches checks that with a file watcher, opening a file causes no scan.
func TestEditorThatWatches(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		e := f.startIndexed()
		waitIdle()
		f.write("new.go", "package p\n\nfunc Newcomer() {}\n")
		advanceClock(6 * time.Second)
		e.Open(f.path("shapes/rect.go"))
		waitIdle()
		if e.Finds("Newcomer") {
			t.Error("the disk was scanned")
		}
	})
}

// TestWatchingBeginsLate changes the disk after the first scan and before the editor has
// registered its watcher.
func TestWatchingBeginsLate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		begin := make(chan struct{})
		e := f.start(lsptest.Options{OnRegisterWatcher: func() { <-begin }})
		waitIdle()
		f.write("new.go", "package p\n\nfunc Newcomer() {}\n")
		close(begin)
		waitIdle()
		if !e.Finds("Newcomer") {
			t.Error("a file that was created before the watcher was registered is not found")
		}
	})
}

// TestTurnScansTheDisk sends a message right after a change that was not reported.
func TestTurnScansTheDisk(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{Capabilities: withoutWatcher()})
	e.AwaitIndex()
	f.write("new.go", "package p\n\n// Newcomer is a newcomer.\nfunc Newcomer() {}\n")
	if result := e.Ask("where is Newcomer"); len(result.Citations) == 0 || !strings.HasSuffix(string(result.Citations[0].URI), "new.go") {
		t.Errorf("the answer is %q", result.Text)
	}
}

// TestFileOperations reports file operations that the person did in the editor.
func TestFileOperations(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		e := f.start(lsptest.Options{Capabilities: withoutWatcher()})
		e.AwaitIndex()
		waitIdle()
		uri := func(name string) string { return string(fileURI(f.path(name))) }

		f.write("new.go", "package p\n\nfunc Newcomer() {}\n")
		e.Notify(protocol.MethodWorkspaceDidCreateFiles, &protocol.CreateFilesParams{Files: []protocol.FileCreate{{URI: uri("new.go")}}})
		waitIdle()
		if !e.Finds("Newcomer") {
			t.Error("a created file is not found")
		}
		f.rename("new.go", "new.txt")
		e.Notify(protocol.MethodWorkspaceDidRenameFiles, &protocol.RenameFilesParams{Files: []protocol.FileRename{{OldURI: uri("new.go"), NewURI: uri("new.txt")}}})
		waitIdle()
		if e.Finds("Newcomer") {
			t.Error("a function of a renamed file, which is not Go any more, is found")
		}
		f.remove("shapes")
		e.Notify(protocol.MethodWorkspaceDidDeleteFiles, &protocol.DeleteFilesParams{Files: []protocol.FileDelete{{URI: uri("shapes")}}})
		waitIdle()
		if e.Finds("Circle") {
			t.Error("a file of a deleted folder is found")
		}
	})
}

// TestWatchersFollowTheFolders adds and removes folders. Exactly the current folders are
// watched.
func TestWatchersFollowTheFolders(t *testing.T) {
	relative, allFolders := lsptest.Capabilities(), lsptest.Capabilities()
	allFolders.Workspace.DidChangeWatchedFiles.RelativePatternSupport = nil
	for name, c := range map[string]*protocol.ClientCapabilities{"relative patterns": relative, "one pattern": allFolders} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFixture(t)
				e := f.start(lsptest.Options{Capabilities: c})
				other := unpack(t, "-- pump.go --\npackage pump\n")
				file := filepath.Join(other, "pump.go")
				changeFolders(e, []string{other}, nil)
				waitIdle()
				if err := os.WriteFile(file, []byte("package pump\n\nfunc Pressure() {}\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				e.DiskChanged(file)
				waitIdle()
				if !e.Finds("Pressure") {
					t.Error("a new file in the added folder is not found")
				}
				changeFolders(e, nil, []string{other})
				waitIdle()
				if c == relative && e.Watches(file) {
					t.Error("a removed folder is still watched")
				}
				if !e.Watches(f.path("shapes/rect.go")) {
					t.Error("the remaining folder is not watched")
				}
			})
		})
	}
}

func changeFolders(e *lsptest.Editor, added, removed []string) {
	var p protocol.DidChangeWorkspaceFoldersParams
	for _, dir := range added {
		p.Event.Added = append(p.Event.Added, protocol.WorkspaceFolder{URI: fileURI(dir), Name: filepath.Base(dir)})
	}
	for _, dir := range removed {
		p.Event.Removed = append(p.Event.Removed, protocol.WorkspaceFolder{URI: fileURI(dir), Name: filepath.Base(dir)})
	}
	e.Notify(protocol.MethodWorkspaceDidChangeWorkspaceFolders, &p)
}

// manyFiles returns an archive of n Go files with one function each.
func manyFiles(prefix string, n int) string {
	var a txtar.Archive
	for i := range n {
		a.Files = append(a.Files, txtar.File{
			Name: fmt.Sprintf("%s%d.go", strings.ToLower(prefix), i),
			Data: fmt.Appendf(nil, "package p\n\nfunc %s%d() {}\n", prefix, i),
		})
	}
	return string(txtar.Format(&a))
}
