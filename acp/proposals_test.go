package acp_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

func call(id, tool, arguments string) llmtest.Turn {
	return llmtest.Turn{Calls: []llmtest.Call{{ID: id, Name: tool, Arguments: arguments}}}
}

func say(text string) llmtest.Turn {
	return llmtest.Turn{Text: []string{text}, Usage: llmtest.Usage{Prompt: 1000, Completion: 100}}
}

// replace is an edit that the model makes.
func replace(id, file, old, text string) llmtest.Turn {
	return call(id, "apply_code_edit",
		fmt.Sprintf(`{"reason":"edit %s","edits":[{"mode":"replace","file":%q,"old":%q,"new":%q}]}`, id, file, old, text))
}

// choose answers each question with the same option.
func choose(option string) func(context.Context, protocol.RequestPermissionRequest) string {
	return func(context.Context, protocol.RequestPermissionRequest) string { return option }
}

// files are the capabilities of a client that reads and writes files.
var files = protocol.ClientCapabilities{FS: protocol.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true}}

// proposals returns the proposals that were shown, with their last states.
func proposals(c *acptest.Client, session string) []protocol.ToolCall {
	return slices.DeleteFunc(c.ToolCalls(session), func(call protocol.ToolCall) bool { return !strings.HasPrefix(call.ID, "proposal-") })
}

func TestAProposalIsDecidedByThePerson(t *testing.T) {
	t.Parallel()
	const before, after = "return x * x", "return x*x + 0"
	refuse := func(string, string) error { return errors.New("disk full") }
	tests := map[string]struct {
		options acptest.Options
		status  string
		written bool
		said    string // in the content of the call
	}{
		"accepted, written by the client":     {acptest.Options{Capabilities: files, OnPermission: choose("accept")}, protocol.StatusCompleted, true, ""},
		"accepted, written by us":             {acptest.Options{OnPermission: choose("accept")}, protocol.StatusCompleted, true, ""},
		"rejected":                            {acptest.Options{Capabilities: files, OnPermission: choose("reject")}, protocol.StatusFailed, false, ""},
		"not decided":                         {acptest.Options{Capabilities: files}, protocol.StatusPending, false, ""},
		"cancelled, with an option":           {acptest.Options{Capabilities: files, NamesCancelled: true, Unchecked: true, OnPermission: choose("accept")}, protocol.StatusPending, false, ""},
		"answered with what was not asked":    {acptest.Options{OnPermission: choose("allow")}, protocol.StatusPending, false, ""},
		"accepted, and refused by the client": {acptest.Options{Capabilities: files, OnPermission: choose("accept"), OnWrite: refuse}, protocol.StatusFailed, false, "disk full"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.useModel(replace("c1", "shapes/circle.go", before, after), say("done"))
			c := f.start(tt.options)
			id := c.New(f.root)
			if reason := c.Prompt(id, "Edit it."); reason != protocol.StopEndTurn {
				t.Fatalf("the turn ended with %q", reason)
			}
			shown := proposals(c, id)
			if len(shown) != 1 || shown[0].Status != tt.status || shown[0].ToolKind != protocol.KindEdit {
				t.Fatalf("shown: %+v", shown)
			}
			if got := strings.Contains(read(t, f.path("shapes/circle.go")), after); got != tt.written {
				t.Errorf("written: %v", got)
			}
			asked := c.Asked()
			diff := asked[len(asked)-1].ToolCall.Content[0]
			if diff.Path != f.path("shapes/circle.go") || !strings.Contains(*diff.OldText, before) || !strings.Contains(*diff.NewText, after) {
				t.Errorf("the person saw %+v", diff)
			}
			if last := shown[0].Content[len(shown[0].Content)-1]; tt.said != "" &&
				(last.Content == nil || !strings.Contains(*last.Content.Text, tt.said)) {
				t.Errorf("the call says %+v", last)
			}
		})
	}
}

