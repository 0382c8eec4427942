package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// explanation is what the embedded model says of Circle's method.
const explanation = "Area returns the area of the circle."

// plain returns the capabilities of an editor without the ploke/* methods, after a change.
func plain(change func(*protocol.ClientCapabilities)) *protocol.ClientCapabilities {
	c := lsptest.Capabilities()
	c.Experimental = nil
	if change != nil {
		change(c)
	}
	return c
}

func withoutDocuments(c *protocol.ClientCapabilities) { c.Window.ShowDocument = nil }

func withoutEdits(c *protocol.ClientCapabilities) {
	withoutDocuments(c)
	c.Workspace.ApplyEdit = nil
}

// as names the client.
func as(name, version string) func(*protocol.InitializeParams) {
	return func(p *protocol.InitializeParams) {
		p.ClientInfo = protocol.ClientInfo{Name: name, Version: protocol.NewOptional(version)}
	}
}

// explain explains Circle's method and returns the line that says where the answer is.
func explain(t *testing.T, f *fixture, e *lsptest.Editor) string {
	t.Helper()
	path := f.path("shapes/circle.go")
	e.Open(path)
	e.AwaitProgressEnd(indexingTitle)
	execute(t, e, codeAction(t, e, path, "Area() float64", "ploke: explain"))
	return awaitLine(t, e, "explain Area")
}

// awaitLine waits for a message with these words.
func awaitLine(t *testing.T, e *lsptest.Editor, words string) (found string) {
	t.Helper()
	e.Await("a message with "+words, func() bool {
		for _, m := range e.Messages() {
			if strings.Contains(m.Message, words) {
				found = m.Message
			}
		}
		return found != ""
	})
	if strings.Contains(found, "\n") {
		t.Errorf("the message has several lines: %q", found)
	}
	return found
}

func TestAnswerByShowDocument(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.start(lsptest.Options{Capabilities: plain(nil)})
	line := explain(t, f, e)
	shown := e.Shown()[0].URI.FsPath()
	if filepath.Base(shown) != "explain-Area.md" || !strings.HasPrefix(shown, f.state) ||
		!strings.HasSuffix(line, " is in explain-Area.md: explain Area") {
		t.Errorf("the document is %s, and the message is %q", shown, line)
	}
	if text := read(t, shown); !strings.HasPrefix(text, "# Explain Area\n\n") || !strings.Contains(text, explanation) {
		t.Errorf("the document is\n%s", text)
	}
	if len(e.Events()) != 0 || len(e.Published(f.path("shapes/circle.go"))) != 0 {
		t.Errorf("the client got %+v and %+v", e.Events(), e.Published(f.path("shapes/circle.go")))
	}
	if _, err := os.Stat(f.path(".ploke")); err == nil {
		t.Error("a folder was made in the workspace")
	}
}

// TestASecondAnswerHasItsOwnDocument asks the same twice.
func TestASecondAnswerHasItsOwnDocument(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{Capabilities: plain(nil)})
	explain(t, f, e)
	execute(t, e, codeAction(t, e, f.path("shapes/circle.go"), "Area() float64", "ploke: explain"))
	awaitLine(t, e, "explain-Area-2.md")
	if values := e.ServerProgress("ploke: explain Area"); len(values) == 0 {
		t.Error("the second turn has no progress of its own")
	}
}

// TestAnswerInTheWorkspace answers a client that attaches no server to other files.
func TestAnswerInTheWorkspace(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{Capabilities: plain(nil), OnInitialize: as("helix", "25.01")})
	line := explain(t, f, e)
	path := f.path(".ploke/explain-Area.md")
	if got := e.Shown()[0].URI.FsPath(); got != path || !strings.Contains(line, ".ploke/explain-Area.md") {
		t.Errorf("the document is %s, and the message is %q", got, line)
	}
	if got := read(t, f.path(".ploke/.gitignore")); got != "*\n" {
		t.Errorf(".gitignore has %q", got)
	}
	for name, want := range map[string]os.FileMode{".ploke": 0o700, ".ploke/explain-Area.md": 0o600, ".ploke/.gitignore": 0o600} {
		if info, err := os.Lstat(f.path(name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v, %v", name, info.Mode(), err)
		}
	}
	execute(t, e, codeAction(t, e, f.path("shapes/circle.go"), "func square", "ploke: explain"))
	awaitLine(t, e, "explain square")
	if got := len(messages(e, "the folder .ploke")); got != 1 {
		t.Errorf("the folder was announced %d times", got)
	}
	if e.Open(path); e.Finds("Explain Area") {
		t.Error("the answer is searched as a part of the workspace")
	}
}

