package session

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// fullFor makes statements of the database fail like a full disk: on names the
// statements, such as "INSERT ON messages", and condition selects rows by NEW. free
// undoes it.
func (h *harness) fullFor(t *testing.T, on, condition string) (free func()) {
	t.Helper()
	run := func(statement string) {
		t.Helper()
		if err := h.db.Write(t.Context(), func(tx *sql.Tx) error { _, err := tx.Exec(statement); return err }); err != nil {
			t.Fatal(err)
		}
	}
	run(`CREATE TRIGGER full BEFORE ` + on + ` WHEN ` + condition + ` BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
	return func() { run(`DROP TRIGGER full`) }
}

// TestFullDisk fills the disk at each commit of a turn: data that was not stored is
// not acknowledged, and the conversation continues once there is space.
func TestFullDisk(t *testing.T) {
	for _, tt := range []struct {
		name, on, when string
		script         []llmtest.Turn // of the turn
		ran            int            // tools
		code           bus.Code       // of the call that was made
		fails          bool
	}{
		{name: "the ledger's entry", on: "INSERT ON ledger", when: "true", fails: true},
		{name: "the calls", on: "INSERT ON tool_calls", when: "NEW.content = ''", fails: true, script: []llmtest.Turn{calls(call("a", "echo", "x"))}},
		{name: "a call's result", on: "INSERT ON tool_calls", when: "NEW.content != ''", ran: 1, code: bus.CodeError,
			script: []llmtest.Turn{calls(call("a", "echo", "x")), says("so be it")}},
		{name: "the end", on: "UPDATE ON messages", when: "NEW.status = 'completed'", fails: true, script: []llmtest.Turn{says("done")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, tools.NewSet(echo("echo")), nil, append(append([]llmtest.Turn{says("before")}, tt.script...), says("after"))...)
			turn, _ := h.ask(t, Prompt{Text: "one"})
			free := h.fullFor(t, tt.on, tt.when)
			_, outcome := h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "two"})
			free()
			if (outcome.StopReason == bus.StopError) != tt.fails || tt.fails && !strings.Contains(outcome.Err.Error(), "the disk is full") {
				t.Errorf("%+v", outcome)
			}
			failed := seen[bus.ToolCallFailed](h)
			if n := len(seen[bus.ToolCallStarted](h)); n != tt.ran || len(failed) != tt.ran || tt.ran > 0 && failed[0].Code != tt.code {
				t.Errorf("%d tools ran; %+v", n, failed)
			}
			if got, want := len(h.server.Requests()), 1+len(tt.script); got != want {
				t.Errorf("%d requests were sent; want %d", got, want)
			}
			if _, next := h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "three"}); next.Text != "after" {
				t.Errorf("afterwards: %+v", next)
			}
			lost := 0
			for _, m := range outline(h.server.Requests()[1+len(tt.script)]) {
				if strings.HasPrefix(m, "tool: error: the result of the call was lost\n") {
					lost++
				}
			}
			if lost != tt.ran {
				t.Errorf("later turns get %d lost results", lost)
			}
		})
	}
}

// TestAMessageThatCannotBeStored is rejected, as the first message of a turn, as a
// queued one and as a steering one. The running turn continues without it.
func TestAMessageThatCannotBeStored(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{Text: []string{"one"}, Hold: gate}, says("two"))
	turn := h.begin(t, Prompt{Text: "a"})
	reached(t, gate)
	free := h.fullFor(t, "INSERT ON messages", "NEW.role = 'assistant'")
	for _, p := range []Prompt{{}, {ConversationID: turn.ConversationID, WhileBusy: Queue}, {ConversationID: turn.ConversationID, WhileBusy: Steer}} {
		p.Text = "lost"
		if _, err := h.Start(t.Context(), p); err == nil || !strings.Contains(err.Error(), "the disk is full") {
			t.Errorf("%+v: %v", p, err)
		}
	}
	free()
	gate.Open()
	if o := h.wait(t, turn); o.Text != "one" || o.Err != nil {
		t.Errorf("%+v", o)
	}
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "b"})
	want := []string{"user: a (completed)", "assistant: one (completed)", "user: b (completed)", "assistant: two (completed)"}
	if d := cmp.Diff(want, h.tree(t, turn.ConversationID)); d != "" {
		t.Error(d)
	}
	if n := len(seen[bus.TurnStarted](h)) + len(seen[bus.TurnQueued](h)) + len(seen[bus.TurnSteered](h)); n != 2 {
		t.Errorf("%d turns were published", n)
	}
	if list, err := h.Conversations(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("conversations: %+v, %v", list, err)
	}
}

// TestOneRecordThatCannotBeStored does not affect the other records of its group. The
// writer is blocked so that a group forms.
func TestOneRecordThatCannotBeStored(t *testing.T) {
	ran := make(chan struct{}, shortWorkers)
	done := tool("done", func(_ context.Context, _ tools.Env, arg string) (any, error) { ran <- struct{}{}; return arg, nil })
	h := start(t, tools.NewSet(done), nil, says("hello"))
	turn, _ := h.ask(t, Prompt{Text: "go"})
	free := h.fullFor(t, "INSERT ON tool_calls", `NEW.content LIKE '%number 5%'`)
	err := h.db.Write(t.Context(), func(*sql.Tx) error {
		for i := range shortWorkers {
			id := fmt.Sprint("number ", i)
			h.bus.Publish(bus.ToolCallRequested{CallRef: callRef(turn, id, "done"), Seq: i,
				Arguments: json.RawMessage(fmt.Sprintf(`{"text":%q}`, id))})
			testbed.Receive(t, ran, "a call to run") // so the first one is stored by itself
		}
		testbed.Returns(t, h.dispatcher.life.invoked.Wait, "all tools to return")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	await(h, func(e bus.Event) bool {
		if id, _ := terminal(e); id != "" {
			n++
		}
		return n == shortWorkers
	})
	free()
	if failed := seen[bus.ToolCallFailed](h); len(failed) != 1 || failed[0].ID != "number 5" ||
		!strings.Contains(failed[0].Error, "the disk is full") {
		t.Errorf("failed: %+v", failed)
	}
}
