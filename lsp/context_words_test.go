package lsp_test

import (
	"os"
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

// TestContextWordsThatStandForNothing: the message is not sent, and the reason names the word.
func TestContextWordsThatStandForNothing(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "and @diff"})
	if !strings.HasPrefix(err.Message, "@diff: ") {
		t.Errorf("the message is refused with %q", err.Message)
	}
}
