package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// lines returns n numbered lines of ten bytes.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %04d\n", i)
	}
	return b.String()
}

// TestShortenedResultsKeepWhatMatters shortens results of each kind in a turn that
// outgrows its window.
func TestShortenedResultsKeepWhatMatters(t *testing.T) {
	result := func(name string, ok bool) *tools.Tool {
		return tools.Define(name, "does "+name, tools.Short, func(context.Context, tools.Env, text) (tools.Result, error) {
			return tools.OK(map[string]any{"ok": ok, "output": lines(2000)}, "the summary")
		})
	}
	fails := func(name, message string) *tools.Tool {
		return tool(name, func(context.Context, tools.Env, string) (any, error) { return nil, errors.New(message) })
	}
	for _, tt := range []struct {
		name       string
		tool       *tools.Tool
		want, lose []string
	}{
		{"a good result", result("reads", true), []string{`{"ok":true,"summary":"the summary","head":{"ok":true,"output":"line 0000\nline 0001\n`, `…"}`, "recall_tool_result"}, []string{"line 0100"}},
		{"a failed check", result("checks", false), []string{`{"ok":false,"summary":"the summary","head":{"ok":false,"output":"line 0000\n`}, []string{`"ok":true`, "line 0100"}},
		{"a failed call", fails("fails", lines(2000)), []string{`{"ok":false,"code":"error","error":"line 0000\n`}, []string{`"ok":true`, "line 0100"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, tools.NewSet(tt.tool, big()), windowOf(16_000), calls(call("a", tt.tool.Name, "")), calls(call("b", "big", "30000")), says("done"))
			if _, outcome := h.ask(t, Prompt{Text: "go"}); outcome.Err != nil {
				t.Fatal(outcome.Err)
			}
			got := h.server.Requests()[2].Messages[3]
			if got.ToolCallID != "a" || !json.Valid([]byte(got.Content)) {
				t.Fatalf("%s", got.Raw)
			}
			for _, want := range tt.want {
				if !strings.Contains(got.Content, want) {
					t.Errorf("%s is missing in %s", want, got.Content)
				}
			}
			for _, lost := range tt.lose {
				if strings.Contains(got.Content, lost) {
					t.Errorf("%s is still in %.2000s", lost, got.Content)
				}
			}
		})
	}
}

// TestWhichResultsAreShortened says which results of a conversation are still whole in its
// last request, whose window takes 12,000 tokens. A byte is about a third of a token.
func TestWhichResultsAreShortened(t *testing.T) {
	failed := llmtest.Turn{Status: 401}
	for _, tt := range []struct {
		name    string
		prompts []string
		script  []llmtest.Turn
		want    string
	}{
		{"the largest first", []string{"go"},
			[]llmtest.Turn{calls(call("a", "big", "1000")), calls(call("b", "big", "34000")), calls(call("c", "big", "2500")), says("done")}, "a c"},
		{"of the same size the oldest first", []string{"go", "more"},
			[]llmtest.Turn{calls(call("a", "big", "5600"), call("b", "big", "5700")), calls(call("c", "big", "5500")), calls(call("d", "big", "5600")), says("one"), says("two")}, "d"},
		{"never what the last response asked for", []string{"go " + strings.Repeat("word ", 2000), "more"},
			[]llmtest.Turn{says("one"), calls(call("a", "big", "17000"), call("b", "big", "17000")), says("two")}, "a b"},
		{"never what the model has not read since its turn failed", []string{"go", "more"},
			[]llmtest.Turn{calls(call("a", "big", "24000")), failed, says("two")}, "a"},
		{"unless it alone does not fit", []string{"go"},
			[]llmtest.Turn{calls(call("a", "big", "3000"), call("b", "big", "50000")), says("one")}, "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, tools.NewSet(big()), windowOf(16_000), tt.script...)
			id := ""
			for _, text := range tt.prompts {
				turn, _ := h.ask(t, Prompt{ConversationID: id, Text: text})
				id = turn.ConversationID
			}
			requests := h.server.Requests()
			var whole []string
			for _, m := range requests[len(requests)-1].Messages {
				if m.Role == "tool" && strings.Contains(m.Content, "xxx") {
					whole = append(whole, m.ToolCallID)
				}
			}
			if got := strings.Join(whole, " "); got != tt.want {
				t.Errorf("whole are %q, want %q", got, tt.want)
			}
		})
	}
}

// TestHeadsAreJSONAndEndWithALine cuts values after 40 bytes.
func TestHeadsAreJSONAndEndWithALine(t *testing.T) {
	long := strings.Repeat("x", 100)
	for value, want := range map[string]string{
		`{"ok":true}`: `{"ok":true}`,
		`{"a":{"b":[1,2,"one\ntwo\n` + long + `"]},"c":1}`:         `{"a":{"b":[1,2,"one\ntwo\n…"]},"c":1}`,
		`{"password":"` + long + `","z":1}`:                        `{"password":"…","z":1}`,
		`["` + long[:36] + `",1,2]`:                                `["` + long[:36] + `",1]`,
		`"` + long + `"`:                                           `"…"`,
		`[1234567890,1234567890,1234567890,1234567890,1234567890]`: `[1234567890,1234567890,1234567890,1234567890]`,
		`12345678901234567890`:                                     `12345678901234567890`,
		`{"a":[],"b":{}}`:                                          `{"a":[],"b":{}}`,
		`not JSON`:                                                 ``,
		``:                                                         ``,
	} {
		if got := string(jsonHead(json.RawMessage(value), 40)); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}
