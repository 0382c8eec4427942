package acp_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestUnsavedTextIsReadAndKept has text in the client that is not on disk.
func TestUnsavedTextIsReadAndKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	path := f.path("shapes/circle.go")
	unsaved := strings.Replace(read(t, path), "func square", "// typed\nfunc square", 1)
	f.useModel(call("c1", "read_file", `{"file":"shapes/circle.go"}`), llmtest.Turn{
		Calls: []llmtest.Call{{ID: "c2", Name: "apply_code_edit", Arguments: `{"edits":[{"mode":"replace","file":"shapes/circle.go","old":"return x * x","new":"return x*x"}]}`}},
		Check: func(r *llmtest.Request) error {
			if !strings.Contains(r.Last().Content, "// typed") {
				return fmt.Errorf("the model read %s", r.Last().Content)
			}
			return nil
		}}, say("done"))
	c := f.start(acptest.Options{Capabilities: files, OnPermission: choose("accept"), Texts: map[string]string{path: unsaved}})
	id := c.New(f.root)
	c.Prompt(id, "Edit it.")
	if got := read(t, path); !strings.Contains(got, "// typed") || !strings.Contains(got, "return x*x") {
		t.Errorf("written: %s", got)
	}
}

// TestLineEndsThatAClientHidesAreKept has clients that give a file's text without its last line end, or with line ends
// that are not those of Windows.
func TestLineEndsThatAClientHidesAreKept(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]string{"the last one": "\n", "those of Windows": "\r\n"} {
		for _, typed := range []string{"", "typed\n"} {
			t.Run(name+" "+strings.TrimSpace(typed), func(t *testing.T) {
				f := newFixture(t)
				path := f.path("a.txt")
				write(t, path, "one"+end+"two"+end)
				f.useModel(replace("c1", "a.txt", "two", "2"), say("done"))
				texts := map[string]string{path: typed + "one\ntwo"}
				c := f.start(acptest.Options{Capabilities: files, OnPermission: choose("accept"), Texts: texts})
				c.Prompt(c.New(f.root), "Edit it.")
				if got, want := read(t, path), strings.ReplaceAll(typed+"one\n2\n", "\n", end); got != want {
					t.Errorf("written: %q, want %q", got, want)
				}
			})
		}
	}
}

// TestAClientThatFailsMidway writes the first of two files and refuses the second. The person learns what was written.
func TestAClientThatFailsMidway(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(call("c1", "apply_code_edit",
		`{"reason":"both","edits":[{"mode":"replace","file":"shapes/circle.go","old":"return x * x","new":"return x*x"},`+
			`{"mode":"replace","file":"shapes/rect.go","old":"Width, Height","new":"Height, Width"}]}`), say("done"))
	c := f.start(acptest.Options{Capabilities: files, OnPermission: choose("accept"), OnWrite: func(path, _ string) error {
		if strings.HasSuffix(path, "rect.go") {
			return errors.New("disk full")
		}
		return nil
	}})
	id := c.New(f.root)
	c.Prompt(id, "Edit both.")
	if shown := proposals(c, id); shown[0].Status != protocol.StatusFailed || !strings.Contains(string(shown[0].RawOutput), `"partial"`) {
		t.Errorf("shown: %+v", shown)
	}
	if said, want := c.Said(id,
		protocol.AgentThoughtChunk), "the proposal was only partly applied: the client could not write "+f.path("shapes/rect.go")+
		": disk full"; !strings.Contains(said, want) {
		t.Errorf("the person reads %q, want %q", said, want)
	}
}

// TestAFileThatChangesOnDiskWhileThePersonIsAsked changes it elsewhere in the file, and where the edit applies.
func TestAFileThatChangesOnDiskWhileThePersonIsAsked(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ old, changed, status, want, said string }{
		"elsewhere": {"package", "// new\npackage", protocol.StatusCompleted, "return x*x", ""},
		"there":     {"return x * x", "return 1", protocol.StatusFailed, "return 1", "has changed at line 11"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			path := f.path("shapes/circle.go")
			f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("done"))
			c := f.start(acptest.Options{Capabilities: files, OnPermission: func(context.Context, protocol.RequestPermissionRequest) string {
				write(t, path, strings.Replace(read(t, path), tt.old, tt.changed, 1))
				return "accept"
			}})
			id := c.New(f.root)
			c.Prompt(id, "Edit it.")
			if got := read(t, path); !strings.Contains(got, tt.changed) || !strings.Contains(got, tt.want) {
				t.Errorf("the file is %q", got)
			}
			if shown := proposals(c, id); shown[0].Status != tt.status || !strings.Contains(c.Said(id, protocol.AgentThoughtChunk), tt.said) {
				t.Errorf("shown: %+v", shown)
			}
		})
	}
}

