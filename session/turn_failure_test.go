package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// stubborn is a tool that ignores its context; it returns when release is
// closed.
func stubborn(name string, release <-chan struct{}) *tools.Tool {
	return tool(name, func(context.Context, tools.Env, string) (any, error) { <-release; return "late", nil })
}

// waiting is a tool that runs until it is cancelled.
func waiting(name string) *tools.Tool {
	return tool(name, func(ctx context.Context, _ tools.Env, _ string) (any, error) { <-ctx.Done(); return nil, ctx.Err() })
}

func TestFailedCalls(t *testing.T) {
	crash := tool("crash", func(context.Context, tools.Env, string) (any, error) { panic("boom") })
	tests := []struct {
		call   llmtest.Call
		code   bus.Code
		says   string
		result string
	}{
		{call("a", "waiting", ""), bus.CodeTimeout, "the tool took too long: more than 20ms", "\nask for less at once, or go on without it a"},
		{call("a", "stubborn", ""), bus.CodeTimeout, "the tool took too long: more than 20ms", "\nask for less at once, or go on without it a"},
		{call("a", "crash", ""), bus.CodePanic, "the tool crashed: boom", "\nthe same call will crash again; try another way, and tell the user a"},
		{call("a", "nonesuch", ""), bus.CodeInvalid, `there is no tool "nonesuch"`, "\ncandidates:\nwaiting\nstubborn\ncrash\necho a"},
		{llmtest.Call{ID: "a", Name: "echo", Arguments: `{"text":1}`}, bus.CodeInvalid, "text", "\ntext: "},
		{llmtest.Call{ID: "a", Name: "echo", Arguments: `{"text":`}, bus.CodeInvalid, "", "\nsend one complete JSON object a"},
	}
	for _, tt := range tests {
		t.Run(tt.call.Name+tt.call.Arguments, func(t *testing.T) {
			release := make(chan struct{})
			waits, stays := waiting("waiting"), stubborn("stubborn", release)
			waits.Timeout, stays.Timeout = 20*time.Millisecond, 20*time.Millisecond
			set := tools.NewSet(waits, stays, crash, echo("echo"))
			h := start(t, set, nil, calls(tt.call, call("b", "echo", "fine")), says("so be it"))
			t.Cleanup(func() { close(release) }) // before the engine is closed
			turn, outcome := h.ask(t, Prompt{Text: "go"})
			if outcome.StopReason != bus.StopDone || outcome.Text != "so be it" {
				t.Errorf("%+v", outcome)
			}
			failed := seen[bus.ToolCallFailed](h)
			if len(failed) != 1 || failed[0].Code != tt.code || !strings.Contains(failed[0].Error, tt.says) || !json.Valid(failed[0].Content) {
				t.Errorf("failed: %+v", failed)
			}
			sent := outline(h.server.Requests()[1])
			tail := sent[len(sent)-3:]
			if !strings.HasPrefix(tail[0], "tool: error: ") || !strings.Contains(tail[0], tt.result) ||
				tail[1] != `tool: {"ok":true,"said":"fine"} b` ||
				!strings.HasPrefix(tail[2], fmt.Sprintf("system: Call a of %s failed (%s): ", tt.call.Name, tt.code)) {
				t.Errorf("sent:\n%s", strings.Join(tail, "\n"))
			}
			record := h.history(t, turn.ConversationID)[1].Calls[0]
			if record.Code != tt.code || string(record.Arguments) != tt.call.Arguments || string(record.Content) != string(failed[0].Content) {
				t.Errorf("record: %+v", record)
			}
		})
	}
}

