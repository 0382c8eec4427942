package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// TestTheSameFailingCall repeats a failing call: its results carry a warning, and
// then the turn ends. Two equal calls of one response get the same result, and count once.
func TestTheSameFailingCall(t *testing.T) {
	broken := tool("broken", func(context.Context, tools.Env, string) (any, error) { return nil, errors.New("disk on fire") })
	refuses := tool("refuses", func(context.Context, tools.Env, string) (any, error) {
		return nil, &wording.Failure{Message: "no such file", Code: "not_found", Hint: "look elsewhere"}
	})
	for _, name := range []string{"broken", "refuses"} {
		same := func(n int) llmtest.Call {
			return llmtest.Call{ID: fmt.Sprint("c", n), Name: name, Arguments: strings.Repeat(" ", n) + `{"text":"x"}`}
		}
		h := start(t, tools.NewSet(broken, refuses, echo("echo")), nil,
			calls(same(0), call("d", name, "other"), call("e", "echo", "x")), calls(same(1)), calls(same(2), same(3)), calls(same(4)),
			calls(same(5)))
		turn, outcome := h.ask(t, Prompt{Text: "go"})
		if outcome.StopReason != bus.StopLimit || !strings.Contains(outcome.Err.Error(), "failing call of "+name+" 5 times") {
			t.Errorf("%s: %s: %v", name, outcome.StopReason, outcome.Err)
		}
		var warned []string
		for _, c := range h.history(t, turn.ConversationID)[1].Calls {
			if _, times, ok := strings.Cut(string(c.Content), `"repeated":"this call has failed `); ok {
				warned = append(warned, c.CallID+":"+times[:1])
			}
		}
		if got := strings.Join(warned, " "); got != "c2:3 c3:3 c4:4 c5:5" {
			t.Errorf("%s: results that warn: %s", name, got)
		}
		checkPrefixes(t, h.server.Requests())
	}
}
