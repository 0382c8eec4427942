package lsp_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// TestTypingIsIndexedAfterAPause checks that typed text is indexed after a pause, and at the latest
// after a few seconds without a pause. A request for workspace symbols does not change that.
func TestTypingIsIndexedAfterAPause(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		e := f.start(lsptest.Options{InitializationOptions: settings{"symbols": []string{"all"}}})
		e.AwaitIndex()
		path := f.path("shapes/rect.go")
		indexed := func(canon string) bool {
			found, err := f.server.Indexed(canon)
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		e.Open(path)
		waitIdle()
		at := len(e.Text(path))
		e.Type(path, at, at, "\nfunc Typed() {}\n")
		synctest.Wait()
		if found := workspaceSymbols(e, "Typed"); len(found) > 0 || indexed("Typed") {
			t.Error("the text was indexed without a pause, which is expensive while the person types")
		}
		advanceClock(150 * time.Millisecond)
		synctest.Wait()
		if !indexed("Typed") {
			t.Error("typed text is not indexed after the pause")
		}
		for range 30 {
			e.Type(path, at, at, "\n// and on\n")
			advanceClock(100 * time.Millisecond)
		}
		e.Type(path, at, at+1, "\nfunc OnAndOn() {}\n")
		for range 25 {
			e.Type(path, 0, 0, "// and on\n")
			advanceClock(100 * time.Millisecond)
		}
		synctest.Wait()
		if !indexed("OnAndOn") {
			t.Error("text that is typed without a pause is not indexed")
		}
	})
}

// TestWhatWasJustTypedIsFound asks for a symbol while the person types. Each request finds it, at the line where it
// is in the text of the editor.
func TestWhatWasJustTypedIsFound(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		find       func(t *testing.T, e *lsptest.Editor, chat string) string
	}{
		{"search", `"start":{"line":2,`, func(t *testing.T, e *lsptest.Editor, _ string) string {
			var found ploke.SearchResult
			e.Call(ploke.MethodSearch, ploke.SearchParams{Query: "Typde"}, &found)
			if want := []ploke.Respelling{{Word: "Typde", As: []string{"typed", "type"}}}; !reflect.DeepEqual(found.Respelled, want) {
				t.Errorf("searched for %v, want %v", found.Respelled, want)
			}
			return string(mustJSON(t, found.Results[:min(1, len(found.Results))]))
		}},
		{"definition", `"start":{"line":2,`, func(t *testing.T, e *lsptest.Editor, chat string) string {
			var found []protocol.Location
			e.Call(protocol.MethodTextDocumentDefinition, &protocol.DefinitionParams{TextDocumentPositionParams: at(e, chat, "`Typed")}, &found)
			return string(mustJSON(t, found))
		}},
		{"hover", "rect.go:3", func(t *testing.T, e *lsptest.Editor, chat string) string { return hoverText(t, e, chat, "`Typed") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFixture(t)
				e := f.startIndexed()
				path, chat := f.path("shapes/rect.go"), f.openChat(e)
				write(e, chat, "\nSee `Typed`.\n")
				e.Open(path)
				waitIdle()
				e.Type(path, 0, len(e.Text(path)), "package shapes\n\nfunc Typed() {}\n")
				if found := tt.find(t, e, chat); !strings.Contains(found, tt.want) {
					t.Errorf("what was just typed in line 3 is found as %s", found)
				}
			})
		})
	}
}

// TestUnsavedTextWins changes files on disk that are open with unsaved text.
func TestUnsavedTextWins(t *testing.T) {
	const typed = "package shapes\n\ntype Typed struct{}\n"
	for _, tt := range []struct {
		name     string
		change   func(f *fixture)
		reported []string
		after    string // a symbol that is found after the file was closed without saving
		lost     string // a symbol that is not found then
	}{
		{"nothing", func(*fixture) {}, nil, "Rect", "Typed"},
		{"the file was changed", func(f *fixture) { f.write("shapes/rect.go", "package shapes\n\ntype Saved struct{}\n") },
			[]string{"shapes/rect.go"}, "Saved", "Typed"},
		{"the file was deleted", func(f *fixture) { f.remove("shapes/rect.go") }, []string{"shapes/rect.go"}, "Circle", "Typed"},
		{"its folder was deleted", func(f *fixture) { f.remove("shapes") }, []string{"shapes"}, "report", "Typed"},
		{"the file was renamed", func(f *fixture) { f.rename("shapes/rect.go", "shapes/oblong.go") },
			[]string{"shapes/rect.go", "shapes/oblong.go"}, "Rect", "Typed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFixture(t)
				e := f.startIndexed()
				path := f.path("shapes/rect.go")
				e.OpenText(path, typed)
				waitIdle()
				tt.change(f)
				for _, name := range tt.reported {
					e.DiskChanged(f.path(name))
				}
				waitIdle()
				if !e.Finds("Typed") {
					t.Error("the unsaved text is not found")
				}
				e.CloseDocument(path)
				if e.Finds("Typed") {
					t.Error("the unsaved text is found after the file was closed")
				}
				waitIdle()
				if !e.Finds(tt.after) || e.Finds(tt.lost) {
					t.Errorf("after closing, %s is found: %v, %s is found: %v; want true, false", tt.after, e.Finds(tt.after), tt.lost, e.Finds(tt.lost))
				}
			})
		})
	}
}

// TestOpenFileThatBecomesIgnored changes the ignore rules around an open file.
func TestOpenFileThatBecomesIgnored(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		f.write(".gitignore", "rect.go\n")
		e := f.startIndexed()
		e.OpenText(f.path("shapes/rect.go"), "package shapes\n\ntype Typed struct{}\n")
		waitIdle()
		for range 2 {
			if e.Finds("Typed") {
				t.Error("an ignored file is found")
			}
			f.remove(".gitignore")
			e.DiskChanged(f.path(".gitignore"))
			waitIdle()
			if !e.Finds("Typed") {
				t.Error("a file that is no longer ignored is not found")
			}
			f.write(".gitignore", "rect.go\n")
			e.DiskChanged(f.path(".gitignore"))
			waitIdle()
		}
	})
}

// TestFileOpenedBeforeItsFolder opens a file with unsaved text, and then adds, removes and
// adds its folder.
func TestFileOpenedBeforeItsFolder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		e := f.startIndexed()
		other := unpack(t, "-- pump.go --\npackage pump\n")
		e.OpenText(filepath.Join(other, "pump.go"), "package pump\n\nfunc Pressure() {}\n")
		waitIdle()
		changeFolders(e, []string{other}, nil)
		waitIdle()
		if !e.Finds("Pressure") {
			t.Error("the unsaved text is not found after its folder was added")
		}
		changeFolders(e, nil, []string{other})
		changeFolders(e, []string{other}, nil)
		waitIdle()
		if !e.Finds("Pressure") {
			t.Error("the unsaved text is not found after its folder was removed and added")
		}
		changeFolders(e, nil, []string{other})
		waitIdle()
		if e.Finds("Pressure") {
			t.Error("the unsaved text is found after its folder was removed")
		}
	})
}
