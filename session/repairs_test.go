package session

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// invalid returns a response with only invalid calls: half of an unknown tool, half with
// arguments of a wrong type. All calls of the script differ.
func invalid(response, count int) llmtest.Turn {
	var turn llmtest.Turn
	for i := range count {
		id := fmt.Sprintf("bad%d_%d", response, i)
		c := llmtest.Call{ID: id, Name: "nonesuch", Arguments: fmt.Sprintf(`{"text":"%s"}`, id)}
		if i%2 == 1 {
			c = llmtest.Call{ID: id, Name: "echo", Arguments: fmt.Sprintf(`{"text":{"of":"%s"}}`, id)}
		}
		turn.Calls = append(turn.Calls, c)
	}
	return turn
}

// TestInvalidCallsEndATurnOnlyInResponsesInARow lets a turn correct two responses. The
// model always sees the errors of a response before they count against it.
func TestInvalidCallsEndATurnOnlyInResponsesInARow(t *testing.T) {
	good := func(n int) llmtest.Call { return call(fmt.Sprint("good", n), "echo", "x") }
	mixed := func(n int) llmtest.Turn {
		turn := invalid(n, 4)
		turn.Calls = append(turn.Calls, good(n))
		return turn
	}
	equal := calls()
	for i := range 10 {
		equal.Calls = append(equal.Calls, llmtest.Call{ID: fmt.Sprint("same", i), Name: "nonesuch", Arguments: `{}`})
	}
	for _, tt := range []struct {
		name   string
		script []llmtest.Turn
		limit  bool
	}{
		{"ten bad calls in one response", []llmtest.Turn{invalid(0, 10), says("done")}, false},
		{"ten equal bad calls in one response", []llmtest.Turn{equal, says("done")}, false},
		{"as many responses as may be corrected", []llmtest.Turn{invalid(0, 1), invalid(1, 2), says("done")}, false},
		{"a good call resets the count", []llmtest.Turn{invalid(0, 3), invalid(1, 3), mixed(2), invalid(3, 3), invalid(4, 3), calls(good(5)), invalid(6, 1), says("done")}, false},
		{"one response too many", []llmtest.Turn{calls(good(0)), invalid(1, 1), invalid(2, 1), invalid(3, 1)}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, tools.NewSet(echo("echo")), func(o *Options) { o.Limits.Repairs = 2 }, tt.script...)
			_, outcome := h.ask(t, Prompt{Text: "go"})
			if tt.limit && (outcome.StopReason != bus.StopLimit || !strings.Contains(fmt.Sprint(outcome.Err), "in 3 responses in a row")) {
				t.Errorf("%s: %v", outcome.StopReason, outcome.Err)
			}
			if !tt.limit && (outcome.StopReason != bus.StopDone || outcome.Text != "done") {
				t.Errorf("%s: %v, %q", outcome.StopReason, outcome.Err, outcome.Text)
			}
			checkPrefixes(t, h.server.Requests())
		})
	}
}
