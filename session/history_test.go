package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
)

// TestAnotherConversationsMessages are neither shown nor answered in this
// conversation.
func TestAnotherConversationsMessages(t *testing.T) {
	h := start(t, tools.NewSet(), nil, says("here"), says("there"))
	here, _ := h.ask(t, Prompt{Text: "a"})
	there, _ := h.ask(t, Prompt{Text: "b"})
	var missing *records.NotFoundError
	if _, err := h.History(t.Context(), here.ConversationID, there.AssistantMessageID); !errors.As(err, &missing) {
		t.Errorf("history: %v", err)
	}
	if _, err := h.Start(t.Context(),
		Prompt{ConversationID: here.ConversationID, ParentID: there.AssistantMessageID, Text: "c"}); !errors.As(err, &missing) {
		t.Errorf("start: %v", err)
	}
}

// TestProposalsOfASteeredTurn checks that only the turn's last answer has its
// proposals.
func TestProposalsOfASteeredTurn(t *testing.T) {
	steer := func(h *harness) {
		list, err := h.Conversations(t.Context())
		if err == nil {
			_, err = h.Start(context.Background(), Prompt{ConversationID: list[0].ID, Text: "b", WhileBusy: Steer})
		}
		if err != nil {
			t.Error(err)
		}
	}
	h := staging(t, steer, llmtest.Turn{Text: []string{"done"}})
	turn, outcome := h.ask(t, Prompt{Text: "a"})
	messages := h.history(t, turn.ConversationID)
	if len(messages) != 4 || len(messages[1].Proposals) > 0 || len(outcome.Proposals) != 1 ||
		!slices.Equal(messages[3].Proposals, outcome.Proposals) {
		t.Errorf("%v in %+v", outcome.Proposals, messages)
	}
}

// TestDeletingWaitsForAStoppedTurn checks that a conversation is deleted only after
// its stopped turn has ended, since the turn writes to it until then.
func TestDeletingWaitsForAStoppedTurn(t *testing.T) {
	begun, end := make(chan struct{}), make(chan struct{})
	letEnd := sync.OnceFunc(func() { close(end) })
	defer letEnd()
	h := start(t, tools.NewSet(), func(o *Options) {
		o.Workspace.BeforeTurn = func(context.Context) error {
			close(begun)
			<-end // though the turn is stopped
			return nil
		}
	})
	turn := h.begin(t, Prompt{Text: "go"})
	testbed.Receive(t, begun, "the turn to begin")
	turn.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), testbed.Soon)
	defer cancel()
	if err := h.Delete(asked{ctx, letEnd}, turn.ConversationID); err != nil {
		t.Fatalf("it is not deleted: %v", err)
	}
	select {
	case <-turn.done:
	default:
		t.Error("the turn has not ended")
	}
	if list, err := h.Conversations(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestMessageCacheEqualsDatabase compares the cached messages with those that are
// read from the database.
func TestMessageCacheEqualsDatabase(t *testing.T) {
	h := start(t, tools.NewSet(echo("echo")), nil, llmtest.Turn{Calls: []llmtest.Call{{Name: "echo", Arguments: `{"text":"x"}`}}},
		says("1"), says("2"), says("3"), says("4"), says("5"))
	check := func(turn *Turn) {
		t.Helper()
		leaf := turn.AssistantMessageID
		all, err := h.kept.messages.Branch(t.Context(), turn.ConversationID, "", leaf)
		if err != nil {
			t.Fatal(err)
		}
		want := window.NewPast(all)
		for range 2 {
			got, _, err := h.kept.messages.Read(t.Context(), turn.ConversationID, leaf)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got,
				cmp.AllowUnexported(window.Past{}, window.Message{}, records.Answered{}, window.Prepared{}, window.Result{})); diff != "" {
				t.Error(diff)
			}
		}
	}
	first, _ := h.ask(t, Prompt{Text: "a"})
	check(first)
	second, _ := h.ask(t, Prompt{ConversationID: first.ConversationID, Text: "b"})
	third, _ := h.ask(t, Prompt{ConversationID: first.ConversationID, Text: "c"})
	check(third)
	edited, _ := h.ask(t, Prompt{ConversationID: first.ConversationID, ParentID: first.AssistantMessageID, Text: "d"})
	check(edited)
	check(second)
	check(third)
	other, _ := h.ask(t, Prompt{Text: "e"})
	check(other)
	check(edited)
	// what is prepared has paths relative to the folders
	h.kept.messages.Roots = func() []string { return []string{"/another"} }
	if _, fresh, err := h.kept.messages.Read(t.Context(), edited.ConversationID, edited.AssistantMessageID); err != nil || len(fresh) != 4 {
		t.Errorf("after a folder was added %d messages are read again: %v", len(fresh), err)
	}
	check(edited)
}

// TestAPastHasItsTurns checks that a past has exactly the turns of its own messages, also when a longer one shares what it
// knows of them.
func TestAPastHasItsTurns(t *testing.T) {
	message := func(id, turn string) window.Message {
		return window.Message{Message: records.Message{ID: id, RequestID: turn}, Prepared: &window.Prepared{}}
	}
	short := window.NewPast([]window.Message{message("1", "a"), message("2", "a"), message("3", "b")})
	long := short.Extended([]window.Message{message("4", "b"), message("5", "c")})
	for _, c := range []struct {
		past window.Past
		want []string
	}{{window.NewPast(nil), nil}, {short, []string{"a", "b"}}, {long, []string{"a", "b", "c"}}} {
		var has []string
		for _, turn := range []string{"a", "b", "c", "d"} {
			if c.past.HasTurn(turn) {
				has = append(has, turn)
			}
		}
		if diff := cmp.Diff(c.want, has); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(c.want, c.past.Turns); diff != "" {
			t.Error(diff)
		}
	}
}
