package lsp_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// TestAMissingFolderDoesNotStopTheRest initializes with folders that can't be opened.
func TestAMissingFolderDoesNotStopTheRest(t *testing.T) {
	f := newFixture(t)
	missing, file := filepath.Join(t.TempDir(), "missing"), f.path("shapes/rect.go")
	e := f.start(lsptest.Options{Roots: []string{missing, file, f.root}})
	e.AwaitIndex()
	if !e.Finds("Rect") {
		t.Error("the folder that exists is not served")
	}
	for _, root := range []string{missing, file} {
		if m := messages(e, "the folder "+root+" could not be opened"); len(m) != 1 || m[0].Type != protocol.MessageTypeWarning {
			t.Errorf("of %s the person was told %v", root, e.Messages())
		}
	}
}

// TestAMissingFolderIsServedFileByFileUntilItAppears opens a file elsewhere, and then makes
// the folder.
func TestAMissingFolderIsServedFileByFileUntilItAppears(t *testing.T) {
	const pump = "package pump\n\nfunc Pressure() {}\n"
	for name, appear := range map[string]func(e *lsptest.Editor, f *fixture, root string){
		"a file in it is opened": func(e *lsptest.Editor, f *fixture, root string) { e.Open(filepath.Join(root, "deep/pump.go")) },
		"the client adds it":     func(e *lsptest.Editor, f *fixture, root string) { changeFolders(e, []string{root}, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			root := filepath.Join(unpack(t, ""), "new")
			e := f.start(lsptest.Options{Roots: []string{root}})
			e.Call(ploke.MethodChatList, nil, nil)
			e.Open(f.path("shapes/rect.go"))
			e.Await("the index of the file's folder", func() bool { return e.Finds("Circle") })
			if result := e.Ask("what is a Circle"); len(result.Citations) == 0 {
				t.Errorf("the answer has no citations: %q", result.Text)
			}
			if err := os.MkdirAll(filepath.Join(root, "deep"), 0o700); err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{"deep/pump.go", "other.go"} {
				if err := os.WriteFile(filepath.Join(root, file), []byte(strings.ReplaceAll(pump, "Pressure", "Pressure"+file[:1])),
					0o600); err != nil {
					t.Fatal(err)
				}
			}
			appear(e, f, root)
			e.Await("the index of the whole folder", func() bool { return e.Finds("Pressured") && e.Finds("Pressureo") })
		})
	}
}

// TestAFolderThatIsNotOnThisMachineIsRefusedByName also checks that nothing relative to the
// working directory is served instead.
func TestAFolderThatIsNotOnThisMachineIsRefusedByName(t *testing.T) {
	t.Parallel()
	refused := []string{"vscode-remote://ssh-remote+host/home/me/x", "untitled:Untitled-1", "https://example.com/x"}
	if runtime.GOOS != "windows" {
		refused = append(refused, "file:///C:/Users/me/x", "file://server/share/x")
	}
	for _, name := range refused {
		f := newFixture(t)
		u := uri.MustParse(name)
		ways := map[string]func(*protocol.InitializeParams){
			"rootUri": func(p *protocol.InitializeParams) { p.RootURI = &u },
			"workspaceFolders": func(p *protocol.InitializeParams) {
				p.WorkspaceFolders = protocol.NewNullable([]protocol.WorkspaceFolder{{URI: u}, {URI: uri.File(f.root)}})
			},
		}
		for way, folders := range ways {
			t.Run(way+" "+name, func(t *testing.T) {
				e := f.start(lsptest.Options{Roots: []string{}, OnInitialize: folders})
				e.Call(ploke.MethodChatList, nil, nil)
				if m := messages(e, string(u)); len(m) != 1 || !strings.Contains(m[0].Message, "not served") {
					t.Errorf("the person was told %v", e.Messages())
				}
				file := f.path("shapes/rect.go")
				e.Open(file)
				e.Await("the index", func() bool { return e.Finds("Rect") && e.Finds("Circle") })
				// A document there is kept, but not as a file of this machine.
				notifyRaw(e, protocol.MethodTextDocumentDidOpen,
					`{"textDocument":{"uri":"`+name+`/a.go","languageId":"go","version":1,"text":"package a\n\nfunc Foreign() {}\n"}}`)
				e.Ask("where is Foreign")
				if e.Finds("Foreign") {
					t.Error("a document of another machine is found as a file of this one")
				}
				e.Notify(protocol.MethodWorkspaceDidChangeWorkspaceFolders, &protocol.DidChangeWorkspaceFoldersParams{
					Event: protocol.WorkspaceFoldersChangeEvent{Added: []protocol.WorkspaceFolder{{URI: u}}},
				})
				e.Call(ploke.MethodChatList, nil, nil)
				if n := len(messages(e, string(u))); n != 2 {
					t.Errorf("after adding it, the person was told %d times, want 2", n)
				}
			})
		}
	}
}

// TestAFileOnLocalhostIsOnThisMachine opens a document by file://localhost.
func TestAFileOnLocalhostIsOnThisMachine(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	notifyRaw(e, protocol.MethodTextDocumentDidOpen, `{"textDocument":{"uri":"file://localhost`+uri.File(f.path("shapes/rect.go")).Path()+
		`","languageId":"go","version":1,"text":"package shapes\n\nfunc Typed() {}\n"}}`)
	e.Ask("where is Typed")
	if !e.Finds("Typed") || e.Finds("Rect") {
		t.Error("the text is not that of the file")
	}
}
