package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
)

// manyLines answers with as many lines as it is asked for, or with one long line if the number is negative.
func manyLines() *tools.Tool {
	return tools.Define[output]("look", "looks", tools.Short, func(_ context.Context, _ tools.Env, a text) (tools.Result, error) {
		n, err := strconv.Atoi(a.Text)
		if n < 0 {
			return tools.OK(output{true, strings.Repeat("all in one line ", -n)}, "looked at one line")
		}
		if err != nil {
			return tools.Result{}, err
		}
		return tools.OK(output{true, lines(n)}, "looked at "+a.Text+" lines")
	})
}

// wholeTokens estimates the tokens of a request, with the definitions of tools.
func wholeTokens(r llmtest.Request) int {
	n := sent(r)
	for _, t := range r.Tools {
		n += (len(t.Function.Name)+len(t.Function.Description)+len(t.Function.Parameters))*5/16 + 3
	}
	return n
}

// TestRandomConversationsFitSmallWindows has random conversations with models of random small windows. Each request fits and
// has the person's last message whole and what was asked first; each result that is cut says how to get the rest; and within a
// turn each request begins with the one before, unless a notice says that the conversation was compacted.
func TestRandomConversationsFitSmallWindows(t *testing.T) {
	happened := map[string]*atomic.Int32{"there is room for ": {}, "(shortened to save space": {}, "The user asked first: ": {}, "(left out here, too: ": {}}
	t.Cleanup(func() {
		for what, n := range happened {
			if t.Logf("%q in %d requests", what, n.Load()); n.Load() == 0 {
				t.Errorf("%q: never", what)
			}
		}
	})
	for seed := range uint64(24) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 7))
			window := 2500 + random.IntN(14_000)
			var script []llmtest.Turn
			var asked []string
			ends := []int{0} // how many requests there are after each turn
			for i := range 4 + random.IntN(10) {
				for j := range random.IntN(4) {
					var batch []llmtest.Call
					for k := range 1 + random.IntN(3) {
						batch = append(batch, call(fmt.Sprintf("c%02d%02d%02d", i, j, k), "look", fmt.Sprint(random.IntN(2400)-200)))
					}
					script = append(script, llmtest.Turn{Text: []string{strings.Repeat("I look. ", random.IntN(20))}, Calls: batch})
				}
				script = append(script, says("It is "+strings.Repeat("so ", random.IntN(window/4))+"."))
				asked = append(asked, fmt.Sprintf("Question %d: %s?", i, strings.Repeat("and why ", random.IntN(window/16))))
				ends = append(ends, len(script))
			}
			h := start(t, tools.NewSet(manyLines(), echo(tools.RecallToolResult)), windowOf(window), script...)
			id := ""
			for i, text := range asked {
				notices := len(seen[bus.Notice](h))
				turn, outcome := h.ask(t, Prompt{ConversationID: id, Text: text})
				if id = turn.ConversationID; outcome.Err != nil {
					t.Fatalf("window %d, turn %d: %v", window, i, outcome.Err)
				}
				requests := h.server.Requests()[ends[i]:]
				for _, r := range requests {
					checkFits(t, r, window, text)
					for what, n := range happened {
						if strings.Contains(string(r.Body), what) {
							n.Add(1)
						}
					}
				}
				if breaks, told := countBreaks(requests), len(seen[bus.Notice](h))-notices; breaks > told {
					t.Errorf("window %d, turn %d: %d requests don't begin with the one before; %d notices", window, i, breaks, told)
				}
			}
		})
	}
}

// checkFits checks a request of a turn whose message has this text.
func checkFits(t *testing.T, r llmtest.Request, window int, text string) {
	t.Helper()
	if n := wholeTokens(r); n > window {
		t.Errorf("a request has %d tokens, the window %d", n, window)
	}
	body := strings.Join(outline(r), "\n")
	if !strings.Contains(body, text) {
		t.Errorf("the last message is not whole: %.100s", text)
	}
	if !strings.Contains(body, "Question 0: ") {
		t.Error("what was asked first is gone")
	}
	for _, m := range r.Messages {
		if m.Role == "tool" && strings.Contains(m.Content, "…") && !strings.Contains(m.Content, tools.RecallToolResult) &&
			!strings.Contains(m.Content, "ask for less") {
			t.Errorf("a result does not say how to get the rest: %.200s", m.Content)
		}
	}
}

// countBreaks counts the requests that don't begin with the bytes of the one before, or describe other tools.
func countBreaks(requests []llmtest.Request) (breaks int) {
	for i := 1; i < len(requests); i++ {
		if !isPrefix(requests[i-1].Messages, requests[i].Messages) || !bytes.Equal(toolsOf(requests[i-1]), toolsOf(requests[i])) {
			breaks++
		}
	}
	return breaks
}

// toolsOf returns the definitions of a request's tools.
func toolsOf(r llmtest.Request) []byte {
	var request struct{ Tools json.RawMessage }
	if err := json.Unmarshal(r.Body, &request); err != nil {
		panic(err)
	}
	return request.Tools
}

