package lsp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// cancelTimeout is how long a cancellation may take to reach the model server or a tool.
const cancelTimeout = 100 * time.Millisecond

// cancels are the ways to cancel a turn whose progress token is "work".
var cancels = []struct {
	name string
	stop func(e *lsptest.Editor, conversationID string, cancel context.CancelFunc)
}{
	{"cancelRequest", func(_ *lsptest.Editor, _ string, cancel context.CancelFunc) { cancel() }},
	{"chat/stop", func(e *lsptest.Editor, id string, _ context.CancelFunc) {
		e.Call(ploke.MethodChatStop, ploke.ChatStopParams{ConversationID: id}, nil)
	}},
	{"workDoneProgress/cancel", func(e *lsptest.Editor, _ string, _ context.CancelFunc) {
		e.Notify(protocol.MethodWindowWorkDoneProgressCancel, ploke.ProgressCancel{Token: ploke.Token(`"work"`)})
	}},
}

// TestCancelReachesTheModel measures, for each way to cancel, the time until the model
// server sees that the connection is closed.
func TestCancelReachesTheModel(t *testing.T) {
	for _, tt := range cancels {
		t.Run(tt.name, func(t *testing.T) {
			asked, gone := make(chan struct{}), make(chan time.Time, 1)
			server := httptest.NewServer(llmtest.ChatOnly(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"The beginning"}}]}`+"\n\n")
				w.(http.Flusher).Flush()
				close(asked)
				<-r.Context().Done()
				gone <- time.Now()
			}))
			defer server.Close()
			f := newFixture(t)
			f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil,
				`{"model": "scripted/model", "providers": {"scripted": {"type": "openai", "baseUrl": %q}}}`, server.URL+"/v1"))}
			e := f.startIndexed()
			id := newConversation(e)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			sent := sendAsync(e, ctx, ploke.ChatSendParams{ConversationID: id, Text: "talk", WorkDoneToken: ploke.Token(`"work"`)})
			<-asked
			e.Await("the first words", func() bool {
				return slices.ContainsFunc(e.Parts(), func(p ploke.Part) bool { return p.Type == ploke.PartMessage })
			})
			began := time.Now()
			tt.stop(e, id, cancel)
			if took := (<-gone).Sub(began); took > cancelTimeout {
				t.Errorf("it took %v to reach the model", took)
			}
			if r := <-sent; r.StopReason != ploke.StopCancelled || r.Text != "The beginning" {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestCancelReachesTools measures the same for two tools that run concurrently.
func TestCancelReachesTools(t *testing.T) {
	for _, tt := range cancels {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			running, gone := make(chan struct{}, 2), make(chan time.Time, 2)
			wait := func(ctx context.Context, _ tools.Env, _ struct{}) (tools.Result, error) {
				running <- struct{}{}
				<-ctx.Done()
				gone <- time.Now()
				return tools.Result{}, ctx.Err()
			}
			short, long := tools.Define[asJSON]("wait", "waits", tools.Short, wait), tools.Define[asJSON]("wait_long", "waits", tools.Long, wait)
			short.ReadOnly, long.ReadOnly = true, true // they run side by side
			f.extraTools = []*tools.Tool{short, long}
			f.useModel(llmtest.Turn{Text: []string{"Wait."}, Calls: []llmtest.Call{{ID: "w", Name: "wait", Arguments: "{}"}, {ID: "l", Name: "wait_long", Arguments: "{}"}}})
			e := f.startIndexed()
			id := newConversation(e)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			sent := sendAsync(e, ctx, ploke.ChatSendParams{ConversationID: id, Text: "wait", WorkDoneToken: ploke.Token(`"work"`)})
			<-running
			<-running
			began := time.Now()
			tt.stop(e, id, cancel)
			for range 2 {
				if took := (<-gone).Sub(began); took > cancelTimeout {
					t.Errorf("it took %v to reach a tool", took)
				}
			}
			if r := <-sent; r.StopReason != ploke.StopCancelled || r.Text != "Wait." || r.Error != "" {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestCancelOfACommandsTurn cancels the progress of a queued turn, which does not affect
// the running turn, and then that of a running turn.
func TestCancelOfACommandsTurn(t *testing.T) {
	f := newFixture(t)
	gate := llmtest.NewGate()
	f.useModel(llmtest.Turn{Text: []string{"one"}, Hold: gate}, llmtest.Turn{Text: []string{"three"}, Hold: llmtest.NewGate()})
	e := f.startIndexed()
	id := newConversation(e)
	cancel := func(text, turnID string) {
		e.Await("the progress of "+text, func() bool { return len(e.ServerProgress("ploke: "+text)) > 0 })
		e.CancelProgress("ploke: " + text)
		if r, _ := awaitTurn(t, e, turnID); r.StopReason != ploke.StopCancelled || r.Error != "" {
			t.Errorf("%s: %+v", text, r)
		}
	}
	first := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "a"})
	<-gate.Reached()
	cancel("b", askByCommand(e, id, "b"))
	gate.Open()
	if r := <-first; r.Text != "one" || r.StopReason != ploke.StopDone {
		t.Errorf("the turn before the cancelled one: %+v", r)
	}
	running := askByCommand(e, id, "c")
	e.Await("the first words", func() bool {
		return slices.ContainsFunc(e.Events(), func(ev ploke.Event) bool { return ev.TurnID == running && ev.Text == "three" })
	})
	cancel("c", running)
	want := []string{"user: a (completed)", "assistant: one (completed)", "user: b (completed)", "assistant:  (cancelled)",
		"user: c (completed)", "assistant: three (cancelled)"}
	if d := cmp.Diff(want, history(e, id)); d != "" {
		t.Error(d)
	}
}