func TestRetries(t *testing.T) {
	busy := llmtest.Turn{Status: 503}
	cut := llmtest.Turn{Text: []string{"half of"}, Cut: true}
	tests := []struct {
		name    string
		script  []llmtest.Turn
		answer  string
		class   llm.Class // of the error that ends the turn
		retries []string
	}{
		{"busy twice", []llmtest.Turn{busy, busy, says("ok")}, "ok", "", []string{"2 250ms-500ms", "3 500ms-1s"}},
		{"busy for good", []llmtest.Turn{busy, busy, busy}, "", llm.Overloaded, []string{"2 250ms-500ms", "3 500ms-1s"}},
		{"told when", []llmtest.Turn{{Status: 429, RetryAfter: "7"}, says("ok")}, "ok", "", []string{"2 7s-7s"}},
		{"told when in words", []llmtest.Turn{{Status: 429, Body: `{"error":{"message":"Please try again in 4.5s"}}`}, says("ok")}, "ok", "", []string{"2 4.5s-4.5s"}},
		{"not told when", []llmtest.Turn{{Status: 429}, {Status: 429}, says("ok")}, "ok", "", []string{"2 4s-8s", "3 8s-16s"}},
		{"told in words to wait too long", []llmtest.Turn{{Status: 429, Body: `{"error":{"message":"Please try again in 2h3m"}}`}}, "", llm.RateLimit, nil},
		{"a template that fails", []llmtest.Turn{{Status: 500, Body: `{"error":{"message":"Conversation roles must alternate"}}`}}, "", llm.Template, nil},
		{"no tools", []llmtest.Turn{{Status: 500, Body: `{"error":{"message":"tools param requires --jinja flag"}}`}}, "", llm.NoTools, nil},
		{"told to wait too long", []llmtest.Turn{{Status: 429, RetryAfter: "3600"}}, "", llm.RateLimit, nil},
		{"cut", []llmtest.Turn{cut, says("whole")}, "whole", "", []string{"2 250ms-500ms"}},
		{"cut twice", []llmtest.Turn{cut, cut}, "half of", llm.Network, []string{"2 250ms-500ms"}},
		{"wrong key", []llmtest.Turn{{Status: 401}}, "", llm.Auth, nil},
		{"no credit", []llmtest.Turn{{Status: 402}}, "", llm.Quota, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, tools.NewSet(), nil, tt.script...)
			turn, outcome := h.ask(t, Prompt{Text: "go"})
			var e *llm.Error
			errors.As(outcome.Err, &e)
			if (tt.class == "") != (e == nil) || e != nil && e.Class != tt.class {
				t.Errorf("err = %v", outcome.Err)
			}
			answer := h.history(t, turn.ConversationID)[1]
			if outcome.Text != tt.answer || answer.Text != tt.answer {
				t.Errorf("text %q, stored %q", outcome.Text, answer.Text)
			}
			if wantStatus := map[bool]records.Status{true: records.Completed, false: records.Failed}[tt.class == ""]; answer.Status != wantStatus ||
				(answer.Error == "") != (tt.class == "") {
				t.Errorf("status %s, error %q", answer.Status, answer.Error)
			}
			checkDelays(t, h, tt.retries)
			if got := shown(h); got != tt.answer {
				t.Errorf("who followed the events has %q", got)
			}
		})
	}
}

// checkDelays compares attempts and the bounds of their delays.
func checkDelays(t *testing.T, h *harness, want []string) {
	t.Helper()
	events := seen[bus.Retry](h)
	if len(events) != len(want) || len(h.slept) != len(want) {
		t.Fatalf("%d retries, %d waits; want %d", len(events), len(h.slept), len(want))
	}
	for i, w := range want {
		var attempt int
		var bounds string
		fmt.Sscan(w, &attempt, &bounds)
		low, high, _ := strings.Cut(bounds, "-")
		min, _ := time.ParseDuration(low)
		max, _ := time.ParseDuration(high)
		if events[i].Attempt != attempt || h.slept[i] < min || h.slept[i] > max || events[i].Error == "" {
			t.Errorf("%+v, waited %v; want %s", events[i], h.slept[i], w)
		}
	}
}

// shown is the answer's text as a follower of the events has it.
func shown(h *harness) string {
	text := ""
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.events {
		switch e := e.(type) {
		case bus.MessageDelta:
			text += e.Text
		case bus.MessageUpdated:
			text = e.Text
		}
	}
	return text
}

func TestStopWhileStreaming(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"half ", "of it"}, Hold: gate})
	turn, err := h.Start(t.Context(), Prompt{Text: "go"})
	if err != nil {
		t.Fatal(err)
	}
	reached(t, gate)
	text := ""
	await(h, func(e bus.MessageDelta) bool { text += e.Text; return text == "half of it" })
	if !h.Stop(turn.ConversationID) {
		t.Error("there was nothing to stop")
	}
	outcome := h.wait(t, turn)
	if d := cmp.Diff(Outcome{Text: "half of it", StopReason: bus.StopCancelled}, outcome); d != "" {
		t.Error(d)
	}
	answer := h.history(t, turn.ConversationID)[1]
	if answer.Status != records.Cancelled || answer.Text != "half of it" || answer.StopReason != bus.StopCancelled {
		t.Errorf("%+v", answer)
	}
	if h.Stop(turn.ConversationID) {
		t.Error("an ended turn was stopped")
	}
}

