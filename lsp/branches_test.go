package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// branchOf returns the messages of a branch; "" is the newest one.
func branchOf(e *lsptest.Editor, conversationID, leafID string) []ploke.Message {
	var h ploke.ChatHistoryResult
	e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: conversationID, LeafID: leafID}, &h)
	return h.Messages
}

// again returns a message as a client sends it again, with a text that may be another one.
func again(conversationID string, m ploke.Message, text string) ploke.ChatSendParams {
	p := ploke.ChatSendParams{ConversationID: conversationID, ParentID: m.ParentID, Text: text, Attachments: m.Attachments}
	if p.ParentID == "" {
		p.ParentID = ploke.ParentRoot
	}
	return p
}

// TestMessagesAreEditedAndAnswersRetriedAsBranches edits the first and the second message of a conversation and retries
// their answers, by nothing but what the history says of them.
func TestMessagesAreEditedAndAnswersRetriedAsBranches(t *testing.T) {
	f := newFixture(t)
	var turns []llmtest.Turn
	for i := range 6 {
		turns = append(turns, llmtest.Turn{Text: []string{fmt.Sprint("answer ", i)}})
	}
	server := f.useModel(turns...)
	e := f.startIndexed()
	rect := fileURI(f.path("shapes/rect.go"))
	first := e.Send(t.Context(), ploke.ChatSendParams{Text: "one", Attachments: []ploke.Attachment{
		{URI: rect, Range: &protocol.Range{Start: protocol.Position{Line: 3}, End: protocol.Position{Line: 3, Character: 9}}},
		{URI: fileURI(f.path("tools/report.py"))}}})
	id := first.ConversationID
	second := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "two"})

	whole := protocol.Range{Start: protocol.Position{Line: 3}, End: protocol.Position{Line: 3, Character: 41}}
	messages := branchOf(e, id, "")
	if d := cmp.Diff([]ploke.Attachment{{URI: rect, Range: &whole}, {URI: fileURI(f.path("tools/report.py"))}}, messages[0].Attachments); d != "" {
		t.Errorf("the attachments: %s", d)
	}
	retried := e.Send(t.Context(), again(id, messages[0], messages[0].Text))
	edited := e.Send(t.Context(), again(id, messages[0], "one, edited"))
	e.Send(t.Context(), again(id, messages[2], "two"))
	e.Send(t.Context(), again(id, messages[2], "two, edited"))

	for _, n := range []int{2, 3} { // the retried and the edited message have what the first one had attached
		sent, want := server.Requests()[n].Last().Content, server.Requests()[0].Last().Content
		if n == 3 {
			want = strings.Replace(want, "one", "one, edited", 1)
		}
		if sent != want {
			t.Errorf("request %d is\n%s\nwant\n%s", n, sent, want)
		}
	}
	forks := func(leaf string) (out []string) {
		var r ploke.ChatSiblingsResult
		e.Call(ploke.MethodChatSiblings, ploke.ChatSiblingsParams{ConversationID: id, LeafID: leaf}, &r)
		for _, fork := range r.Forks {
			line := ""
			for _, m := range fork.Messages {
				line += "[" + m.Excerpt + "]"
				if m.Current {
					line += "*"
				}
			}
			out = append(out, line)
		}
		return out
	}
	top := "[one]%s[one]%s[one, edited]%s"
	for leaf, want := range map[string][]string{
		second.AssistantMessageID:  {fmt.Sprintf(top, "*", "", ""), "[two]*[two][two, edited]"},
		retried.AssistantMessageID: {fmt.Sprintf(top, "", "*", "")},
		edited.AssistantMessageID:  {fmt.Sprintf(top, "", "", "*")},
		"":                         {fmt.Sprintf(top, "*", "", ""), "[two][two][two, edited]*"},
	} {
		if d := cmp.Diff(want, forks(leaf)); d != "" {
			t.Errorf("the forks (-want +got): %s", d)
		}
	}
}

// TestAMessageThatJoinedATurnIsRetried retries it: its parent is an answer of the same turn.
func TestAMessageThatJoinedATurnIsRetried(t *testing.T) {
	f := newFixture(t)
	gate := llmtest.NewGate()
	f.useModel(llmtest.Turn{Text: []string{"one"}, Hold: gate}, llmtest.Turn{Text: []string{"two"}}, llmtest.Turn{Text: []string{"two again"}})
	e := f.startIndexed()
	id := newConversation(e)
	first := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "a"})
	<-gate.Reached()
	second := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "b", WhileBusy: ploke.WhileBusySteer})
	awaitMessages(t, e, id, 4)
	gate.Open()
	<-first
	<-second
	e.Send(t.Context(), again(id, branchOf(e, id, "")[2], "b"))
	want := []string{"user: a (completed)", "assistant: one (completed)", "user: b (completed)", "assistant: two again (completed)"}
	if d := cmp.Diff(want, history(e, id)); d != "" {
		t.Error(d)
	}
}

// TestAMessageWithAParentDoesNotSteer edits a message while its answer is being written: the branch waits for the turn.
func TestAMessageWithAParentDoesNotSteer(t *testing.T) {
	f := newFixture(t)
	gate := llmtest.NewGate()
	f.useModel(llmtest.Turn{Text: []string{"one"}, Hold: gate}, llmtest.Turn{Text: []string{"other"}})
	e := f.startIndexed()
	id := newConversation(e)
	first := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "a"})
	<-gate.Reached()
	second := sendAsync(e, t.Context(),
		ploke.ChatSendParams{ConversationID: id, ParentID: ploke.ParentRoot, Text: "b", WhileBusy: ploke.WhileBusySteer})
	e.Await("the branch", func() bool { return len(branchOf(e, id, "")) == 2 && branchOf(e, id, "")[0].Text == "b" })
	gate.Open()
	one, two := <-first, <-second
	if one.TurnID == two.TurnID || one.Text != "one" || two.Text != "other" {
		t.Errorf("%+v\n%+v", one, two)
	}
}