// TestWhatWaitsIsAskedAboutAgain does not decide at first.
func TestWhatWaitsIsAskedAboutAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("done"), say("hello"))
	answers := make(chan string, 2)
	answers <- ""
	answers <- "accept"
	c := f.start(acptest.Options{Capabilities: files,
		OnPermission: func(context.Context, protocol.RequestPermissionRequest) string { return <-answers }})
	id := c.New(f.root)
	c.Prompt(id, "Edit it.")
	c.Prompt(id, "Hello.")
	if shown := proposals(c, id); len(shown) != 1 || shown[0].Status != protocol.StatusCompleted {
		t.Errorf("shown: %+v", shown)
	}
	if !strings.Contains(read(t, f.path("shapes/circle.go")), "return x*x") {
		t.Error("the edit was not written")
	}
}

// TestAcceptingAllEdits asks once; a file that runs by itself is still asked about.
func TestAcceptingAllEdits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("one"),
		replace("c2", "shapes/rect.go", "Width, Height", "Height, Width"), say("two"),
		call("c3", "create_file", `{"file":".github/workflows/x.yml","content":"on: push\n"}`), say("three"))
	c := f.start(acptest.Options{Capabilities: files, OnPermission: choose("accept-all")})
	id := c.New(f.root)
	for n, asked := range []int{1, 1, 2} {
		c.Prompt(id, "Edit it.")
		if got := len(c.Asked()); got != asked {
			t.Errorf("after edit %d, %d questions were asked, want %d", n+1, got, asked)
		}
	}
	for _, call := range proposals(c, id) {
		if call.Status != protocol.StatusCompleted {
			t.Errorf("%+v", call)
		}
	}
	if got := read(t, f.path("shapes/rect.go")); !strings.Contains(got, "Height, Width") {
		t.Errorf("the second edit was not written: %s", got)
	}
}

// TestADecisionElsewhereTakesTheQuestionBack rejects the proposal while the person is asked.
func TestADecisionElsewhereTakesTheQuestionBack(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("done"))
	c := f.start(acptest.Options{OnPermission: func(ctx context.Context, asked protocol.RequestPermissionRequest) string {
		if err := f.agent.Reject(ctx, strings.TrimPrefix(asked.ToolCall.ID, "proposal-")); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		return "accept"
	}})
	id := c.New(f.root)
	if reason := c.Prompt(id, "Edit it."); reason != protocol.StopEndTurn {
		t.Errorf("the turn ended with %q", reason)
	}
	if shown := proposals(c, id); c.Revoked() != 1 || shown[0].Status != protocol.StatusFailed {
		t.Errorf("%d questions were taken back; shown: %+v", c.Revoked(), shown)
	}
	if !strings.Contains(read(t, f.path("shapes/circle.go")), "return x * x") {
		t.Error("the rejected edit was written")
	}
}

// TestRenameAndDeleteAreWrittenByUs: no client can do that.
func TestRenameAndDeleteAreWrittenByUs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(call("c1", "rename_file", `{"file":"shapes/rect.go","to":"shapes/box.go"}`),
		call("c2", "delete_file", `{"file":"shapes/circle.go"}`), say("done"))
	c := f.start(acptest.Options{Capabilities: files, OnPermission: choose("accept")})
	id := c.New(f.root)
	c.Prompt(id, "Tidy up.")
	left, err := filepath.Glob(f.path("shapes/*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != "box.go" {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestWhatIsNotShownWholeIsNotAcceptedForAlways proposes a file that is too large to be shown.
func TestWhatIsNotShownWholeIsNotAcceptedForAlways(t *testing.T) {
	t.Parallel()
	for lines, options := range map[int]int{10: 4, 20_000: 3} {
		f := newFixture(t)
		f.useModel(call("c1", "create_file", fmt.Sprintf(`{"file":"notes.txt","content":%q}`, strings.Repeat("a line\n", lines))), say("done"))
		c := f.start(acptest.Options{OnPermission: choose("accept-all")})
		c.Prompt(c.New(f.root), "Write it.")
		asked := c.Asked()
		if len(asked) != 1 || len(asked[0].Options) != options {
			t.Fatalf("%d lines: asked %+v", lines, asked)
		}
		if _, err := os.Stat(f.path("notes.txt")); (err == nil) != (options == 4) {
			t.Errorf("%d lines: %v", lines, err)
		}
	}
}
