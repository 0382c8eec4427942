package acp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm/llmtest"
)

// TestCancellationIsNeverLost cancels right behind the prompt, wherever that is.
func TestCancellationIsNeverLost(t *testing.T) {
	t.Parallel()
	prompts := testbed.Count(20, 5)
	f := newFixture(t)
	var turns []llmtest.Turn
	for range prompts {
		turns = append(turns, llmtest.Turn{Text: []string{"never "}, Hold: llmtest.NewGate()})
	}
	f.useModelLoosely(turns...)
	c := f.start(acptest.Options{})
	id := c.New(f.root)
	for n := range prompts {
		ended := c.PromptAsync(id, fmt.Sprintf("message %d", n))
		c.Await("the prompt on the wire", func() bool {
			return slices.ContainsFunc(c.Wire(), func(line string) bool { return strings.Contains(line, fmt.Sprintf(`"message %d"`, n)) })
		})
		c.Notify(protocol.MethodSessionCancel, protocol.SessionID{SessionID: id})
		if reason := <-ended; reason != protocol.StopCancelled {
			t.Errorf("prompt %d ended with %q", n, reason)
		}
	}
	c.Forget()
	c.Call(protocol.MethodSessionLoad, acptest.Params(id, f.root), nil)
	for n := range prompts {
		if said := c.Said(id, protocol.UserMessageChunk); !strings.Contains(said, fmt.Sprintf("message %d", n)) {
			t.Errorf("message %d is lost", n)
		}
	}
}

// TestCancellingAQuestion: the turn is over, and the proposal waits.
func TestCancellingAQuestion(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("done"))
	c := f.start(acptest.Options{OnPermission: func(ctx context.Context,
		_ protocol.RequestPermissionRequest) string {
		<-ctx.Done()
		return "accept"
	}})
	id := c.New(f.root)
	ended := c.PromptAsync(id, "Edit it.")
	c.Await("the question", func() bool { return len(c.Asked()) > 0 })
	c.Notify(protocol.MethodSessionCancel, protocol.SessionID{SessionID: id})
	if reason := <-ended; reason != protocol.StopCancelled {
		t.Errorf("the turn ended with %q", reason)
	}
	if shown := proposals(c, id); shown[0].Status != protocol.StatusPending ||
		!strings.Contains(read(t, f.path("shapes/circle.go")), "x * x") {
		t.Errorf("%+v", shown)
	}
}

// TestCancellingNothing: only prompts that are there are cancelled, and not the next one.
func TestCancellingNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(say("one"), say("two"))
	c := f.start(acptest.Options{})
	id := c.New(f.root)
	for range 2 {
		c.Notify(protocol.MethodSessionCancel, protocol.SessionID{SessionID: id})
		if reason := c.Prompt(id, "Go on."); reason != protocol.StopEndTurn {
			t.Errorf("the turn ended with %q", reason)
		}
	}
}

// TestAnUnansweredQuestion does not hold up another session, and ends with the connection.
func TestAnUnansweredQuestion(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("done"), say("hello"))
	c := f.start(acptest.Options{OnPermission: func(ctx context.Context,
		_ protocol.RequestPermissionRequest) string {
		<-ctx.Done()
		return ""
	}})
	id := c.New(f.root)
	c.PromptAsync(id, "Edit it.")
	c.Await("the question", func() bool { return len(c.Asked()) > 0 })
	if reason := c.Prompt(c.New(f.root), "Hello."); reason != protocol.StopEndTurn {
		t.Errorf("the other turn ended with %q", reason)
	}
}

// TestPromptsOfASessionFollowEachOther sends two at once.
func TestPromptsOfASessionFollowEachOther(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	gate := llmtest.NewGate()
	f.useModel(llmtest.Turn{Text: []string{"one "}, Hold: gate}, say("two"))
	c := f.start(acptest.Options{})
	id := c.New(f.root)
	first := c.PromptAsync(id, "First.")
	<-gate.Reached()
	second := c.PromptAsync(id, "Second.")
	gate.Open()
	if a, b := <-first, <-second; a != protocol.StopEndTurn || b != protocol.StopEndTurn {
		t.Errorf("they ended with %q and %q", a, b)
	}
	if said := c.Said(id, protocol.AgentMessageChunk); said != "one two" {
		t.Errorf("the answers are %q", said)
	}
}

