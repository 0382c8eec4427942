package session

import (
	"context"
	"errors"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// asks is a tool that asks for permission; its argument is the key.
func asks(name string) *tools.Tool {
	return tool(name, func(ctx context.Context, env tools.Env, arg string) (any, error) {
		return "did it", env.AskPermission(ctx, tools.Permission{Title: name, Key: arg})
	})
}

func permitted(o *Options) { o.Permissions = true }

// answerNext answers the n-th question, from 0.
func (h *harness) answerNext(t *testing.T, n int, a Answer) {
	t.Helper()
	i := 0
	e := await(h, func(bus.PermissionAsked) bool { i++; return i == n+1 })
	if err := h.Answer(t.Context(), e.ID, a); err != nil {
		t.Error(err)
	}
}

func TestAPermanentAnswerHoldsForItsKeyAfterARestart(t *testing.T) {
	h := start(t, tools.NewSet(asks("ask")), permitted,
		calls(call("1", "ask", "paint"), call("2", "ask", "paint")), calls(call("3", "ask", "burn")), says("done"))
	turn := h.begin(t, Prompt{Text: "go"})
	n := 0
	await(h, func(bus.PermissionAsked) bool { n++; return n == 2 })
	h.answerNext(t, 0, AllowAlways) // and the other of its key
	h.answerNext(t, 2, RejectOnce)
	h.wait(t, turn)
	var codes []bus.Code
	for _, c := range h.history(t, turn.ConversationID)[1].Calls {
		codes = append(codes, c.Code)
	}
	if codes[0] != "" || codes[1] != "" || codes[2] != bus.CodeDenied {
		t.Errorf("%q", codes)
	}
	if asked, answered := seen[bus.PermissionAsked](h), seen[bus.PermissionAnswered](h); len(asked) != 3 || len(answered) != 3 {
		t.Errorf("%d asked, %d answered", len(asked), len(answered))
	}
	again := newPermissions(Options{DB: h.db, Bus: h.bus, Permissions: true})
	for key, want := range map[string]bool{"paint": true, "burn": false} {
		if _, known, err := again.remembered(t.Context(), key); known != want || err != nil {
			t.Errorf("%s is remembered: %v, %v", key, known, err)
		}
	}
	var missing *records.NotFoundError
	if err := h.Answer(t.Context(), "nonesuch", AllowOnce); !errors.As(err, &missing) {
		t.Errorf("an answer to nothing: %v", err)
	}
}

// TestAPermanentAnswerLeavesQuestionsOfOtherKeysOpen has two questions open at once.
func TestAPermanentAnswerLeavesQuestionsOfOtherKeysOpen(t *testing.T) {
	h := start(t, tools.NewSet(asks("ask")), permitted, calls(call("1", "ask", "paint"), call("2", "ask", "burn")), says("done"))
	turn := h.begin(t, Prompt{Text: "go"})
	asked := map[string]string{} // question by call
	await(h, func(e bus.PermissionAsked) bool { asked[e.CallID] = e.ID; return len(asked) == 2 })
	if err := errors.Join(h.Answer(t.Context(), asked["1"], AllowAlways), h.Answer(t.Context(), asked["2"], RejectOnce)); err != nil {
		t.Error(err)
	}
	h.wait(t, turn)
	if c := h.history(t, turn.ConversationID)[1].Calls; c[0].Code != "" || c[1].Code != bus.CodeDenied {
		t.Errorf("they end with the codes %q and %q", c[0].Code, c[1].Code)
	}
}

// TestOnlyTheTwoAnswersThatAllowDo answers with each answer, and with words that are none. A permanent one holds for the next call.
func TestOnlyTheTwoAnswersThatAllowDo(t *testing.T) {
	for answer, want := range map[Answer][2]bool{
		AllowOnce: {true, false}, AllowAlways: {true, true}, RejectOnce: {false, false}, RejectAlways: {false, true}, "allow": {}, "": {},
	} {
		t.Run(string(answer), func(t *testing.T) {
			h := start(t, tools.NewSet(asks("ask")), permitted, calls(call("1", "ask", "paint")), says("done"))
			turn := h.begin(t, Prompt{Text: "go"})
			h.answerNext(t, 0, answer)
			h.wait(t, turn)
			if ran := h.history(t, turn.ConversationID)[1].Calls[0].Code == ""; ran != want[0] {
				t.Errorf("the call ran: %v", ran)
			}
			allowed, known, err := newPermissions(Options{DB: h.db, Bus: h.bus}).remembered(t.Context(), "paint")
			if err != nil || known != want[1] || known && allowed != want[0] {
				t.Errorf("it is remembered: %v, as allowed: %v, %v", known, allowed, err)
			}
			if !want[1] {
				return
			}
			if err := h.AskPermission(t.Context(), tools.Permission{Title: "again", Key: "paint"}); (err == nil) != want[0] {
				t.Errorf("asked for again: %v", err)
			}
		})
	}
}

// TestTheClockIsPausedWhileAsking gives a call less time than the answer to its
// question takes.
func TestTheClockIsPausedWhileAsking(t *testing.T) {
	const timeout = 50 * time.Millisecond
	h := start(t, tools.NewSet(asks("ask")), func(o *Options) { o.Permissions, o.Limits.ToolTimeout = true, timeout },
		calls(call("1", "ask", "paint")), says("done"))
	turn := h.begin(t, Prompt{Text: "go"})
	asked := await(h, func(bus.PermissionAsked) bool { return true })
	time.AfterFunc(3*timeout, func() {
		if err := h.Answer(t.Context(), asked.ID, AllowOnce); err != nil {
			t.Error(err)
		}
	})
	h.wait(t, turn)
	if c := h.history(t, turn.ConversationID)[1].Calls[0]; c.Code != "" {
		t.Errorf("%+v", c)
	}
}

func TestWithoutAnAnswerItIsARejection(t *testing.T) {
	for _, tt := range []struct {
		name  string
		asked int
		set   func(*Options)
	}{
		{"no front end", 0, nil},
		{"the time is over", 1, permitted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, tools.NewSet(asks("ask")), tt.set, calls(call("1", "ask", "paint")), says("done"))
			h.dispatcher.permissions.timeout = time.Millisecond
			turn, _ := h.ask(t, Prompt{Text: "go"})
			if c := h.history(t, turn.ConversationID)[1].Calls[0]; c.Code != bus.CodeDenied {
				t.Errorf("%+v", c)
			}
			if n := len(seen[bus.PermissionAsked](h)); n != tt.asked {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

// TestAQuestionEndsWithItsTurn checks that an open question is answered before the
// end of its turn is published.
func TestAQuestionEndsWithItsTurn(t *testing.T) {
	h := start(t, tools.NewSet(asks("ask")), permitted, llmtest.Turn{Calls: []llmtest.Call{call("1", "ask", "paint")}})
	turn := h.begin(t, Prompt{Text: "go"})
	await(h, func(bus.PermissionAsked) bool { return true })
	turn.Stop()
	if o := h.wait(t, turn); o.StopReason != bus.StopCancelled {
		t.Errorf("%+v", o)
	}
	if a := await(h, func(bus.PermissionAnswered) bool { return true }); a.Granted {
		t.Errorf("%+v", a)
	}
}

// TestWhatIsNotShownWholeIsAnsweredOnce answers for always a question that does not show all of what is permitted.
func TestWhatIsNotShownWholeIsAnsweredOnce(t *testing.T) {
	for answer, want := range map[Answer]error{AllowAlways: nil, AllowOnce: nil, RejectAlways: tools.ErrDenied, RejectOnce: tools.ErrDenied,
		"": tools.ErrDenied} {
		h := start(t, tools.NewSet(), permitted)
		answered := make(chan error, 1)
		asked := tools.Permission{Title: "run", Detail: "rm … curl", Key: "run", OnlyOnce: true}
		go func() { answered <- h.AskPermission(t.Context(), asked) }()
		e := await(h, func(e bus.PermissionAsked) bool { return e.OnlyOnce })
		if err := h.Answer(t.Context(), e.ID, answer); err != nil {
			t.Error(err)
		}
		if err := testbed.Receive(t, answered, "the answer"); !errors.Is(err, want) {
			t.Errorf("%s: %v", answer, err)
		}
		if standing, err := h.Permissions(t.Context()); len(standing) > 0 || err != nil {
			t.Errorf("%s: %+v, %v", answer, standing, err)
		}
	}
}

// TestAnAnswerForExactlyThisHoldsForNothingElse answers a question about a folder for one command of it: the next
// question for that command needs no answer, and one for another command does. An answer for the folder comes first.
func TestAnAnswerForExactlyThisHoldsForNothingElse(t *testing.T) {
	h := start(t, tools.NewSet(), permitted)
	run := func(command string) tools.Permission {
		return tools.Permission{Title: "run commands", Detail: command, Key: "folder",
			Exact: tools.ExactPermission{Title: "run " + command, Key: "exactly " + command}}
	}
	n := 0
	ask := func(p tools.Permission, a Answer) error {
		t.Helper()
		answered := make(chan error, 1)
		go func() { answered <- h.AskPermission(t.Context(), p) }()
		h.answerNext(t, n, a)
		n++
		return testbed.Receive(t, answered, "the answer")
	}
	if err := ask(run("vet"), AllowExact); err != nil {
		t.Fatal(err)
	}
	if err := h.AskPermission(t.Context(), run("vet")); err != nil { // without a question
		t.Errorf("asked for again: %v", err)
	}
	if err := ask(run("test"), RejectOnce); !errors.Is(err, tools.ErrDenied) {
		t.Errorf("another command: %v", err)
	}
	if standing, err := h.Permissions(t.Context()); err != nil || len(standing) != 1 || standing[0].Title != "run vet" {
		t.Errorf("%+v, %v", standing, err)
	}
	if err := ask(tools.Permission{Title: "paint", Key: "paint"}, AllowExact); err != nil {
		t.Errorf("a question without an exact permission: %v", err)
	}
	if _, known, err := h.Remembered(t.Context(), tools.Permission{Key: "paint"}); known || err != nil {
		t.Errorf("it is remembered: %v, %v", known, err)
	}
	if err := ask(run("test"), RejectAlways); !errors.Is(err, tools.ErrDenied) {
		t.Error(err)
	}
	if allowed, known, err := h.Remembered(t.Context(), run("vet")); allowed || !known || err != nil {
		t.Errorf("what was allowed exactly, in a folder without commands: %v, %v, %v", allowed, known, err)
	}
}
