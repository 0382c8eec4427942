package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// TestTurn runs an entire turn: concurrent calls whose results are sent in the order
// of the calls though the second call ends first, a call that fails, and the answer.
func TestTurn(t *testing.T) {
	bothRun := make(chan struct{})
	secondDone := make(chan struct{})
	slow := tool("slow", func(ctx context.Context, env tools.Env, arg string) (any, error) {
		bothRun <- struct{}{} // met by quick: neither can be first to end alone
		select {
		case <-secondDone:
			return arg + "/" + env.LastUserMessage(), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	quick := tool("quick", func(ctx context.Context, _ tools.Env, arg string) (any, error) {
		<-bothRun
		return arg, nil
	})
	broken := tool("broken", func(context.Context, tools.Env, string) (any, error) { return nil, errors.New("disk on fire") })
	h := start(t, tools.NewSet(slow, quick, broken), nil,
		llmtest.Turn{Text: []string{"Let me ", "look."}, Calls: []llmtest.Call{call("a", "slow", "1"), call("b", "quick", "2")}, Usage: llmtest.Usage{Prompt: 10, Completion: 2}},
		llmtest.Turn{Calls: []llmtest.Call{call("c", "broken", "3")}, Usage: llmtest.Usage{Prompt: 20, Completion: 3, Cached: 10}},
		llmtest.Turn{Text: []string{"It is ", "so."}, Usage: llmtest.Usage{Prompt: 30, Completion: 4, Cached: 20}},
	)
	turn, err := h.Start(t.Context(), Prompt{Text: "why?", Origin: "here"})
	if err != nil {
		t.Fatal(err)
	}
	await(h, func(e bus.ToolCallCompleted) bool { return e.Name == "quick" })
	close(secondDone)
	outcome := h.wait(t, turn)
	want := Outcome{Text: "Let me look.\n\nIt is so.", StopReason: bus.StopDone, Usage: llm.Usage{In: 60, Out: 9, Cached: 30}}
	if d := cmp.Diff(want, outcome); d != "" {
		t.Error(d)
	}
	requests := h.server.Requests()
	checkPrefixes(t, requests)
	wantLast := []string{
		"user: why?",
		"assistant: Let me look. a b",
		`tool: {"ok":true,"said":"1/why?"} a`,
		`tool: {"ok":true,"said":"2"} b`,
		"assistant:  c",
		"tool: error: disk on fire\ntry another way, and tell the user c",
		"system: Call c of broken failed (error): disk on fire",
	}
	if d := cmp.Diff(wantLast, outline(requests[2])[1:]); d != "" {
		t.Error(d)
	}
	checkTurnStored(t, h, turn)
	checkTurnEvents(t, h, turn)
}

// outline tells the messages of a request.
func outline(r llmtest.Request) []string {
	var out []string
	for _, m := range r.Parts() {
		line := m.Role + ": " + m.Content
		for _, c := range m.ToolCalls {
			line += " " + c.ID
		}
		if m.ToolCallID != "" {
			line += " " + m.ToolCallID
		}
		out = append(out, line)
	}
	return out
}

func checkTurnStored(t *testing.T, h *harness, turn *Turn) {
	t.Helper()
	messages := h.history(t, turn.ConversationID)
	if len(messages) != 2 {
		t.Fatalf("%d messages", len(messages))
	}
	user, answer := messages[0], messages[1]
	if user.ID != turn.UserMessageID || user.Text != "why?" || user.ParentID != "" || user.Status != records.Completed {
		t.Errorf("user's message: %+v", user)
	}
	if answer.ID != turn.AssistantMessageID || answer.ParentID != user.ID || answer.Status != records.Completed || answer.Model != "test/m" ||
		answer.Text != "Let me look.\n\nIt is so." || answer.StopReason != bus.StopDone || answer.Usage.In != 60 {
		t.Errorf("answer: %+v", answer)
	}
	var got []string
	for _, c := range answer.Calls {
		got = append(got, fmt.Sprint(c.CallID, c.Tool, c.Summary, c.Code, c.StartedAt.IsZero()))
	}
	if d := cmp.Diff([]string{"aslowslow said somethingfalse", "bquickquick said somethingfalse", "cbrokenerrorfalse"}, got); d != "" {
		t.Error(d)
	}
	var rows, sent, in int
	err := h.db.Read().QueryRow(`SELECT count(*), sum(json_array_length(sent)), sum(tokens_in)
		FROM ledger WHERE request_id = ? AND provider = 'test' AND model = 'm'`,
		turn.RequestID).Scan(&rows, &sent, &in)
	if err != nil || rows != 3 || sent != 11 || in != 60 {
		t.Errorf("ledger: %d rows, %d items in all, %d tokens in, %v", rows, sent, in, err)
	}
}

func checkTurnEvents(t *testing.T, h *harness, turn *Turn) {
	t.Helper()
	var got []string
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.events {
		switch e := e.(type) {
		case bus.MessageDelta:
			got = append(got, "delta")
		case bus.ToolCallCompleted, bus.ToolCallFailed, bus.ToolCallStarted:
			// in any order among themselves
		case bus.TurnStarted:
			got = append(got, "TurnStarted "+e.Origin+" "+e.Title)
		case bus.TurnFinished:
			got = append(got, "TurnFinished "+string(e.StopReason))
		default:
			got = append(got, strings.TrimPrefix(fmt.Sprintf("%T", e), "bus."))
		}
	}
	got = squeeze(got)
	want := []string{"TurnStarted here why?", "MessageAdded", "PromptConstructed",
		"RequestStarted", "delta", "RequestFinished", "Usage", "ToolCallRequested",
		"RequestStarted", "RequestFinished", "Usage", "ToolCallRequested",
		"RequestStarted", "delta", "RequestFinished", "Usage", "MessageUpdated", "TurnFinished done"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// squeeze drops repetitions.
func squeeze(list []string) []string {
	var out []string
	for _, s := range list {
		if len(out) == 0 || out[len(out)-1] != s {
			out = append(out, s)
		}
	}
	return out
}
