package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// TestAResponseWithoutAnAnswerIsAskedForAgain has a model end without text or a whole call: as its first response, and
// behind results. It is told so once in a row. The turn and the next one send the same bytes.
func TestAResponseWithoutAnAnswerIsAskedForAgain(t *testing.T) {
	empty, blank, thoughts := llmtest.Turn{}, says("\n", " \n"), llmtest.Turn{Reasoning: []string{"hm"}}
	announced := llmtest.Turn{Finish: "tool_calls"}
	promised := llmtest.Turn{Text: []string{"I look."}, Finish: "tool_calls"}
	cutCall := llmtest.Turn{Calls: []llmtest.Call{{ID: "cut", Name: "echo", Arguments: `{"text":"aa`}}, Finish: "length"}
	cutBehindText := llmtest.Turn{Text: []string{"I look."}, Calls: cutCall.Calls, Finish: "length"}
	cutBehindCall := llmtest.Turn{Calls: []llmtest.Call{call("whole", "echo", "a"), cutCall.Calls[0]}, Finish: "length"}
	cutThought := llmtest.Turn{Reasoning: []string{"hm"}, Finish: "length"}
	look := func(id string) llmtest.Turn { return calls(call(id, "echo", id)) }
	talk := llmtest.Turn{Text: []string{"I look."}, Calls: []llmtest.Call{call("x", "echo", "x")}}
	const noAnswer, cutOff = "ended without an answer", "cut off at the model's token limit before"
	for _, tt := range []struct {
		name   string
		script []llmtest.Turn
		asked  string // the beginnings of the notices, one for each request for another response
		text   string
		says   string // the limit that ends the turn
		kind   bus.ErrorKind
	}{
		{"empty", []llmtest.Turn{empty, says("fine")}, "no-answer", "fine", "", ""},
		{"blank", []llmtest.Turn{blank, says("fine")}, "no-answer", "fine", "", ""},
		{"thoughts alone", []llmtest.Turn{thoughts, says("fine")}, "no-answer", "fine", "", ""},
		{"calls announced", []llmtest.Turn{announced, says("fine")}, "no-answer", "fine", "", ""},
		{"calls announced in words", []llmtest.Turn{promised, says("fine")}, "no-answer", "I look.\n\nfine", "", ""},
		{"then a call", []llmtest.Turn{empty, look("a"), says("fine")}, "no-answer", "fine", "", ""},
		{"empty behind a result", []llmtest.Turn{look("a"), empty, says("fine")}, "no-answer", "fine", "", ""},
		{"blank behind a result", []llmtest.Turn{talk, blank, says("fine")}, "no-answer", "I look.\n\nfine", "", ""},
		{"announced behind a result", []llmtest.Turn{look("a"), announced, says("fine")}, "no-answer", "fine", "", ""},
		{"empty behind text and a result", []llmtest.Turn{talk, empty, says("fine")}, "no-answer", "I look.\n\nfine", "", ""},
		{"cut in a call", []llmtest.Turn{cutCall, says("fine")}, "cut", "fine", "", ""},
		{"cut in a call behind text", []llmtest.Turn{cutBehindText, look("a"), says("fine")}, "cut", "I look.\n\nfine", "", ""},
		{"cut in the second call", []llmtest.Turn{cutBehindCall, says("fine")}, "cut", "fine", "", ""},
		{"cut in a thought", []llmtest.Turn{look("a"), cutThought, says("fine")}, "cut", "fine", "", ""},
		{"again after calls", []llmtest.Turn{empty, look("a"), empty, says("fine")}, "no-answer no-answer", "fine", "", ""},
		{"twice empty", []llmtest.Turn{empty, empty}, "no-answer", "", noAnswer, bus.ErrorModel},
		{"twice blank", []llmtest.Turn{look("a"), blank, blank}, "no-answer", "", noAnswer, bus.ErrorModel},
		{"twice announced", []llmtest.Turn{promised, announced}, "no-answer", "I look.", noAnswer, bus.ErrorModel},
		{"twice cut in a call", []llmtest.Turn{cutBehindText, cutCall}, "cut", "I look.", cutOff, bus.ErrorLimit},
		{"empty, then cut in a call", []llmtest.Turn{look("a"), empty, cutCall}, "no-answer", "", cutOff, bus.ErrorLimit},
		{"cut in text", []llmtest.Turn{{Text: []string{"Half"}, Finish: "length"}}, "", "Half", "tell it to continue", bus.ErrorLimit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, tools.NewSet(echo("echo")), nil, append(slices.Clone(tt.script), says("more"))...)
			turn, outcome := h.ask(t, Prompt{Text: "go"})
			stop := bus.StopDone
			if tt.says != "" {
				stop = bus.StopLimit
			}
			m := h.history(t, turn.ConversationID)[1]
			if outcome.Text != tt.text || outcome.StopReason != stop || m.ErrorKind != tt.kind ||
				!strings.Contains(fmt.Sprint(outcome.Err), tt.says) {
				t.Errorf("%q, %s, %s: %v", outcome.Text, outcome.StopReason, m.ErrorKind, outcome.Err)
			}
			for _, st := range m.Steps() {
				if strings.TrimSpace(st.Text) == "" && len(st.Calls) == 0 && len(st.Pieces) == 0 {
					t.Errorf("a step shows nothing: %+v", m.Steps())
				}
			}
			h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and now?"})
			requests := h.server.Requests()
			checkGrowth(t, requests)
			if got := askedAgain(t, requests[len(requests)-1]); got != tt.asked {
				t.Errorf("asked again: %q, want %q", got, tt.asked)
			}
		})
	}
}