func TestStopWhileToolsRun(t *testing.T) {
	release := make(chan struct{})
	h := start(t, tools.NewSet(waiting("waiting"), stubborn("stubborn", release), echo("echo")), nil,
		llmtest.Turn{Text: []string{"wait"}, Calls: []llmtest.Call{call("a", "waiting", ""), call("b", "stubborn", ""), call("c", "echo", "x")}},
		says("so be it"))
	t.Cleanup(func() { close(release) }) // before the engine is closed
	turn, err := h.Start(t.Context(), Prompt{Text: "go"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"waiting", "stubborn"} {
		await(h, func(e bus.ToolCallStarted) bool { return e.Name == name })
	}
	await[bus.ToolCallCompleted](h, nil)
	turn.Stop()
	if outcome := h.wait(t, turn); outcome.StopReason != bus.StopCancelled || outcome.Text != "wait" || outcome.Err != nil {
		t.Errorf("%+v", outcome)
	}
	var got []string
	for _, c := range h.history(t, turn.ConversationID)[1].Calls {
		got = append(got, c.Tool+" "+string(c.Code))
	}
	if d := cmp.Diff([]string{"waiting cancelled", "stubborn cancelled", "echo "}, got); d != "" {
		t.Error(d)
	}
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and now?"})
	sent := outline(h.server.Requests()[1])
	want := []string{"user: go", "assistant: wait a b c"}
	if d := cmp.Diff(want, sent[1:3]); d != "" || len(sent) != 9 || sent[7] != "assistant: (no answer: cancelled)" ||
		sent[8] != "user: and now?" {
		t.Errorf("sent:\n%s", strings.Join(sent, "\n"))
	}
}

func TestLimits(t *testing.T) {
	again := func(n int, name string) (turns []llmtest.Turn) {
		for i := range n {
			turns = append(turns, calls(call(fmt.Sprint("c", i), name, "")))
		}
		return turns
	}
	tests := []struct {
		name   string
		script []llmtest.Turn
		reason bus.StopReason
		says   string
	}{
		{"requests", again(5, "echo"), bus.StopLimit, "limit of 5 requests"},
		{"repairs", again(3, "nonesuch"), bus.StopLimit, "3 responses in a row"},
		{"tokens", []llmtest.Turn{{Text: []string{"and so"}, Finish: "length"}}, bus.StopLimit, "cut off at the model's token limit"},
		{"filter", []llmtest.Turn{{Text: []string{"and so"}, Finish: "content_filter"}}, bus.StopError, "content filter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, tools.NewSet(echo("echo")), func(o *Options) { o.Limits.TurnRequests, o.Limits.Repairs = 5, 2 }, tt.script...)
			_, outcome := h.ask(t, Prompt{Text: "go"})
			if outcome.StopReason != tt.reason || outcome.Err == nil || !strings.Contains(outcome.Err.Error(), tt.says) {
				t.Errorf("%+v", outcome)
			}
			if e := seen[bus.TurnFinished](h); len(e) != 1 || e[0].StopReason != tt.reason || !strings.Contains(e[0].Error, tt.says) {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestAPanicOfTheProviderFailsItsTurnAlone(t *testing.T) {
	h := start(t, tools.NewSet(), func(o *Options) {
		find := o.Model
		o.Model = func(ctx context.Context, name string) (llm.Model, error) {
			if name == "panics" {
				return llm.Model{}, nil // its provider is nil
			}
			return find(ctx, name)
		}
	}, says("fine"))
	if _, outcome := h.ask(t, Prompt{Text: "go", Model: "panics"}); outcome.StopReason != bus.StopError ||
		!strings.Contains(outcome.Err.Error(), "internal error") {
		t.Errorf("%+v", outcome)
	}
	if _, outcome := h.ask(t, Prompt{Text: "go"}); outcome.Text != "fine" {
		t.Errorf("%+v", outcome)
	}
}
