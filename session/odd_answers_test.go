package session

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// answers are what a server answers its next requests with, and then "fine".
type answers struct {
	mu    sync.Mutex
	next  []string
	asked []string // the bodies of the requests
}

func (a *answers) set(next ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next, a.asked = next, nil
}

func (a *answers) requests() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asked
}

// answering runs an engine with the tool echo, whose server speaks a protocol.
func answering(t *testing.T, p wireProtocol) (*harness, *answers) {
	t.Helper()
	a := &answers{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // of a client in this process
		a.mu.Lock()
		answer := p.answer("fine")
		if a.asked = append(a.asked, string(body)); len(a.next) > 0 {
			answer, a.next = a.next[0], a.next[1:]
		}
		a.mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	provider := p.provider(server.URL, 0, 0)
	h := start(t, tools.NewSet(echo("echo")), func(o *Options) {
		o.Model = func(context.Context, string) (llm.Model, error) {
			return llm.Model{Provider: provider, ID: "m", ContextTokens: 100_000}, nil
		}
	})
	return h, a
}

// TestACallAsTextIsRun has a server that does not parse its model's calls.
func TestACallAsTextIsRun(t *testing.T) {
	for _, p := range wireProtocols {
		h, server := answering(t, p)
		server.set(p.answer("I look.\n<tool_call>\n{\"name\":\"echo\",\"arguments\":{\"text\":\"hm\"}}\n</tool_call>"))
		turn, outcome := h.ask(t, Prompt{Text: "go"})
		calls := h.history(t, turn.ConversationID)[1].Calls
		if outcome.Text != "I look.\n\nfine" || codes(calls) != "ok" || len(seen[bus.Notice](h)) > 0 {
			t.Errorf("%s: %+v, calls %s", p.name, outcome, codes(calls))
		}
		if last := server.requests()[1]; strings.Contains(last, "<tool_call>") ||
			!strings.Contains(last, "echo said something") && !strings.Contains(last, `hm`) {
			t.Errorf("%s: the next request is %s", p.name, last)
		}
	}
}

// TestACallAsTextThatCantBeRunIsTold tells the person, once, and keeps the text.
func TestACallAsTextThatCantBeRunIsTold(t *testing.T) {
	h, server := answering(t, chatWire)
	const text = "<tool_call>\n{\"name\":\"nonesuch\",\"arguments\":{}}\n</tool_call>"
	server.set(chatWire.answer(text))
	turn, outcome := h.ask(t, Prompt{Text: "go"})
	notices := seen[bus.Notice](h)
	if outcome.Text != text || outcome.Err != nil || len(notices) != 1 || !strings.Contains(notices[0].Text, "--jinja") ||
		!strings.Contains(notices[0].Text, "--tool-call-parser") {
		t.Errorf("%+v, notices %+v", outcome, notices)
	}
	steps := h.history(t, turn.ConversationID)[1].Steps()
	if pieces := steps[len(steps)-1].Pieces; len(pieces) != 2 || pieces[1].Aside == nil || pieces[1].Aside.Kind != records.Notice {
		t.Errorf("the notice is not kept: %+v", steps)
	}
}

// TestAPausedAnswerGoesOn sends the beginning of an answer back.
func TestAPausedAnswerGoesOn(t *testing.T) {
	h, server := answering(t, anthropicWire)
	paused := strings.Replace(anthropicWire.end("stop"), "end_turn", "pause_turn", 1)
	server.set(anthropicWire.text(`"one"`)+paused, paused, anthropicWire.text(`"two"`)+paused)
	_, outcome := h.ask(t, Prompt{Text: "go"})
	requests := server.requests()
	if outcome.Text != "one\n\ntwo\n\nfine" || outcome.Err != nil || len(requests) != 4 {
		t.Fatalf("%+v after %d requests", outcome, len(requests))
	}
	if requests[1] != requests[2] || !strings.Contains(requests[1], `"one"`) || !strings.Contains(requests[3], `"one\n\ntwo"`) {
		t.Errorf("the requests are %q", requests)
	}
	if retries := seen[bus.Retry](h); len(retries) != 1 {
		t.Errorf("%d retries, want one for the pause without an answer", len(retries))
	}
}

// TestTextThatWasAThought has a server that opens the thought in the prompt, so that only its end is in the answer.
func TestTextThatWasAThought(t *testing.T) {
	for _, p := range wireProtocols {
		h, server := answering(t, p)
		server.set(p.text(`"first"`)+p.call(0, "a", `{"text":"x"}`)+p.end("calls"),
			p.text(`"hm"`)+p.text(`", well\n</think>\n\nsec"`)+p.text(`"ond"`)+p.end("stop"))
		turn, outcome := h.ask(t, Prompt{Text: "go"})
		if outcome.Text != "first\n\nsecond" || outcome.Err != nil {
			t.Errorf("%s: %+v", p.name, outcome)
		}
		steps := h.history(t, turn.ConversationID)[1].Steps()
		if last := steps[len(steps)-1]; strings.TrimSpace(last.Text) != "second" || len(last.Pieces) != 3 || last.Pieces[1].Aside == nil ||
			last.Pieces[1].Aside.Text != "hm, well\n" {
			t.Errorf("%s: stored %+v", p.name, last)
		}
		if _, outcome := h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and now?"}); outcome.Text != "fine" ||
			strings.Contains(server.requests()[2], "well") {
			t.Errorf("%s: %+v, and the next request is %s", p.name, outcome, server.requests()[2])
		}
	}
}

// TestAnErrorThatPassesIsTriedAgain has servers that say in an answer that there is none.
func TestAnErrorThatPassesIsTriedAgain(t *testing.T) {
	for p, answer := range map[*wireProtocol]string{
		&ollamaWire:    `{"message":{"role":"assistant","content":""},"done":true,"done_reason":"load"}` + "\n",
		&chatWire:      chatDelta("{}", `"error"`),
		&responsesWire: `{"error_type":"x","error_message":"the pool is overloaded"}`,
	} {
		h, server := answering(t, *p)
		server.set(answer)
		if _, outcome := h.ask(t, Prompt{Text: "go"}); outcome.Text != "fine" || outcome.Err != nil || len(server.requests()) != 2 {
			t.Errorf("%s: %+v after %d requests", p.name, outcome, len(server.requests()))
		}
	}
}

// TestAConversationSurvivesDamagedAnswers goes on after answers with something changed in them: the next message works, and
// what is sent is a history that servers take.
func TestAConversationSurvivesDamagedAnswers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, p := range wireProtocols {
		h, server := answering(t, p)
		whole := []string{p.thought(`"hm"`) + half(p) + p.call(0, "a", `{"text":"x"}`) + p.call(1, "b", `{}`) + p.end("calls"),
			p.answer("<think>hm</think>text"), p.answer(`<tool_call>{"name":"echo","arguments":{"text":"x"}}</tool_call>`)}
		conversation := ""
		for range testbed.Count(250, 3) {
			damaged := llmtest.Damage(r, whole[r.IntN(len(whole))])
			server.set(damaged)
			turn, _ := h.ask(t, Prompt{ConversationID: conversation, Text: "go"})
			conversation = turn.ConversationID
			sent := server.requests()
			server.set()
			if _, outcome := h.ask(t, Prompt{ConversationID: conversation, Text: "and now?"}); outcome.Text != "fine" || outcome.Err != nil {
				t.Fatalf("%s: %+v after\n%s", p.name, outcome, damaged)
			}
			for _, body := range append(sent, server.requests()...) {
				if err := checkHistory(body); err != nil {
					t.Fatalf("%s: %v in\n%s\nafter\n%s", p.name, err, body, damaged)
				}
			}
		}
	}
}