// TestALinkInsteadOfTheFolder answers in a repository that has a link where answers go.
func TestALinkInsteadOfTheFolder(t *testing.T) {
	f := newFixture(t)
	elsewhere := t.TempDir()
	for _, target := range []string{elsewhere, "shapes"} {
		if err := os.Symlink(target, f.path(".ploke")); err != nil {
			t.Fatal(err)
		}
		e := f.start(lsptest.Options{Capabilities: plain(withoutDocuments), OnInitialize: as("helix", "25.01")})
		if line := explain(t, f, e); !strings.Contains(line, ".ploke is not a folder, or is a link") {
			t.Errorf("the message is %q", line)
		}
		if text := hoverText(t, e, f.path("shapes/circle.go"), "Area() float64"); !strings.Contains(text, explanation) {
			t.Errorf("the hover is %q", text)
		}
		e.Shutdown()
		if err := os.Remove(f.path(".ploke")); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{elsewhere, f.path("shapes")} {
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 2 {
			t.Errorf("%s has %v, %v", dir, entries, err)
		}
	}
}

// TestAnswerByEdit streams the answer of a model into a document in the background, while the
// person types above it.
func TestAnswerByEdit(t *testing.T) {
	f := newFixture(t)
	gate := llmtest.NewGate()
	f.useModel(llmtest.Turn{Text: []string{"First line.\n", "Second ", "line.\n", "Last words."}, Hold: gate}, llmtest.Turn{Text: []string{"Again."}})
	e := f.start(lsptest.Options{Capabilities: plain(withoutDocuments), OnInitialize: as("helix", "25.01")})
	path, document := f.path("shapes/circle.go"), f.path(".ploke/explain-Area.md")
	e.Open(path)
	e.AwaitProgressEnd(indexingTitle)
	execute(t, e, codeAction(t, e, path, "Area() float64", "ploke: explain"))
	e.Await("the lines that have come", func() bool {
		awaitHandled(e)
		text, _, _ := f.server.Document(fileURI(document))
		return strings.HasSuffix(text, "Second line.\n")
	})
	e.Type(document, 0, 0, "My note é😀\n")
	gate.Open()
	awaitLine(t, e, ".ploke/explain-Area.md: explain Area")
	if got, want := e.Text(document), "My note é😀\n# Explain Area\n\nFirst line.\nSecond line.\nLast words.\n"; got != want {
		t.Errorf("the document is %q, want %q", got, want)
	}
	if len(e.Shown()) != 0 || e.Text(path) != read(t, path) {
		t.Error("another document was shown or changed")
	}
	e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandExplain), nil)
	awaitLine(t, e, "explain-Area-2.md") // the cursor did not follow the answer
}

// TestAStreamedAnswerOutlivesTheEditor leaves without saving the document, or saves it first.
func TestAStreamedAnswerOutlivesTheEditor(t *testing.T) {
	for name, leave := range map[string]func(*lsptest.Editor, string){
		"close": func(e *lsptest.Editor, document string) { e.CloseDocument(document) },
		"quit":  func(*lsptest.Editor, string) {},
		"save": func(e *lsptest.Editor, document string) {
			e.Type(document, 0, len(e.Text(document)), "what the person wants to keep")
			e.Save(document)
		},
	} {
		f := newFixture(t)
		f.useModel(llmtest.Turn{Text: []string{"A line.\nAnother."}})
		server := lsp.NewServer(f.Options)
		e, ended := lsptest.StartUntilExit(t, server.Serve, lsptest.Options{
			Roots: []string{f.root}, Capabilities: plain(withoutDocuments), OnInitialize: as("helix", "25.01"),
		})
		path, document := f.path("shapes/circle.go"), f.path(".ploke/explain-Area.md")
		e.Open(path)
		execute(t, e, codeAction(t, e, path, "Area() float64", "ploke: explain"))
		awaitLine(t, e, ".md: explain Area")
		want := e.Text(document)
		if leave(e, document); name == "save" {
			want = "what the person wants to keep"
		}
		e.Shutdown()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if got := read(t, document); got != want {
			t.Errorf("%s: the file has %q, want %q", name, got, want)
		}
	}
}

