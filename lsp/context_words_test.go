package lsp_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// TestContextWords sends words that stand for the changes of a repository and for what other servers report.
func TestContextWords(t *testing.T) {
	f := newFixture(t)
	f.commitAll("Measure circles")
	edit := func(name, old, new string) {
		t.Helper()
		text := strings.Replace(read(t, f.path(name)), old, new, 1)
		if err := os.WriteFile(f.path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edit("shapes/circle.go", "Radius float64", "Radius float32")
	f.git("add", "--all")
	edit("shapes/rect.go", "package shapes", "package shapes // typed")
	model := f.useModel(answers("fine"), answers("fine"), answers("fine"), answers("fine"))
	circle := f.path("shapes/circle.go")
	options := lsptest.Options{Capabilities: lsptest.WithDiagnostics(lsptest.Capabilities()),
		Diagnostics: []ploke.DocumentDiagnostics{
			{URI: fileURI(circle), Diagnostics: []protocol.Diagnostic{problem("undefined: square", "compiler", "E12")}}}}
	e := f.start(options)
	e.AwaitIndex()
	send := func(text string) string {
		sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: text})
		requests := model.Requests()
		return lastOf(requests[len(requests)-1])
	}
	checkParts(t, "@diff", send("is this right? @diff"), []string{"is this right? @diff\n\nThe changes since the last commit",
		"+\tRadius float32", "+package shapes // typed"}, nil)
	checkParts(t, "@staged", send("@staged: is it whole?"), []string{"The changes that are staged", "+\tRadius float32"},
		[]string{"typed"})
	checkParts(t, "@diagnostics", send("what is wrong? @diagnostics"),
		[]string{"- shapes/circle.go:1: error: undefined: square (compiler E12)"}, []string{"The changes"})
	if err := os.WriteFile(f.path("diff"), []byte("a file"), 0o644); err != nil {
		t.Fatal(err)
	}
	checkParts(t, "@diff, which is a file", send("read @diff and me@diff.example"), nil, []string{"The changes since"})
}

// TestContextWordsComplete completes them, and says what they stand for.
func TestContextWordsComplete(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	var result ploke.ChatCompleteResult
	e.Call(ploke.MethodChatComplete, ploke.ChatCompleteParams{Text: "look at @di"}, &result)
	var got []string
	for _, item := range result.Items {
		if item.Attachment == nil {
			got = append(got, item.Insert+": "+item.Detail)
		}
	}
	want := "@diagnostics: what other language servers report, @diff: what differs from the last commit"
	if strings.Join(got, ", ") != want {
		t.Errorf("offered are %q, want %s", got, want)
	}
}

// TestTheEndOfTheLastCommandIsSent brings a long output of a command that has failed, and is not offered to a client that
// can't tell.
func TestTheEndOfTheLastCommandIsSent(t *testing.T) {
	f := newFixture(t)
	model := f.useModel(answers("fine"))
	status, testKey := 2, "AKIA"+strings.Repeat("QZ7X", 4)
	last := ploke.ClientTerminalResult{Command: "go test ./...", ExitCode: &status,
		Output: strings.Repeat("a line of output\n", 5000) + "--- FAIL: TestArea\nkey = " + testKey + "\n```\n"}
	options := lsptest.Options{Capabilities: lsptest.WithMethods(lsptest.Capabilities(), ploke.MethodClientTerminal),
		Answer: map[string]func(context.Context, *lsptest.Editor, []byte) (any, error){
			ploke.MethodClientTerminal: func(context.Context, *lsptest.Editor, []byte) (any, error) { return last, nil }}}
	e := f.start(options)
	e.AwaitIndex()
	if _, labels := complete(e, "@term"); !slices.Contains(labels, "command terminal") {
		t.Errorf("@terminal is not offered: %q", labels)
	}
	sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "why? @terminal"})
	sent := lastOf(model.Requests()[0])
	checkParts(t, "@terminal", sent, []string{"why? @terminal\n\nThe last command in the terminal (exit status 2):\n\n````console\n" +
		"$ go test ./...\n…\na line of output\n", "--- FAIL: TestArea\n"}, []string{testKey})
	if len(sent) > 20<<10 {
		t.Errorf("%d bytes are sent", len(sent))
	}
	last = ploke.ClientTerminalResult{}
	err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "why? @terminal"})
	if !strings.HasPrefix(err.Message, "@terminal: no command is known") {
		t.Errorf("without a command, %q", err.Message)
	}
	other := newFixture(t).startIndexed()
	if _, labels := complete(other, "@term"); slices.Contains(labels, "command terminal") {
		t.Error("a client that can't tell is offered @terminal")
	}
}

// TestAliasesOfContextWords are those of other assistants.
func TestAliasesOfContextWords(t *testing.T) {
	f := newFixture(t)
	f.commitAll("Measure circles")
	f.write("shapes/rect.go", "package shapes // typed\n")
	model := f.useModel(answers("fine"))
	e := f.startIndexed()
	sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "@changes @diff @problems"})
	sent := lastOf(model.Requests()[0])
	checkParts(t, "aliases", sent, []string{"+package shapes // typed", "Other language servers report nothing."}, nil)
	if strings.Count(sent, "The changes since the last commit") != 1 {
		t.Errorf("the changes are sent more than once: %s", sent)
	}
}

// TestTheSelectionAndItsFolderAreAttached by words; what is attached already is attached once.
func TestTheSelectionAndItsFolderAreAttached(t *testing.T) {
	f := newFixture(t)
	model := f.useModel(answers("fine"), answers("fine"), answers("fine"))
	circle := fileURI(f.path("shapes/circle.go"))
	state := &ploke.ClientState{Selection: &protocol.Location{URI: circle, Range: protocol.Range{
		Start: protocol.Position{Line: 2, Character: 3}, End: protocol.Position{Line: 4}}}}
	e := f.start(withState(state))
	e.AwaitIndex()
	lines := &protocol.Range{Start: protocol.Position{Line: 2}, End: protocol.Position{Line: 3}}
	for _, attached := range [][]ploke.Attachment{nil, {{URI: circle, Range: lines}}} {
		sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "is @selection right?", Attachments: attached})
		sent := lastOf(model.Requests()[len(model.Requests())-1])
		if strings.Count(sent, `circle.go" #3:4>`) != 1 {
			t.Errorf("with %v attached, sent is %s", attached, sent)
		}
	}
	sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "what is in @folder"})
	checkParts(t, "@folder", lastOf(model.Requests()[2]), []string{"circle.go", "rect.go"}, nil)
	state.Selection.Range.End = state.Selection.Range.Start
	err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "is @selection right?"})
	if !strings.HasPrefix(err.Message, "@selection: nothing is selected") {
		t.Errorf("without a selection, %q", err.Message)
	}
	if err := os.WriteFile(f.path(".env"), []byte("KEY=1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	state.Selection = &protocol.Location{URI: fileURI(f.path(".env")), Range: *lines}
	err = e.Error(ploke.MethodChatSend, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "is @selection right?"})
	if !strings.HasPrefix(err.Message, "@selection: ") {
		t.Errorf("a selection in a file with secrets: %q", err.Message)
	}
}

// TestContextWordsThatStandForNothing: the message is not sent, and the reason names the word.
func TestContextWordsThatStandForNothing(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "and @diff"})
	if !strings.HasPrefix(err.Message, "@diff: ") {
		t.Errorf("the message is refused with %q", err.Message)
	}
}
