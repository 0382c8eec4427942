package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// lines returns n numbered lines of ten bytes.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %04d\n", i)
	}
	return b.String()
}

// output is the content of a tool that may fail in a result of its own.
type output struct {
	OK     bool   `json:"ok"`
	Output string `json:"output"`
}

func (o output) Text(w *wording.Writer) { w.Note(o.Output) }

// TestShortenedResultsKeepWhatMatters shortens results of each kind in a turn that
// outgrows its window.
func TestShortenedResultsKeepWhatMatters(t *testing.T) {
	result := func(name string, ok bool) *tools.Tool {
		return tools.Define[output](name, "does "+name, tools.Short, func(context.Context, tools.Env, text) (tools.Result, error) {
			return tools.OK(output{ok, lines(2000)}, "the summary")
		})
	}
	fails := func(name, message string) *tools.Tool {
		return tool(name, func(context.Context, tools.Env, string) (any, error) { return nil, errors.New(message) })
	}
	for _, tt := range []struct {
		name       string
		tool       *tools.Tool
		head       string
		want, lose []string
	}{
		{"a good result", result("reads", true), "the summary\nline 0000\nline 0001\n", []string{"\n…\n", "recall_tool_result"}, []string{"line 0100", "error"}},
		{"a failed check", result("checks", false), "error: line 0000\nline 0001\n", []string{"recall_tool_result"}, []string{"line 0100"}},
		{"a failed call", fails("fails", lines(2000)), "error: line 0000\n", nil, []string{"line 0100"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, tools.NewSet(tt.tool, big()), windowOf(16_000), calls(call("a", tt.tool.Name, "")), calls(call("b", "big", "30000")),
				says("done"))
			if _, outcome := h.ask(t, Prompt{Text: "go"}); outcome.Err != nil {
				t.Fatal(outcome.Err)
			}
			got := h.server.Requests()[2].Messages[3]
			if got.ToolCallID != "a" || !strings.HasPrefix(got.Content, tt.head) {
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
			[]llmtest.Turn{calls(call("a", "big", "1000")), calls(call("b", "big", "31000")), calls(call("c", "big", "5000")), says("done")}, "a c"},
		{"of the same size the oldest first", []string{"go", "more"},
			[]llmtest.Turn{calls(call("a", "big", "5600"), call("b", "big", "5700")), calls(call("c", "big", "5500")), calls(call("d", "big", "5650")), says("one"), says("two")}, "d"},
		{"never what the last response asked for", []string{"go " + strings.Repeat("word ", 2000), "more"},
			[]llmtest.Turn{says("one"), calls(call("z", "big", "17000")), calls(call("a", "big", "10500"), call("b", "big", "10501")), says("two")}, "a b"},
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
				if m.Role == "tool" && strings.Contains(m.Content, "xxx") && !strings.Contains(m.Content, "room for") {
					whole = append(whole, m.ToolCallID)
				}
			}
			if got := strings.Join(whole, " "); got != tt.want {
				t.Errorf("whole are %q, want %q", got, tt.want)
			}
		})
	}
}

// TestHeadsEndWithALine cuts texts after 12 bytes.
func TestHeadsEndWithALine(t *testing.T) {
	long := strings.Repeat("x", 100)
	for text, want := range map[string]string{
		"short":                 "short",
		"one\ntwo\n" + long:     "one\ntwo\n…",
		"one\ntwo\nthree\nfour": "one\ntwo\n…",
		long:                    "…",
		"":                      "",
	} {
		if got := window.FirstLines(text, 12); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