// TestTypingWhileAnAnswerStreams types all the time into the document of an answer with many
// lines. The editor refuses edits of a stale version.
func TestTypingWhileAnAnswerStreams(t *testing.T) {
	f := newFixture(t)
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("Line %d.\n", i))
	}
	f.useModel(llmtest.Turn{Text: lines})
	e := f.start(lsptest.Options{Capabilities: plain(withoutDocuments)})
	path := f.path("shapes/circle.go")
	e.Open(path)
	e.AwaitProgressEnd(indexingTitle)
	execute(t, e, codeAction(t, e, path, "Area() float64", "ploke: explain"))
	documents := filepath.Join(f.state, "*", "documents", "explain-Area.md")
	var document string
	e.Await("the document", func() bool {
		found, _ := filepath.Glob(documents)
		if len(found) == 1 {
			document = found[0]
		}
		awaitHandled(e)
		_, _, open := f.server.Document(fileURI(document))
		return open
	})
	typed := 0
	e.Await("the end of the answer", func() bool {
		if typed < 200 {
			e.Type(document, 0, 0, "x")
			typed++
		}
		return len(messages(e, ".md: explain Area")) > 0
	})
	want := strings.Repeat("x", typed) + "# Explain Area\n\n" + strings.Join(lines, "") + "\n"
	if got := e.Text(document); got != want {
		t.Errorf("after %d letters, the document is\n%s", typed, got)
	}
}

// TestAnswerInPlace answers a client that can open nothing, such as Vim's ALE.
func TestAnswerInPlace(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{Capabilities: plain(withoutEdits)})
	line := explain(t, f, e)
	if !strings.Contains(line, "explain-Area.md") || !strings.Contains(line, "hover over Area") {
		t.Errorf("the message is %q", line)
	}
	path := f.path("shapes/circle.go")
	if text := hoverText(t, e, path, "Area() float64"); !strings.Contains(text, explanation) {
		t.Errorf("the hover over the declaration is %q", text)
	}
	if text := hoverText(t, e, path, "func square"); text != "" {
		t.Errorf("the hover over another declaration is %q", text)
	}
	var found []protocol.Diagnostic
	e.Await("the diagnostic", func() bool { found = e.Published(path); return len(found) > 0 })
	at := strings.Index(e.Text(path), "Area() float64")
	source, _ := found[0].Source.Get()
	if found[0].Range != e.Range(path, at, at+len("Area")) || found[0].Severity != protocol.DiagnosticSeverityInformation ||
		source != "ploke" {
		t.Errorf("the diagnostic is %+v", found[0])
	}
	if message, _ := found[0].Message.(protocol.String); !strings.Contains(string(message), explanation) {
		t.Errorf("the diagnostic says %q", message)
	}
	e.Type(path, 0, 0, "\n")
	e.Await("the diagnostic to go away", func() bool { return len(e.Published(path)) == 0 })
	if text := hoverText(t, e, path, "Area() float64"); !strings.Contains(text, explanation) {
		t.Errorf("after typing, the hover is %q", text)
	}
}

// TestTheNextChannel answers a client that declares window/showDocument and fails at it.
func TestTheNextChannel(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{Capabilities: plain(nil), RefuseDocuments: true})
	line := explain(t, f, e)
	document := e.Shown()[0].URI.FsPath()
	if text := e.Text(document); !strings.Contains(text, explanation) || !strings.Contains(line, filepath.Base(document)) {
		t.Errorf("%q: the document is\n%s", line, text)
	}
}

// TestRefusedEditsAreAnsweredInPlace answers a client that refuses both channels.
func TestRefusedEditsAreAnsweredInPlace(t *testing.T) {
	t.Parallel()
	for name, capabilities := range map[string]*protocol.ClientCapabilities{"both": plain(nil), "edits": plain(withoutDocuments)} {
		f := newFixture(t)
		e := f.start(lsptest.Options{Capabilities: capabilities, RefuseDocuments: true, RefuseEdits: "busy"})
		line := explain(t, f, e)
		if text := hoverText(t, e, f.path("shapes/circle.go"), "Area() float64"); !strings.Contains(text, explanation) {
			t.Errorf("%s: %q: the hover is %q", name, line, text)
		}
		entries, err := filepath.Glob(filepath.Join(f.state, "*", "documents", "*"))
		if err != nil || len(entries) != 1 || !strings.Contains(read(t, entries[0]), explanation) {
			t.Errorf("%s: the documents are %v, %v", name, entries, err)
		}
	}
}

