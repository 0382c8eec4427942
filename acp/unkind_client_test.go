package acp_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
)

// TestAnUnkindClientIsAskedAboutAnEdit has clients that answer twice, or while the person does something else. The edit is made
// once, and the next one, too.
func TestAnUnkindClientIsAskedAboutAnEdit(t *testing.T) {
	t.Parallel()
	for name, unkind := range map[string]func(o *acptest.Options, c func() *acptest.Client){
		"answers twice": func(o *acptest.Options, _ func() *acptest.Client) { o.AnswersTwice = true },
		"answers after other requests": func(o *acptest.Options, c func() *acptest.Client) {
			o.OnPermission = func(context.Context, protocol.RequestPermissionRequest) string {
				c().Call(protocol.MethodSessionList, struct{}{}, nil)
				return "accept"
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			path := f.path("shapes/circle.go")
			f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("one"),
				replace("c2", "shapes/circle.go", "return x*x", "return x*x + 0"), say("two"))
			var c *acptest.Client
			options := acptest.Options{Capabilities: files, OnPermission: choose("accept")}
			unkind(&options, func() *acptest.Client { return c })
			c = f.start(options)
			id := c.New(f.root)
			for _, want := range []string{"return x*x }", "return x*x + 0 }"} {
				c.Prompt(id, "Edit it.")
				if got := read(t, path); strings.Count(got, want) != 1 || strings.Count(got, "func square") != 1 {
					t.Errorf("the file reads\n%s", got)
				}
			}
			for _, shown := range proposals(c, id) {
				if shown.Status != protocol.StatusCompleted {
					t.Errorf("shown: %+v", shown)
				}
			}
		})
	}
}

// TestAnEditThatIsAcceptedAfterItsTurnWasCancelled answers the question only after it was taken back. Nothing is written.
func TestAnEditThatIsAcceptedAfterItsTurnWasCancelled(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	path := f.path("shapes/circle.go")
	before := read(t, path)
	f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("one"), say("still here"))
	asked, answered := make(chan struct{}), make(chan struct{})
	var questions atomic.Int32
	c := f.start(acptest.Options{Capabilities: files, AnswersTwice: true,
		OnPermission: func(ctx context.Context, _ protocol.RequestPermissionRequest) string {
			if questions.Add(1) > 1 {
				return ""
			}
			close(asked)
			<-ctx.Done()
			defer close(answered)
			return "accept"
		}})
	id := c.New(f.root)
	ended := c.PromptAsync(id, "Edit it.")
	<-asked
	c.Notify(protocol.MethodSessionCancel, protocol.SessionID{SessionID: id})
	<-answered
	<-ended
	c.Prompt(id, "Are you here?")
	if got := read(t, path); got != before {
		t.Errorf("the file reads\n%s", got)
	}
	if said := c.Said(id, "agent_message_chunk"); !strings.Contains(said, "still here") {
		t.Errorf("afterwards it says %q", said)
	}
}

// TestAClientThatDoesNotSendAText has text that is not saved, and does not send it when the agent asks for it. The client does
// not write the file, so that what is typed stays. Once it sends the text, the edit is accepted.
func TestAClientThatDoesNotSendAText(t *testing.T) {
	t.Parallel()
	for name, onRead := range map[string]func(done <-chan struct{}) error{
		"an error": func(<-chan struct{}) error { return errors.New("busy") },
		"late":     func(done <-chan struct{}) error { <-done; return nil },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			path := f.path("shapes/circle.go")
			f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("one"), say("two"))
			var unkind atomic.Bool
			unkind.Store(true)
			done := make(chan struct{})
			written := ""
			c := f.start(acptest.Options{Capabilities: files, OnPermission: choose("accept"),
				Texts: map[string]string{path: "// typed\n" + read(t, path)},
				OnRead: func(string) error {
					if unkind.Load() {
						return onRead(done)
					}
					return nil
				},
				OnWrite: func(_, text string) error { written = text; return nil }})
			id := c.New(f.root)
			c.Prompt(id, "Edit it.")
			if said := c.Said(id, protocol.AgentThoughtChunk); written != "" ||
				!strings.Contains(said, "the client has not sent its text of "+path) {
				t.Errorf("the person reads %q, and the client's text is replaced with %q", said, written)
			}
			unkind.Store(false)
			close(done)
			c.Prompt(id, "Again.")
			if !strings.HasPrefix(written, "// typed\n") || !strings.Contains(written, "return x*x }") {
				t.Errorf("the client writes %q", written)
			}
		})
	}
}

// TestAnEditThatIsAppliedUnaskedNeedsTheClientsText accepts all edits, and has the client send no text for the next one.
func TestAnEditThatIsAppliedUnaskedNeedsTheClientsText(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	path := f.path("shapes/circle.go")
	f.useModel(replace("c1", "shapes/rect.go", "Width, Height", "Height, Width"), say("one"),
		replace("c2", "shapes/circle.go", "return x * x", "return x*x"), say("two"))
	var unkind atomic.Bool
	written := map[string]string{}
	c := f.start(acptest.Options{Capabilities: files, OnPermission: choose("accept-all"),
		Texts: map[string]string{path: "// typed\n" + read(t, path)},
		OnRead: func(string) error {
			if unkind.Load() {
				return errors.New("busy")
			}
			return nil
		},
		OnWrite: func(path, text string) error { written[path] = text; return nil }})
	id := c.New(f.root)
	c.Prompt(id, "Edit it.")
	unkind.Store(true)
	c.Prompt(id, "And the other one.")
	if len(written) != 1 || written[path] != "" {
		t.Errorf("written is %q", written)
	}
}
