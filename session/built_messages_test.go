package session

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
)

// TestATurnContinuesTheMessagesOfTheTurnBefore compares what is kept of a conversation with what is read from the
// database: while it grows, on another branch, after a change by another process, and in a new process.
func TestATurnContinuesTheMessagesOfTheTurnBefore(t *testing.T) {
	script := []llmtest.Turn{{Calls: []llmtest.Call{{Name: "echo", Arguments: `{"text":"x"}`}}}}
	for range 11 {
		script = append(script, says("said"))
	}
	rules := "Use tabs."
	h := start(t, tools.NewSet(echo("echo")), func(o *Options) {
		o.Workspace.Rules = func(context.Context, int) ([]records.Rules, error) {
			return []records.Rules{{Name: "AGENTS.md", Path: "/w/AGENTS.md", Text: rules}}, nil
		}
	}, script...)
	kept := func() *builtMessages { return &h.kept.hidden.entries[0].built }
	ask := func(p Prompt, continues bool) *Turn {
		t.Helper()
		var before builtMessages
		if len(h.kept.hidden.entries) > 0 {
			before = *kept()
		}
		turn, outcome := h.ask(t, p)
		if outcome.Err != nil {
			t.Fatal(outcome.Err)
		}
		var past []window.Message
		if parent := h.parentOf(t, turn.UserMessageID); parent != "" {
			var err error
			if past, err = h.kept.messages.Branch(t.Context(), turn.ConversationID, "", parent); err != nil {
				t.Fatal(err)
			}
		}
		b := kept()
		want := append([]llm.Message{b.messages[0]}, window.Replay(past)...)
		if len(want) > 1 {
			want[1].Text = b.first + want[1].Text
		}
		if !strings.Contains(b.first, rules) {
			t.Errorf("the rules are %q", b.first)
		}
		if diff := cmp.Diff(want, b.messages); diff != "" || b.past != len(past) || !b.normal {
			t.Fatalf("of %d messages %d are kept:\n%s", len(past), b.past, diff)
		}
		var counted countedMessages
		for _, m := range want {
			counted.n++
			counted.tokens += window.NewCounter(llm.Model{}, 0).Message(&m, m.Text)
			counted.bytes += len(m.Text)
		}
		if b.counted != counted {
			t.Errorf("counted are %+v; want %+v", b.counted, counted)
		}
		n := min(before.past, b.past)
		if got := n > 0 && before.last == h.kept.messages.Entries[0].Messages[n-1].Prepared; got != continues {
			t.Errorf("the turn continues what was kept: %v", got)
		}
		return turn
	}
	first := ask(Prompt{Text: "a"}, false)
	id := first.ConversationID
	second := ask(Prompt{ConversationID: id, Text: "b"}, false) // nothing was before the first turn
	ask(Prompt{ConversationID: id, Text: "c"}, true)
	third := ask(Prompt{ConversationID: id, Text: "d"}, true)
	other := ask(Prompt{ConversationID: id, ParentID: first.AssistantMessageID, Text: "e"}, false)
	ask(Prompt{ConversationID: id, ParentID: other.AssistantMessageID, Text: "after e"}, true)
	ask(Prompt{ConversationID: id, ParentID: second.AssistantMessageID, Text: "beside e"}, false)
	ask(Prompt{ConversationID: id, ParentID: third.AssistantMessageID, Text: "f"}, true) // from the first turn on
	h.addTurnElsewhere(t, id)
	ask(Prompt{ConversationID: id, Text: "g"}, true)
	h.kept.messages.Entries = nil // as if other conversations had been used
	ask(Prompt{ConversationID: id, Text: "h"}, false)
	rules = "Use spaces."
	ask(Prompt{ConversationID: id, Text: "i"}, true) // of the past, though nothing of the messages
}

func (h *harness) parentOf(t *testing.T, messageID string) (parent string) {
	t.Helper()
	err := h.db.Read().QueryRow(`SELECT coalesce(parent_id, '') FROM messages WHERE id = ?`, messageID).Scan(&parent)
	if err != nil {
		t.Fatal(err)
	}
	return parent
}

// addTurnElsewhere adds a turn to the end of a conversation as another process would.
func (h *harness) addTurnElsewhere(t *testing.T, conversationID string) {
	t.Helper()
	at := now()
	user := records.Message{ID: newID(), ConversationID: conversationID, ParentID: h.lastMessage(t, conversationID), RequestID: newID(),
		Role: llm.User,
		Text: "elsewhere", Status: records.Completed, CreatedAt: at, UpdatedAt: at}
	answer := records.Message{ID: newID(), ConversationID: conversationID, ParentID: user.ID, RequestID: user.RequestID, Role: llm.Assistant,
		Text: "answered", Status: records.Completed, CreatedAt: at, UpdatedAt: at,
		Answered: records.Answered{Responses: []records.Response{{End: len("answered")}}}}
	err := h.db.Write(t.Context(), func(tx *sql.Tx) error {
		if err := records.InsertMessage(t.Context(), tx, &user, user.Extra()); err != nil {
			return err
		}
		return records.InsertMessage(t.Context(), tx, &answer, answer.Extra())
	})
	if err != nil {
		t.Fatal(err)
	}
}
