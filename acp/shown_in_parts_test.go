package acp_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm/llmtest"
)

// TestAnswersInPartsAreForWhatTheyShow has a second prompt amend the proposal before the person gives one of several answers about it.
// None of them counts, and the second prompt asks about the amended one.
func TestAnswersInPartsAreForWhatTheyShow(t *testing.T) {
	t.Parallel()
	forms := files
	forms.Elicitation = &protocol.ElicitationCapabilities{Form: &struct{}{}}
	for name, tt := range map[string]struct {
		answers []string // to the questions about the proposal as it was, and the form as the last one
		at      int      // the answer that comes after the amendment
	}{
		"each file, before it is chosen":                  {[]string{"each-file", "accept-file", "reject-file", "accept-file"}, 0},
		"each file, before the first one":                 {[]string{"each-file", "accept-file", "reject-file", "accept-file"}, 1},
		"each file, between two":                          {[]string{"each-file", "accept-file", "accept-file", "accept-file"}, 2},
		"each file, between two of which one is rejected": {[]string{"each-file", "reject-file", "accept-file", "accept-file"}, 2},
		"each file, before the last one":                  {[]string{"each-file", "reject-file", "reject-file", "accept-file"}, 3},
		"all that follow":                                 {[]string{"each-file", "accept-rest"}, 1},
		"none that follow":                                {[]string{"each-file", "reject-rest"}, 1},
		"the reason, before it is asked for":              {[]string{"reject-why", "form"}, 0},
		"the reason, while the form is open":              {[]string{"reject-why", "form"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.useModel(threeFiles(), say("one"), replace("c9", "shapes/rect.go", "an oblong", "evil"), say("two"))
			var questions atomic.Int32
			asked, goOn := make(chan bool, 1), make(chan bool)
			next := func() string {
				n := int(questions.Add(1)) - 1
				if n == tt.at {
					asked <- true
					<-goOn
				}
				return tt.answers[n]
			}
			c := f.start(acptest.Options{Capabilities: forms,
				OnPermission: func(_ context.Context, r protocol.RequestPermissionRequest) string {
					if content, _ := json.Marshal(r); strings.Contains(string(content), "evil") {
						return "" // about the amended one
					}
					return next()
				},
				OnForm: func(protocol.ElicitationRequest) map[string]any { next(); return map[string]any{"reason": "no"} }})
			id := c.New(f.root)
			before := read(t, f.path("shapes/circle.go")) + read(t, f.path("shapes/rect.go"))
			first := c.PromptAsync(id, "Edit them.")
			testbed.Receive(t, asked, "the question")
			second := c.PromptAsync(id, "And more.")
			testbed.Eventually(t, func() bool { return f.agent.Proposes("evil") }, func() string { return "it is not amended" })
			close(goOn)
			testbed.Receive(t, first, "the end of the first prompt")
			testbed.Receive(t, second, "the end of the second prompt")
			if n := int(questions.Load()); n != len(tt.answers) {
				t.Errorf("%d answers were given, want %d", n, len(tt.answers))
			}
			now := read(t, f.path("shapes/circle.go")) + read(t, f.path("shapes/rect.go"))
			if _, err := os.Stat(f.path("shapes/new.go")); err == nil || now != before {
				t.Error("something was written")
			}
			for _, shown := range proposals(c, id) {
				if shown.Status != protocol.StatusPending {
					t.Errorf("shown: %+v", shown)
				}
			}
			if said := c.Said(id, protocol.AgentThoughtChunk); !strings.Contains(said, "the proposal has changed; look again") {
				t.Errorf("said: %s", said)
			}
		})
	}
}

// TestWhatWasNotDoneIsNotAcceptedForTheSession accepts all edits of the session with an answer that can't be carried out: the proposal
// was amended, the client does not send the text of its file, or both. The next edit is asked about.
func TestWhatWasNotDoneIsNotAcceptedForTheSession(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ amended, silent bool }{
		"amended": {true, false}, "without the text": {false, true}, "amended, and without the text": {true, true}, "done": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			turns := []llmtest.Turn{replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("one")}
			if tt.amended {
				turns = append(turns, replace("c2", "shapes/circle.go", "return x*x", "return evil(x)"), say("two"))
			}
			f.useModel(append(turns, replace("c3", "shapes/rect.go", "Width, Height", "Height, Width"), say("three"))...)
			var questions atomic.Int32
			var silent atomic.Bool
			asked, goOn := make(chan bool, 1), make(chan bool)
			c := f.start(acptest.Options{Capabilities: files,
				OnRead: func(string) error {
					if silent.Load() {
						return errors.New("not now")
					}
					return nil
				},
				OnPermission: func(context.Context, protocol.RequestPermissionRequest) string {
					if questions.Add(1) > 1 {
						return ""
					}
					asked <- true
					<-goOn
					silent.Store(tt.silent)
					return "accept-all"
				}})
			id := c.New(f.root)
			first := c.PromptAsync(id, "Edit it.")
			testbed.Receive(t, asked, "the question")
			var second <-chan string
			if tt.amended {
				second = c.PromptAsync(id, "And more.")
				testbed.Eventually(t, func() bool { return f.agent.Proposes("return evil(x)") }, func() string { return "it is not amended" })
			}
			close(goOn)
			testbed.Receive(t, first, "the end of the first prompt")
			if second != nil {
				testbed.Receive(t, second, "the end of the second prompt")
			}
			silent.Store(false)
			c.Prompt(id, "Another.")
			want := !tt.amended && !tt.silent
			if got := strings.Contains(read(t, f.path("shapes/rect.go")), "Height, Width"); got != want {
				t.Errorf("the next edit is written without a question: %v, want %v", got, want)
			}
			if amended := strings.Contains(read(t, f.path("shapes/circle.go")), "evil"); amended {
				t.Error("the amended text was written")
			}
		})
	}
}
