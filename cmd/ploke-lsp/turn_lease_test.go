package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestATurnOfAnotherServer runs two servers on one folder. While one server runs a turn,
// the other can't change that conversation, but can use others. After the first server is
// killed, its turn counts as interrupted, and the other server continues the conversation.
func TestATurnOfAnotherServer(t *testing.T) {
	gate := llmtest.NewGate()
	defer gate.Open()
	model := llmtest.NewServer(t, llmtest.Turn{Text: []string{"The beginning"}, Hold: gate},
		llmtest.Turn{Text: []string{"elsewhere"}}, llmtest.Turn{Text: []string{"on"}})
	useModel(t, model.URL)
	state, root := t.TempDir(), manyFiles(t, 1)
	first, one := startServer(t, state, root)
	var c ploke.ChatCreateResult
	one.Call(ploke.MethodChatCreate, ploke.ChatCreateParams{Title: "shared"}, &c)
	sent := make(chan error, 1)
	go func() {
		sent <- one.Try(t.Context(), ploke.MethodChatSend, ploke.ChatSendParams{ConversationID: c.ConversationID, Text: "a"}, nil)
	}()
	<-gate.Reached()

	second, two := startServer(t, state, root)
	ask := ploke.ChatSendParams{ConversationID: c.ConversationID, Text: "b"}
	for _, whileBusy := range []ploke.WhileBusy{ploke.WhileBusyQueue, ploke.WhileBusySteer} {
		ask.WhileBusy = whileBusy
		if err := two.Error(ploke.MethodChatSend, ask); !strings.Contains(err.Message, "another window") {
			t.Errorf("%s: %v", whileBusy, err)
		}
	}
	if err := two.Error(ploke.MethodChatDelete, ploke.ChatDeleteParams{ConversationID: c.ConversationID}); !strings.Contains(err.Message,
		"another window") {
		t.Error(err)
	}
	awaitMessages(t, two, c.ConversationID, "a (completed)", "The beginning (pending)")
	if answer := two.Ask("c"); answer.Text != "elsewhere" {
		t.Errorf("%+v", answer)
	}

	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	first.Wait()
	if err := <-sent; err == nil {
		t.Error("the killed server answered")
	}
	two.Send(t.Context(), ask)
	want := []string{"a (completed)", "The beginning (interrupted)", "b (completed)", "on (completed)"}
	if d := cmp.Diff(want, messages(two, c.ConversationID)); d != "" {
		t.Errorf("after the kill (-want +got): %s", d)
	}
	stop(t, second, two)
}

// awaitMessages reads a conversation until it has these messages.
func awaitMessages(t *testing.T, e *lsptest.Editor, conversationID string, want ...string) {
	t.Helper()
	d := ""
	testbed.Eventually(t, func() bool { d = cmp.Diff(want, messages(e, conversationID)); return d == "" },
		func() string { return "the messages (-want +got): " + d })
}

// messages returns the text and status of each message of a conversation.
func messages(e *lsptest.Editor, conversationID string) (out []string) {
	var history ploke.ChatHistoryResult
	e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: conversationID}, &history)
	for _, m := range history.Messages {
		out = append(out, m.Text+" ("+string(m.Status)+")")
	}
	return out
}
