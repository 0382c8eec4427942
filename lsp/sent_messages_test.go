package lsp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

func TestSentMessagesAreListedWithThoseOfTheConversationFirst(t *testing.T) {
	f := newFixture(t)
	var turns []llmtest.Turn
	for range 5 {
		turns = append(turns, llmtest.Turn{Text: []string{"ok"}})
	}
	f.useModel(turns...)
	e := f.start(lsptest.Options{})
	first := e.Send(t.Context(), ploke.ChatSendParams{Text: "a\nb"}).ConversationID
	e.Send(t.Context(), ploke.ChatSendParams{Text: "other"})
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: first, Text: "both"})
	e.Send(t.Context(), ploke.ChatSendParams{Text: "both"})
	e.Send(t.Context(), ploke.ChatSendParams{Text: "last"})
	for _, tt := range []struct {
		params ploke.ChatSentParams
		want   []string
	}{
		{ploke.ChatSentParams{}, []string{"last", "both", "other", "a\nb"}},
		{ploke.ChatSentParams{ConversationID: first}, []string{"both", "a\nb", "last", "other"}},
		{ploke.ChatSentParams{ConversationID: "none", Limit: 2}, []string{"last", "both"}},
	} {
		var got ploke.ChatSentResult
		e.Call(ploke.MethodChatSent, tt.params, &got)
		if d := cmp.Diff(tt.want, got.Texts); d != "" {
			t.Errorf("%+v: %s", tt.params, d)
		}
	}
	var none ploke.ChatSentResult
	g := newFixture(t)
	if g.start(lsptest.Options{}).Call(ploke.MethodChatSent, nil, &none); len(none.Texts) != 0 {
		t.Errorf("before any message: %q", none.Texts)
	}
}
