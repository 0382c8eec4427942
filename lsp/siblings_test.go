package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestSiblingsListTheAlternativesOfABranch asks a question three times, and another one
// after the second answer twice. Each branch has the same forks with another current
// message.
func TestSiblingsListTheAlternativesOfABranch(t *testing.T) {
	f := newFixture(t)
	var turns []llmtest.Turn
	for i := range 5 {
		turns = append(turns, llmtest.Turn{Text: []string{fmt.Sprint("answer ", i)}})
	}
	f.useModel(turns...)
	e := f.start(lsptest.Options{})
	id := newConversation(e)
	send := func(parent, text string) *ploke.ChatSendResult {
		return e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, ParentID: parent, Text: text})
	}
	siblings := func(leaf string) (out []string, leaves map[string]string) {
		t.Helper()
		var r ploke.ChatSiblingsResult
		e.Call(ploke.MethodChatSiblings, ploke.ChatSiblingsParams{ConversationID: id, LeafID: leaf}, &r)
		leaves = map[string]string{}
		for _, fork := range r.Forks {
			line := "after " + fork.ParentID + ":"
			for _, m := range fork.Messages {
				if m.CreatedAt == 0 {
					t.Errorf("%s has no time", m.ID)
				}
				line += fmt.Sprintf(" %s %s %q", m.Role, m.Status, m.Excerpt)
				if m.Current {
					line += " *"
				}
				leaves[m.ID] = m.LeafID
			}
			out = append(out, line)
		}
		return out, leaves
	}
	check := func(leaf string, want ...string) {
		t.Helper()
		got, _ := siblings(leaf)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("-want +got: %s", d)
		}
	}

	if got, _ := siblings(""); got != nil {
		t.Errorf("an empty conversation has %v", got)
	}
	first := send("", "one\n  two")
	check("")
	second := send("root", "again "+strings.Repeat("word ", 30))
	long := `"again ` + strings.Repeat("word ", 10) + `word…"`
	check("", `after : user completed "one two" user completed `+long+" *")
	left := send(second.AssistantMessageID, "left")
	right := send(second.AssistantMessageID, "right")
	third := send("root", "third")
	top := func(current string) string {
		line := `after : user completed "one two" user completed ` + long + ` user completed "third"`
		return strings.Replace(line, current, current+" *", 1)
	}
	below := "after " + second.AssistantMessageID + `: user completed "left" user completed "right"`
	check("", top(`"third"`))
	check(first.AssistantMessageID, top(`"one two"`))
	check(left.AssistantMessageID, top(long), strings.Replace(below, `"left"`, `"left" *`, 1))
	check(right.MessageID, top(long), below+" *")
	_, leaves := siblings(left.AssistantMessageID)
	want := map[string]string{first.MessageID: first.AssistantMessageID, second.MessageID: right.AssistantMessageID,
		third.MessageID: third.AssistantMessageID,
		left.MessageID:  left.AssistantMessageID, right.MessageID: right.AssistantMessageID}
	if d := cmp.Diff(want, leaves); d != "" {
		t.Errorf("the leaves (-want +got): %s", d)
	}
	for _, p := range []ploke.ChatSiblingsParams{{ConversationID: "none"}, {ConversationID: id, LeafID: "none"}} {
		if err := e.Error(ploke.MethodChatSiblings, p); !strings.Contains(err.Message, `"none"`) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