func TestWhatAPromptMayHold(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	file := "file://" + f.path("shapes/rect.go")
	blocks := []protocol.ContentBlock{
		{Type: "text", Text: "Compare "},
		{Type: "resource_link", Name: "rect.go", URI: file + "?symbol=Rect#L3:4"},
		{Type: "text", Text: " with "},
		{Type: "resource", Resource: &protocol.ResourceContents{URI: file, Text: "package shapes // unsaved\n"}},
		{Type: "text", Text: " and "},
		{Type: "resource", Resource: &protocol.ResourceContents{URI: "zed:///rules", Text: "no goto"}},
		{Type: "resource_link", Name: "page", URI: "https://example.com/a"},
	}
	f.useModel(llmtest.Turn{Text: []string{"ok"}, Check: func(r *llmtest.Request) error {
		sent := r.Last().Content
		for _, want := range []string{"Compare @shapes/rect.go:3-4 with @shapes/rect.go and", "no goto", "[page](https://example.com/a)", "Rect is a rectangle", "// unsaved"} {
			if !strings.Contains(sent, want) {
				return fmt.Errorf("%q is not in %q", want, sent)
			}
		}
		return nil
	}})
	c := f.start(acptest.Options{})
	id := c.New(f.root)
	c.Call(protocol.MethodSessionPrompt, protocol.PromptRequest{SessionID: id, Prompt: blocks}, nil)

	write(t, f.path("logo.png"), "\x89PNG\x00\x01")
	write(t, f.path("key.pem"), "-----BEGIN RSA PRIVATE KEY-----\nx\n")
	for name, block := range map[string]any{
		"image":            map[string]string{"type": "image", "data": "aaaa", "mimeType": "image/png"},
		"blob":             map[string]any{"type": "resource", "resource": map[string]string{"uri": file, "blob": "aaaa"}},
		"outside":          protocol.ContentBlock{Type: "resource_link", Name: "x", URI: "file:///etc/hostname"},
		"missing":          protocol.ContentBlock{Type: "resource_link", Name: "x", URI: "file://" + f.path("none.go")},
		"binary":           protocol.ContentBlock{Type: "resource_link", Name: "x", URI: "file://" + f.path("logo.png")},
		"nothing":          protocol.ContentBlock{Type: "text", Text: " "},
		"lines of no file": protocol.ContentBlock{Type: "resource_link", Name: "x", URI: file + "#L9:3"},
		"too large a text": protocol.ContentBlock{Type: "resource",
			Resource: &protocol.ResourceContents{URI: file, Text: strings.Repeat("x\n", 200<<10)}},
	} {
		if err := c.Error(protocol.MethodSessionPrompt,
			map[string]any{"sessionId": id, "prompt": []any{block}}); err.Code != protocol.CodeInvalidParams {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestErrorsOfAModel(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(llmtest.Turn{Status: 401, Body: `{"error":{"message":"wrong key"}}`},
		llmtest.Turn{Status: 400, Body: `{"error":{"message":"bad request"}}`})
	c := f.start(acptest.Options{})
	id := c.New(f.root)
	for _, want := range []int{protocol.CodeAuthRequired, protocol.CodeInternalError} {
		if err := c.Error(protocol.MethodSessionPrompt, acptest.Text(id, "hello")); int(err.Code) != want {
			t.Errorf("got %d %v, want %d", err.Code, err, want)
		}
	}
}

// TestAnAnswerThatBreaksOffBeginsAgain: what was sent can't be taken back.
func TestAnAnswerThatBreaksOffBeginsAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"It is rou"}, Cut: true}, say("A circle."))
	options := acptest.Options{}
	options.Capabilities.Session.Notices = &struct{}{}
	c := f.start(options)
	id := c.New(f.root)
	c.Prompt(id, "What is it?")
	if said := c.Said(id, protocol.AgentMessageChunk); said != "It is rou\n\n---\n\nA circle." {
		t.Errorf("the answer is %q", said)
	}
	if !slices.ContainsFunc(c.Updates(id), func(u acptest.Update) bool {
		return u.Kind == "notice" && strings.Contains(string(u.Raw), "trying again")
	}) {
		t.Error("no notice says that it was tried again")
	}
}

func TestAListOfTasksIsAPlan(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"Plan:\n- [ ] read\n- [ ] wri", "te\n", "\nNow:\n- [x] read\n"}})
	c := f.start(acptest.Options{})
	id := c.New(f.root)
	c.Prompt(id, "Plan it.")
	last, began := "", false
	for _, u := range c.Updates(id) {
		if u.Kind == "plan" {
			last = string(u.Raw)
			began = began || strings.Contains(last, `{"content":"write","priority":"medium","status":"in_progress"}`)
		}
	}
	if !began {
		t.Error("no step was in progress")
	}
	const want = `{"sessionUpdate":"plan","entries":[{"content":"read","priority":"medium","status":"completed"},{"content":"write",` +
		`"priority":"medium","status":"pending"}]}`
	if last != want {
		t.Errorf("the plan is %s", last)
	}
}

// TestLeavingDuringATurn ends the connection while the model answers. The agent ends, and keeps what was said.
func TestLeavingDuringATurn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	gate := llmtest.NewGate()
	f.useModelLoosely(llmtest.Turn{Text: []string{"half "}, Hold: gate})
	var id string
	t.Run("leave", func(t *testing.T) {
		leaving := *f
		leaving.t = t
		c := leaving.start(acptest.Options{})
		id = c.New(f.root)
		c.PromptAsync(id, "Begin.")
		c.Await("half of the answer", func() bool { return c.Said(id, protocol.AgentMessageChunk) == "half " })
	})
	c := f.start(acptest.Options{})
	c.Call(protocol.MethodSessionLoad, acptest.Params(id, f.root), nil)
	if said := c.Said(id, protocol.AgentMessageChunk); !strings.HasPrefix(said, "half ") {
		t.Errorf("kept is %q", said)
	}
}