// hoverText returns what a hover at the first occurrence of a text shows.
func hoverText(t *testing.T, e *lsptest.Editor, path, at string) string {
	t.Helper()
	offset := strings.Index(e.Text(path), at)
	var hover *protocol.Hover
	e.Call(protocol.MethodTextDocumentHover, &protocol.HoverParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)}, Position: e.Range(path, offset, offset).Start,
	}}, &hover)
	if hover == nil {
		return ""
	}
	return hover.Contents.(*protocol.MarkupContent).Value
}

// TestAProposalNeedsNoAnswerDocument documents a function in plain clients, and then explains it.
// The answer about the documentation is shown only if there is no proposal.
func TestAProposalNeedsNoAnswerDocument(t *testing.T) {
	t.Parallel()
	edit := llmtest.Turn{Calls: []llmtest.Call{{ID: "call_1", Name: "apply_code_edit", Arguments: `{"reason":"document square","edits":[
		{"mode":"canonical","file":"shapes/circle.go","canon":"square","kind":"function","at":"before","code":"// square returns x times x."}]}`}}}
	words := llmtest.Turn{Text: []string{"First line\nand second."}}
	for _, proposes := range []bool{true, false} {
		for name, capabilities := range map[string]*protocol.ClientCapabilities{"documents": plain(nil), "edits": plain(withoutDocuments)} {
			f := newFixture(t)
			turns, want := []llmtest.Turn{words, words}, 2
			if proposes {
				turns, want = []llmtest.Turn{edit, words, words}, 1
			}
			f.useModel(turns...)
			e := f.start(lsptest.Options{Capabilities: capabilities})
			path := f.path("shapes/circle.go")
			e.Open(path)
			execute(t, e, codeAction(t, e, path, "func square", "ploke: document square"))
			e.AwaitProgressEnd("ploke: document square")
			if !proposes {
				awaitLine(t, e, ".md: document square")
			}
			execute(t, e, codeAction(t, e, path, "func square", "ploke: explain square"))
			awaitLine(t, e, ".md: explain square")
			if got := mustGlob(t, filepath.Join(f.state, "*/documents/*")); len(got) != want {
				t.Errorf("%s: with a proposal %v, the documents are %v", name, proposes, got)
			}
		}
	}
}

// TestALineNamesAnAnswerWithTheKeysThatGoThere looks at the line that editors cut to the width of their windows, or fold into
// a prompt.
func TestALineNamesAnAnswerWithTheKeysThatGoThere(t *testing.T) {
	for name, where := range map[string]string{
		"neovim-0.7":  "the buffer (:b) explain-Area.md",
		"neovim-0.10": "explain-Area.md",
		"helix-25.01": "(space b) .ploke/explain-Area.md",
		"lsp-mode-8":  "the buffer (C-x b) explain-Area.md",
	} {
		f := newFixture(t)
		e := f.startAs(t, name)
		if line, want := explain(t, f, e), "ploke: the answer is in "+where+": explain Area"; line != want {
			t.Errorf("%s: the line is %q, want %q", name, line, want)
		}
		e.Shutdown()
	}
}

// TestALineNamesAPathThatIsTheSameFromEachFolder is for Emacs, where C-x C-f begins in the folder of the file in front.
func TestALineNamesAPathThatIsTheSameFromEachFolder(t *testing.T) {
	f := newFixture(t)
	e := f.startAs(t, "eglot-28")
	e.Open(f.path("shapes/circle.go"))
	runCommand(e, ploke.CommandAsk)
	line := awaitLine(t, e, "ploke: write in")
	if !regexp.MustCompile(`\(C-x C-f\) (~/|/).*` + filepath.Base(f.root) + `/\.ploke/chat\.ploke\.md, `).MatchString(line) {
		t.Errorf("the line is %q", line)
	}
}