// TestResultsShareTheRoom cuts results that together have more tokens than there is room for.
func TestResultsShareTheRoom(t *testing.T) {
	secret := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	for _, tt := range []struct {
		name  string
		texts []string
		room  int
		want  []string // what is left of each
	}{
		{"all fit", []string{lines(10), lines(20)}, 400, []string{lines(10), lines(20)}},
		{"a short one leaves its share", []string{lines(10), lines(1000)}, 1000, []string{lines(10),
			lines(115) + "(there is room for 115 of 1000 lines of this result; recall_tool_result shows more for call_id b, with start_line 116)"}},
		{"equal shares", []string{lines(1000), lines(1000)}, 600, []string{
			lines(33) + "(there is room for 33 of 1000 lines of this result; recall_tool_result shows more for call_id a, with start_line 34)",
			lines(33) + "(there is room for 33 of 1000 lines of this result; recall_tool_result shows more for call_id b, with start_line 34)"}},
		{"no room", []string{lines(50)}, 0, []string{"(there is no room for this result of 50 lines; recall_tool_result shows some of them for call_id a, with start_line and end_line)"}},
		{"a failure without room stays one", []string{window.ErrorMark + strings.Repeat("x", 900)}, 60, nil},
		{"one long line", []string{strings.Repeat("word ", 400)}, 150, []string{strings.Repeat("word ", 60) + "…\n(there is only room for the beginning of this result, whose last line is long: ask for less at once)"}},
		{"a long line before others", []string{strings.Repeat("word ", 400) + "\nmore\n"}, 200, nil},
		{"a secret is not cut", []string{strings.Repeat("word ", 60) + "token = " + secret + strings.Repeat(" word", 400)}, 140, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			exchange := []llm.Message{{Role: llm.Assistant}}
			for i, text := range tt.texts {
				exchange = append(exchange, llm.Message{Role: llm.Tool, CallID: string(rune('a' + i)), Text: text})
			}
			c := window.Counter{Scale: window.EstimateMargin}
			window.CutResults(exchange, c.Cuts(exchange, tt.room))
			tokens := 0
			for i, m := range exchange[1:] {
				tokens += c.Scaled(c.Text(m.Text))
				if tt.want != nil && m.Text != tt.want[i] {
					t.Errorf("%d: %d bytes: … %s", i, len(m.Text), m.Text[max(0, len(m.Text)-200):])
				}
				if strings.Contains(m.Text, secret[:10]) && !strings.Contains(m.Text, secret) {
					t.Errorf("a part of a secret is shown: %s", m.Text)
				}
				if strings.HasPrefix(tt.texts[i], window.ErrorMark) && !strings.HasPrefix(m.Text, window.ErrorMark) {
					t.Errorf("no failure any more: %s", m.Text)
				}
			}
			if tokens > tt.room && tt.room > 0 {
				t.Errorf("%d tokens", tokens)
			}
		})
	}
}

// TestARefusedRequestKeepsWhatFits has a server that counts twice as many tokens refuse the request with a large result. The
// next request has as much of the result as there is room for, and it is read as that again.
func TestARefusedRequestKeepsWhatFits(t *testing.T) {
	refused := llmtest.Turn{Status: 400,
		Body: `{"error":{"code":400,"message":"request (14000 tokens) exceeds the available context size (8192 tokens), ` +
			`try increasing it","type":"exceed_context_size_error","n_prompt_tokens":14000,"n_ctx":8192}}`}
	h := start(t, tools.NewSet(manyLines()), windowOf(8192), calls(call("a", "look", "900")), refused, says("done"))
	turn, outcome := h.ask(t, Prompt{Text: "go"})
	if outcome.Err != nil {
		t.Fatal(outcome.Err)
	}
	requests := h.server.Requests()
	first, second := requests[1].Last().Content, requests[2].Last().Content
	if len(second) > len(first)/2 || len(second) < 1500 || !strings.Contains(second, "shows more for call_id a") {
		t.Errorf("%d bytes, then %d: … %s", len(first), len(second), second[max(0, len(second)-300):])
	}
	path, err := h.kept.messages.Branch(t.Context(), turn.ConversationID, "", turn.AssistantMessageID)
	if err != nil || path[1].Prepared.Sent[1].Text != second {
		t.Errorf("it is read as %q (%v)", path[1].Prepared.Sent[1].Text, err)
	}
}

// TestATemplateWithoutToolsDoesNotLowerTheCount has a server that reports the tokens of the messages alone.
func TestATemplateWithoutToolsDoesNotLowerTheCount(t *testing.T) {
	first := says("one")
	first.Usage = llmtest.Usage{Prompt: 800, Completion: 1}
	h := start(t, tools.New(tools.Deps{}), nil, first, says("two"))
	turn, _ := h.ask(t, Prompt{Text: "a"})
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "b"})
	if p := seen[bus.PromptConstructed](h); p[1].Tokens < p[0].Tokens || p[1].Tokens > 2*p[0].Tokens {
		t.Errorf("%d tokens, then %d", p[0].Tokens, p[1].Tokens)
	}
}
