package lsp_test

import (
	"os"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestInvisibleCharactersOfNamesAreShown has a model quote and delete a file whose name
// contains a mark that changes the order of text, and one without a width. People see both
// in the answer, in the proposal and in messages.
func TestInvisibleCharactersOfNamesAreShown(t *testing.T) {
	const name, shown = "gp\u202eog.tx\u200bt.go", `gp\u202eog.tx\u200bt.go`
	f := newFixture(t)
	if err := os.WriteFile(f.path(name), []byte("package shapes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.useModel(
		llmtest.Turn{Calls: []llmtest.Call{{ID: "d", Name: "delete_file", Arguments: `{"file":"` + name + `"}`}}},
		llmtest.Turn{Text: []string{"It was\n<code=\"" + name + "\" #1:1>\npackage shapes\n</code>\n"}})
	e := f.start(lsptest.Options{InitializationOptions: map[string]any{}})
	e.AwaitIndex()
	answer := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: newConversation(e), Text: "delete it"})
	if !strings.Contains(answer.Text, "["+shown+":1]") || strings.ContainsAny(answer.Text, "\u202e\u200b") {
		t.Errorf("the answer is %q", answer.Text)
	}
	var list ploke.ProposalListResult
	e.Call(ploke.MethodProposalList, ploke.ProposalListParams{}, &list)
	if p := list.Proposals[0]; p.Title != "deleting "+shown || p.Files[0].Path != shown {
		t.Errorf("the proposal shows the title %q and the path %q", p.Title, p.Files[0].Path)
	}
	for _, event := range e.Events() {
		if strings.ContainsAny(event.Title+event.Summary+event.Detail, "\u202e\u200b") {
			t.Errorf("an event shows %q, %q, %q", event.Title, event.Summary, event.Detail)
		}
	}
	if _, err := os.Stat(f.path(name)); err != nil {
		t.Fatal(err)
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: list.Proposals[0].ID}, nil)
	if _, err := os.Stat(f.path(name)); err == nil {
		t.Error("accepting did not delete the file, whose real name stays in force")
	}
}