// askedAgain returns the kinds of the notices that ask again in a request, which has no blank text, and in which an answer
// stands between two messages of the user.
func askedAgain(t *testing.T, r llmtest.Request) string {
	t.Helper()
	var kinds []string
	for _, m := range r.Messages {
		for range strings.Count(m.Content, lacksAnswer.notice) {
			kinds = append(kinds, "no-answer")
		}
		for range strings.Count(m.Content, lacksEnd.notice) {
			kinds = append(kinds, "cut")
		}
		if strings.TrimSpace(m.Content) == "" && len(m.ToolCalls) == 0 {
			t.Errorf("a blank message is sent: %s", m.Raw)
		}
		if m.Role == "user" && strings.HasPrefix(m.Content, "go") && strings.HasSuffix(m.Content, "and now?") {
			t.Errorf("two messages of the user follow each other: %s", m.Raw)
		}
	}
	return strings.Join(kinds, " ")
}

// checkGrowth requires that each request begins with the messages of the one before it, the last of which may have got a
// notice at its end.
func checkGrowth(t *testing.T, requests []llmtest.Request) {
	t.Helper()
	for i := 1; i < len(requests); i++ {
		before, after := requests[i-1].Messages, requests[i].Messages
		last := len(before) - 1
		if len(after) <= last || !strings.HasPrefix(after[last].Content, before[last].Content) || !isPrefix(before[:last], after) {
			t.Errorf("request %d does not begin with the one before it:\n%q\n%q", i+1, outline(requests[i-1]), outline(requests[i]))
		}
	}
}

// TestABlankResponseIsTakenBack tells those who follow the turn that the white space is no part of the answer.
func TestABlankResponseIsTakenBack(t *testing.T) {
	h := start(t, tools.NewSet(), nil, says(" "), says("fine"))
	h.ask(t, Prompt{Text: "go"})
	updates := seen[bus.MessageUpdated](h)
	if len(updates) < 2 || updates[0].Text != "" {
		t.Errorf("the blank text is not taken back: %+v", updates)
	}
}

// TestSteeringAModelThatSaysNothing has a message join when the model has been asked again. It gets an answer.
func TestSteeringAModelThatSaysNothing(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(), nil, llmtest.Turn{}, llmtest.Turn{Hold: gate}, llmtest.Turn{}, says("fine"), says("more"))
	turn := h.begin(t, Prompt{Text: "go"})
	reached(t, gate)
	if _, err := h.Start(t.Context(), Prompt{ConversationID: turn.ConversationID, Text: "and", WhileBusy: Steer}); err != nil {
		t.Fatal(err)
	}
	gate.Open()
	if outcome := h.wait(t, turn); outcome.Text != "fine" || outcome.Err != nil {
		t.Errorf("%+v", outcome)
	}
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and now?"})
	requests := h.server.Requests()
	checkGrowth(t, requests)
	if got := askedAgain(t, requests[len(requests)-1]); got != "no-answer no-answer" {
		t.Errorf("asked again: %q", got)
	}
}
