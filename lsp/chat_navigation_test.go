package lsp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// at returns the place in an open document behind the first occurrence of a text.
func at(e *lsptest.Editor, path, text string) protocol.TextDocumentPositionParams {
	offset := strings.Index(e.Text(path), text) + len(text)
	return protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)},
		Position: e.Range(path, offset, offset).Start}
}

// answeredChat returns a chat document with one answered question.
func (f *fixture) answeredChat(t *testing.T) (e *lsptest.Editor, path string) {
	e = f.startIndexed()
	path = f.openChat(e)
	write(e, path, "\nWhat does `square` do?\n")
	sendChat(t, e, path, 0)
	awaitChat(e, path, 1)
	write(e, path, "\n") // it arrives after the changes before it
	return e, path
}

func TestCompletionInAChatDocument(t *testing.T) {
	f := newFixture(t)
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "commands"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "commands", "review.md"), []byte("Review $ARGUMENTS\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.Options.Config = append(f.Options.Config, config.Layer{File: filepath.Join(folder, "config.toml")})
	e := f.startIndexed()
	path := f.openChat(e)
	empty := e.Text(path)
	for _, tt := range []struct{ typed, label, text string }{
		{"\nSee @sha", "shapes/", "@shapes/"},
		{"\nSee @shapes/ci", "shapes/circle.go", "@shapes/circle.go"},
		{"\nWhat is #squ", "square", "`square`"},
		{"\n/rev", "/review", "/review "},
		{" · e", "embedded", "embedded"},
	} {
		text := strings.TrimSuffix(empty, "\n") + tt.typed
		e.Type(path, 0, len(e.Text(path)), text)
		var list protocol.CompletionList
		e.Call(protocol.MethodTextDocumentCompletion, &protocol.CompletionParams{TextDocumentPositionParams: at(e, path, tt.typed)}, &list)
		i := slices.IndexFunc(list.Items, func(item protocol.CompletionItem) bool { return item.Label == tt.label })
		if i < 0 {
			t.Errorf("%q is not completed to %q: %+v", tt.typed, tt.label, list.Items)
			continue
		}
		if edit := list.Items[i].TextEdit.(*protocol.TextEdit); edit.NewText != tt.text {
			t.Errorf("%q inserts %q", tt.typed, edit.NewText)
		}
	}
	code := f.path("shapes/circle.go")
	e.Open(code)
	var list protocol.CompletionList
	e.Call(protocol.MethodTextDocumentCompletion, &protocol.CompletionParams{TextDocumentPositionParams: at(e, code, "math.")}, &list)
	if len(list.Items) != 0 {
		t.Errorf("code is completed: %+v", list.Items)
	}
}

func TestCitationsAndMentionsLeadToTheirPlaces(t *testing.T) {
	f := newFixture(t)
	e, path := f.answeredChat(t)
	write(e, path, "\nSee @shapes/rect.go#L3 and `Circle::Area`.\n")
	for text, want := range map[string]string{
		"](file://":        "shapes/circle.go:16",
		"*/ func square(x": "shapes/circle.go:16", // within the quoted code
		"@shapes/rect.go":  "shapes/rect.go:3",
		"`Circle::Ar":      "shapes/circle.go:12",
		"What does":        "",
	} {
		var places []protocol.Location
		e.Call(protocol.MethodTextDocumentDefinition, &protocol.DefinitionParams{TextDocumentPositionParams: at(e, path, text)}, &places)
		got := ""
		for _, p := range places {
			rel, _ := filepath.Rel(f.root, p.URI.FsPath())
			got += rel + ":" + string(mustJSON(t, p.Range.Start.Line+1))
		}
		if got != want {
			t.Errorf("%q leads to %q, want %q in\n%s", text, got, want, e.Text(path))
		}
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestTheLineOfAToolCallShowsWhatItGot(t *testing.T) {
	f := newFixture(t)
	e, path := f.answeredChat(t)
	var hover protocol.Hover
	e.Call(protocol.MethodTextDocumentHover, &protocol.HoverParams{TextDocumentPositionParams: at(e, path, "- ⚙ 1 ")}, &hover)
	raw := string(mustJSON(t, hover))
	for _, want := range []string{"code_item_lookup", "square", "shapes/circle.go", `\"ok\": true`} {
		if !strings.Contains(raw, want) {
			t.Errorf("%q is not in the hover %s", want, raw)
		}
	}
}

func TestTurnsAreSymbolsAndFold(t *testing.T) {
	f := newFixture(t)
	e, path := f.answeredChat(t)
	id := protocol.TextDocumentIdentifier{URI: fileURI(path)}
	var symbols []protocol.DocumentSymbol
	e.Call(protocol.MethodTextDocumentDocumentSymbol, &protocol.DocumentSymbolParams{TextDocument: id}, &symbols)
	var names []string
	for _, s := range symbols {
		names = append(names, s.Name)
	}
	if got, want := strings.Join(names, "; "), "You 1: What does `square` do?; ploke 1 · embedded; You 2"; got != want {
		t.Errorf("the symbols are %q, want %q", got, want)
	}
	var ranges []protocol.FoldingRange
	e.Call(protocol.MethodTextDocumentFoldingRange, &protocol.FoldingRangeParams{TextDocument: id}, &ranges)
	lines := strings.Split(e.Text(path), "\n")
	calls := slices.ContainsFunc(ranges, func(r protocol.FoldingRange) bool {
		_, first := chatdoc.CallAt(lines[r.StartLine])
		_, last := chatdoc.CallAt(lines[r.EndLine])
		return first && last
	})
	if !calls {
		t.Errorf("the tool calls don't fold: %+v in\n%s", ranges, e.Text(path))
	}
}

// TestAskingWithoutAQuestionOpensTheChat asks about a selection, twice, and sends the message.
func TestAskingWithoutAQuestionOpensTheChat(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{Capabilities: plain(nil)})
	code := f.path("shapes/circle.go")
	e.Open(code)
	e.AwaitProgressEnd(indexingTitle)
	start := strings.Index(e.Text(code), "func (c Circle)")
	var actions []protocol.CodeAction
	i := -1
	for end, title := range map[int]string{start: "ploke: ask about this line…", start + 30: "ploke: ask about this…"} {
		e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(code)},
			Range:        e.Range(code, start, end)}, &actions)
		if i = slices.IndexFunc(actions, func(a protocol.CodeAction) bool { return a.Title == title }); i < 0 {
			t.Fatalf("%s is not among %+v", title, actions)
		}
	}
	e.Call(protocol.MethodWorkspaceExecuteCommand,
		&protocol.ExecuteCommandParams{Command: actions[i].Command.Command, Arguments: actions[i].Command.Arguments}, nil)
	e.Await("the chat document", func() bool { return len(e.Shown()) == 1 })
	path := e.Shown()[0].URI.FsPath()
	if !strings.HasSuffix(path, "chat.ploke.md") || !strings.Contains(read(t, path), "@shapes/circle.go#L12") {
		t.Fatalf("%s is\n%s", path, read(t, path))
	}
	e.Open(path)
	write(e, path, "What does `Circle::Area` do?\n")
	e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandChatSend), nil) // it is our own text: no question
	awaitChat(e, path, 1)
	write(e, path, "\n") // it arrives after the changes before it
	e.Save(path)
	e.CloseDocument(path)
	e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandAsk), nil)
	e.Await("the chat document", func() bool { return len(e.Shown()) == 2 })
	e.Open(path)
	write(e, path, "\nWho calls it?\n")
	e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandChatSend), nil)
	awaitChat(e, path, 2)
}
