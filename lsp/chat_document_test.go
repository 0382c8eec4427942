package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// openChat opens a new chat document.
func (f *fixture) openChat(e *lsptest.Editor) (path string) {
	path = f.path("chat.ploke.md")
	e.OpenText(path, chatdoc.Render(chatdoc.Conversation{}))
	return path
}

// write writes at the end of a document.
func write(e *lsptest.Editor, path, text string) {
	end := len(e.Text(path))
	e.Type(path, end, end, text)
}

// sendChat sends what stands in a section of a chat document; 0 is the last one.
func sendChat(t *testing.T, e *lsptest.Editor, path string, turn int) {
	t.Helper()
	argument, err := json.Marshal(ploke.ChatDocumentParams{URI: fileURI(path), Turn: turn, Trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	params := commandParams(ploke.CommandChatSend, string(argument))
	testbed.Eventually(t, func() bool {
		err = e.Try(t.Context(), protocol.MethodWorkspaceExecuteCommand, params, nil)
		// The editor shows an answer a moment before the server knows that it does.
		if err != nil && !strings.Contains(err.Error(), "is being sent") {
			t.Fatal(err)
		}
		return err == nil
	}, func() string { return err.Error() })
}

// awaitChat waits until the answer of a turn is complete, and returns its section's text.
func awaitChat(e *lsptest.Editor, path string, turn int) (answer string) {
	e.Await("the answer", func() bool {
		d := chatdoc.Parse(e.Text(path))
		s, ok := d.Section(chatdoc.Ploke, turn)
		answer = d.Text(s)
		return ok && s.Detail != chatdoc.Answering
	})
	return answer
}

func TestAChatDocumentIsAskedAndAnswered(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	path := f.openChat(e)
	write(e, path, "\nWhat does `square` do?\n")
	sendChat(t, e, path, 0)
	if answer := awaitChat(e, path, 1); !strings.Contains(answer, "func square(x float64)") || !strings.Contains(answer, "- ⚙ 1 ") {
		t.Errorf("the answer is\n%s", answer)
	}
	write(e, path, "\nWho calls it?\n")
	sendChat(t, e, path, 0)
	awaitChat(e, path, 2)
	d := chatdoc.Parse(e.Text(path))
	if d.Conversation == "" {
		t.Fatalf("the document does not name its conversation:\n%s", e.Text(path))
	}
	var history ploke.ChatHistoryResult
	e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: d.Conversation, LeafID: d.Leaf}, &history)
	if len(history.Messages) != 4 || history.Messages[2].Text != "Who calls it?" {
		t.Errorf("the conversation is %+v", history.Messages)
	}
	if draft, ok := d.Draft(); !ok || draft.Number != 3 || d.Text(draft) != "" {
		t.Errorf("the document ends in %+v:\n%s", draft, e.Text(path))
	}
}

// TestAStreamedAnswerIsTheStoredOne reopens a document: nothing is to be added or changed.
func TestAStreamedAnswerIsTheStoredOne(t *testing.T) {
	f := newFixture(t)
	f.useModel(
		llmtest.Turn{Text: []string{"Let me ", "see.\n", "## You", " 7\n\n"}, Calls: []llmtest.Call{
			{ID: "a", Name: "read_file", Arguments: `{"file":"shapes/circle.go"}`}, {ID: "b", Name: "read_file", Arguments: `{"file":"nothing.go"}`}}},
		llmtest.Turn{Text: []string{"\n\nHere it is:\n<code=\"shapes/rect.go\" #3:4>\nx\n</code>\nDone. \n"}},
	)
	e := f.startIndexed()
	path := f.openChat(e)
	write(e, path, "\nGo on.\n")
	sendChat(t, e, path, 0)
	answer := awaitChat(e, path, 1)
	for _, want := range []string{"Let me see.\n ## You 7\n\n- ⚙ 1 read_file: ", "\n- ⚙ 2 read_file", "\n\nHere it is:\n", "\nDone."} {
		if !strings.Contains(answer, want) {
			t.Errorf("%q is not in the answer\n%s", want, answer)
		}
	}
	text := e.Text(path)
	e.CloseDocument(path)
	path = f.path("again.ploke.md")
	header, _, _ := strings.Cut(text, "\n")
	e.OpenText(path, header+"\n")
	if again := awaitChat(e, path, 1); again != answer {
		t.Errorf("the answer is stored as\n%s\nand was streamed as\n%s", again, answer)
	}
}

// TestANewConversationInAChatDocument begins one below what is stored, and keeps what was not sent.
func TestANewConversationInAChatDocument(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	path := f.openChat(e)
	write(e, path, "\nWhat does `square` do?\n")
	sendChat(t, e, path, 0)
	awaitChat(e, path, 1)
	write(e, path, "\nnot sent yet\n")
	runCommand(e, ploke.CommandChatNew)
	e.Await("the new conversation", func() bool {
		text := e.Text(path)
		return chatdoc.Parse(text).Conversation == "" && !strings.Contains(text, "What does")
	})
	if text := e.Text(path); !strings.Contains(text, "not sent yet") {
		t.Errorf("what was not sent is gone from\n%s", text)
	}
}