// TestWhatIsTypedWhileThePersonIsAskedIsKept changes the file in the client before the person accepts.
func TestWhatIsTypedWhileThePersonIsAskedIsKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	path := f.path("shapes/circle.go")
	f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("done"))
	var c *acptest.Client
	c = f.start(acptest.Options{Capabilities: files, OnPermission: func(context.Context, protocol.RequestPermissionRequest) string {
		c.SetText(path, "// typed\n"+read(t, path))
		return "accept"
	}})
	id := c.New(f.root)
	c.Prompt(id, "Edit it.")
	if got := read(t, path); !strings.HasPrefix(got, "// typed\n") || !strings.Contains(got, "return x*x") {
		t.Errorf("written: %s", got)
	}
}

// TestClosingForgetsUnsavedText: the client that had it is gone.
func TestClosingForgetsUnsavedText(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	path := f.path("shapes/rect.go")
	f.useModel(call("c1", "read_file", `{"file":"shapes/rect.go"}`), say("read"))
	c := f.start(acptest.Options{Capabilities: files, Texts: map[string]string{path: "package shapes // typed\n"}})
	id := c.New(f.root)
	c.Prompt(id, "Read it.")
	if got := f.agent.Unsaved(f.root); !slices.Equal(got, []string{path}) {
		t.Errorf("unsaved are %v", got)
	}
	c.Call(protocol.MethodSessionClose, protocol.SessionID{SessionID: id}, nil)
	if got := f.agent.Unsaved(f.root); len(got) != 0 {
		t.Errorf("after closing, unsaved are %v", got)
	}
}

// TestAClientThatDoesNotWrite says that it has written what it has not: one of two files, a new file, a file that it has open.
func TestAClientThatDoesNotWrite(t *testing.T) {
	t.Parallel()
	both := `{"reason":"both","edits":[{"mode":"replace","file":"shapes/circle.go","old":"return x * x","new":"return x*x"},` +
		`{"mode":"replace","file":"shapes/rect.go","old":"Width, Height","new":"Height, Width"}]}`
	for name, tt := range map[string]struct {
		tool, arguments, forgets string
		capabilities             protocol.ClientCapabilities
		said                     string
	}{
		"an edit":      {"apply_code_edit", both, "circle.go", files, "partly applied: shapes/circle.go is unchanged, although the client reported success"},
		"of all files": {"apply_code_edit", both, ".go", files, "not applied: shapes/circle.go is unchanged, although the client reported success"},
		"a new file":   {"create_file", `{"file":"new.txt","content":"x\n"}`, "new.txt", files, "not applied: new.txt is unchanged, although the client reported success"},
		"it can't be read": {"apply_code_edit", both, ".go", protocol.ClientCapabilities{FS: protocol.FileSystemCapabilities{WriteTextFile: true}},
			"not applied: shapes/circle.go is unchanged, although the client reported success"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.useModel(call("c1", tt.tool, tt.arguments), say("done"))
			c := f.start(acptest.Options{Capabilities: tt.capabilities, OnPermission: choose("accept"),
				Forgets: func(path string) bool { return strings.HasSuffix(path, tt.forgets) }})
			id := c.New(f.root)
			c.Prompt(id, "Edit.")
			if shown := proposals(c, id); shown[0].Status != protocol.StatusFailed || strings.Contains(string(shown[0].RawOutput), `"applied"`) {
				t.Errorf("shown: %+v", shown)
			}
			if said := c.Said(id, protocol.AgentThoughtChunk); !strings.Contains(said, tt.said) {
				t.Errorf("the person reads %q, want %q", said, tt.said)
			}
		})
	}
}

// TestACallThatCouldNotIsShownAsFailed has a tool say that it can't do what it is asked for.
func TestACallThatCouldNotIsShownAsFailed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(call("c1", "read_file", `{"file":"nothing.go"}`), replace("c2", "shapes/circle.go", "not there", "x"),
		call("c3", "no_tool", `{}`),
		call("c4", "read_file", `{"file":"shapes/circle.go"}`), say("done"))
	c := f.start(acptest.Options{Capabilities: files})
	id := c.New(f.root)
	c.Prompt(id, "Try.")
	check := func(when string) {
		t.Helper()
		var states []string
		for _, call := range c.ToolCalls(id) {
			states = append(states, call.Status)
		}
		if want := []string{"failed", "failed", "failed", "completed"}; !slices.Equal(states, want) {
			t.Errorf("%s: %q", when, states)
		}
	}
	check("while it runs")
	c.Forget()
	c.Call(protocol.MethodSessionLoad, acptest.Params(id, f.root), nil)
	check("replayed")
}
