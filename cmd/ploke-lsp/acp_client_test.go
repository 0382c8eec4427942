package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools/mcpclient/mcptest"
)

// An acpFixture is the agent as a process, with the protocol's TypeScript SDK as its client.
type acpFixture struct {
	t                   *testing.T
	root, state, config string
	long                *net.TCPListener // to which the check "long" connects
}

func newACPFixture(t *testing.T, turns ...llmtest.Turn) *acpFixture {
	testbed.Program(t, "node") // before anything that the test must use then
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	f := &acpFixture{t: t, root: root, state: t.TempDir(), config: filepath.Join(t.TempDir(), "config.toml")}
	f.write("a.go", "package a\n\nfunc first() int { return 1 }\n")
	server := llmtest.NewServer(t, turns...)
	f.long, err = net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	check(t, err)
	t.Cleanup(func() { f.long.Close() })
	check(t, os.WriteFile(f.config, fmt.Appendf(nil, `
model = "scripted/model"

[providers.scripted]
type = "openai"
baseUrl = %q

[providers.scripted.models.model]
contextTokens = 40000
price = { in = 1, out = 10 }

[checks.short]
command = ["echo", "checked"]

[checks.long]
command = [%q, %q]
`, server.URL, named(t, "connected"), f.long.Addr()), 0o600))
	commands := filepath.Join(filepath.Dir(f.config), "commands")
	check(t, os.Mkdir(commands, 0o700))
	check(t, os.WriteFile(filepath.Join(commands, "review.md"),
		[]byte("---\ndescription: Review a file\nargument-hint: FILE\n---\nReview $1 well.\n"), 0o600))
	return f
}

func (f *acpFixture) path(name string) string { return filepath.Join(f.root, name) }

func (f *acpFixture) write(name, text string) {
	f.t.Helper()
	check(f.t, os.WriteFile(f.path(name), []byte(text), 0o600))
}

func (f *acpFixture) read(name string) string {
	f.t.Helper()
	text, err := os.ReadFile(f.path(name))
	check(f.t, err)
	return string(text)
}

func (f *acpFixture) start(options acptest.Options) *acptest.Client {
	f.t.Helper()
	c := acptest.StartProcess(f.t, options, ofDesktop(f.t), program(f.t).Path, "acp", "--state-dir", f.state, "--config", f.config)
	c.Initialize()
	return c
}

func call(id, tool, arguments string) llmtest.Turn {
	return llmtest.Turn{Calls: []llmtest.Call{{ID: id, Name: tool, Arguments: arguments}}}
}

func say(text string) llmtest.Turn {
	return llmtest.Turn{Text: []string{text}, Usage: llmtest.Usage{Prompt: 1000, Completion: 100}}
}

// editFirst is the edit that the model makes.
const editFirst = `{"reason":"count on","edits":[{"mode":"replace","file":"a.go","old":"return 1","new":"return 2"}]}`

// everything is a client that writes and reads files, and has switches and notices.
func everything() protocol.ClientCapabilities {
	p := protocol.ClientCapabilities{FS: protocol.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true},
		Auth: protocol.AuthCapabilities{Terminal: true}}
	p.Session.ConfigOptions = &struct {
		Boolean *struct{} `json:"boolean"`
	}{&struct{}{}}
	p.Session.Notices = &struct{}{}
	return p
}

// TestACPThroughTheTypeScriptSDK runs a person's session through a client that we did not write.
func TestACPThroughTheTypeScriptSDK(t *testing.T) {
	f := newACPFixture(t,
		call("c1", "read_file", `{"file":"a.go"}`), say("It returns one."),
		call("c2", "run_check", `{"name":"short"}`), say("Not run."),
		call("c3", "run_check", `{"name":"short"}`), say("Run."),
		call("c4", "apply_code_edit", editFirst), say("Edited."),
		llmtest.Turn{Text: []string{"Reviewed."}, Check: func(r *llmtest.Request) error {
			if !slices.ContainsFunc(r.Messages, func(m llmtest.Message) bool { return strings.Contains(m.Content, "Review a.go well.") }) {
				return fmt.Errorf("the model was asked %q", r.Messages)
			}
			return nil
		}},
		call("c6", "good__say", `{"text":"hello"}`), say("Said."),
		call("c5", "run_check", `{"name":"long"}`))
	answers := map[string]string{"c2": "rejectOnce", "c3": "allowOnce", "c5": "allowOnce", "c6": "allowOnce"}
	c := f.start(acptest.Options{Capabilities: everything(),
		OnPermission: func(_ context.Context, asked protocol.RequestPermissionRequest) string {
			if answer := answers[asked.ToolCall.ID]; answer != "" {
				return answer
			}
			return "accept"
		}})
	params := acptest.Params("", f.root)
	params.MCPServers = []protocol.MCPServer{{Name: "good", Command: named(t, "mcp-server"), Args: []string{"ignored"}, Env: []protocol.NameValue{{Name: mcptest.Role, Value: "good"}}}}
	var session protocol.SessionResponse
	c.Call(protocol.MethodSessionNew, params, &session)
	id := session.SessionID
	c.Await("the slash commands", func() bool {
		return slices.ContainsFunc(c.Updates(id), func(u acptest.Update) bool {
			return u.Kind == "available_commands_update" && strings.Contains(string(u.Raw), `"Review a file"`) &&
				strings.Contains(string(u.Raw), `"explain"`) && strings.Contains(string(u.Raw), `"commit"`)
		})
	})
	for _, text := range []string{"What does first return?", "Check it.", "Check it again.", "Let first return 2.", "/review a.go", "Say hello."} {
		if reason := c.Prompt(id, text); reason != protocol.StopEndTurn {
			t.Fatalf("%q ended with %q", text, reason)
		}
	}
	if got := f.read("a.go"); !strings.Contains(got, "return 2") {
		t.Errorf("the file is %q", got)
	}
	if title, want := c.Asked()[0].ToolCall.Title, "run the check short: echo checked in "+f.root; title != want {
		t.Errorf("the question is %q, want %q", title, want)
	}
	f.cancelInMidTool(c, id)
	states := map[string]string{"c1": "completed", "c2": "failed", "c3": "completed", "c4": "completed", "c5": "failed", "c6": "completed"}
	awaitStates(c, id, states)
	awaitDiff(c, id)

	const before = "It returns one.Not run.Run.Edited.Reviewed.Said."
	c.Await("all answers", func() bool { return c.Said(id, protocol.AgentMessageChunk) == before })
	c.Kill()
	f.loadAgain(id, before, states)
}

// TestDecisionsThroughTheTypeScriptSDK rejects with a reason in a form, and then decides on each of two files.
func TestDecisionsThroughTheTypeScriptSDK(t *testing.T) {
	two := llmtest.Turn{Calls: []llmtest.Call{{ID: "c2", Name: "apply_code_edit", Arguments: editFirst},
		{ID: "c3", Name: "create_file", Arguments: `{"file":"b.go","content":"package b\n"}`}}}
	told := say("Sorry.")
	told.Check = func(r *llmtest.Request) error {
		if !slices.ContainsFunc(r.Messages, func(m llmtest.Message) bool { return strings.Contains(m.Content, "too early") }) {
			return fmt.Errorf("the model is told %q", r.Messages)
		}
		return nil
	}
	f := newACPFixture(t, call("c1", "apply_code_edit", editFirst), say("Edited."), told, two, say("Edited both."))
	capabilities := everything()
	capabilities.Elicitation = &protocol.ElicitationCapabilities{Form: &struct{}{}}
	answers := []string{"reject-why", "each-file", "reject-file", "accept-file"}
	c := f.start(acptest.Options{Capabilities: capabilities,
		OnForm: func(protocol.ElicitationRequest) map[string]any { return map[string]any{"reason": "too early"} },
		OnPermission: func(context.Context, protocol.RequestPermissionRequest) string {
			answer := answers[0]
			answers = answers[1:]
			return answer
		}})
	id := c.New(f.root)
	for _, text := range []string{"Let first return 2.", "Why?", "Now both."} {
		if reason := c.Prompt(id, text); reason != protocol.StopEndTurn {
			t.Fatalf("%q ended with %q", text, reason)
		}
	}
	if got := f.read("a.go"); !strings.Contains(got, "return 1") || f.read("b.go") != "package b\n" {
		t.Errorf("the files are %q and %q", got, f.read("b.go"))
	}
	c.Await("the cost of each turn", func() bool {
		costs := map[float64]bool{} // each is told after a request and at the end of its turn
		for _, u := range c.Updates(id) {
			var usage protocol.UsageUpdate
			if u.Kind == "usage_update" && json.Unmarshal(u.Raw, &usage) == nil && usage.Cost != nil {
				costs[usage.Cost.Amount] = true
			}
		}
		return len(costs) == 3
	})
}

// loadAgain compares a session that another process shows with what was said in it, and with the states of its calls. Then
// it closes, resumes and deletes the session.
func (f *acpFixture) loadAgain(id, said string, states map[string]string) {
	f.t.Helper()
	c := f.start(acptest.Options{Capabilities: everything()})
	var list protocol.ListSessionsResponse
	c.Call(protocol.MethodSessionList, map[string]string{"cwd": f.root}, &list)
	if len(list.Sessions) != 1 || list.Sessions[0].SessionID != id || list.Sessions[0].Title != "What does first return?" {
		f.t.Errorf("the list is %+v", list)
	}
	c.Call(protocol.MethodSessionLoad, acptest.Params(id, f.root), nil)
	c.Await("the same answers", func() bool { return c.Said(id, protocol.AgentMessageChunk) == said })
	awaitStates(c, id, states)
	awaitDiff(c, id)
	c.Call(protocol.MethodSessionClose, protocol.SessionID{SessionID: id}, nil)
	c.Call(protocol.MethodSessionResume, acptest.Params(id, f.root), nil)
	c.Call(protocol.MethodSessionDelete, protocol.SessionID{SessionID: id}, nil)
	c.Call(protocol.MethodSessionList, map[string]string{"cwd": f.root}, &list)
	if len(list.Sessions) != 0 {
		f.t.Errorf("after deleting, the list is %+v", list)
	}
}

// cancelInMidTool has the model run the check "long", and cancels the turn while the check runs.
func (f *acpFixture) cancelInMidTool(c *acptest.Client, session string) {
	f.t.Helper()
	limit := time.Now().Add(time.Minute)
	check(f.t, f.long.SetDeadline(limit))
	ended := c.PromptAsync(session, "Check it for long.")
	running, err := f.long.Accept()
	check(f.t, err)
	defer running.Close()
	c.Notify(protocol.MethodSessionCancel, protocol.SessionID{SessionID: session})
	if reason := <-ended; reason != protocol.StopCancelled {
		f.t.Errorf("the cancelled turn ended with %q", reason)
	}
	check(f.t, running.SetReadDeadline(limit))
	if _, err := running.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
		f.t.Error("the check still runs")
	}
}

// The SDK calls its handlers of updates on its own time, so that an update may come to the test after the
// response that was sent behind it.

// awaitStates waits until calls have these states.
func awaitStates(c *acptest.Client, session string, want map[string]string) {
	c.Await(fmt.Sprintf("calls in these states: %v", want), func() bool {
		got := map[string]string{}
		for _, call := range c.ToolCalls(session) {
			if _, ok := want[call.ID]; ok {
				got[call.ID] = call.Status
			}
		}
		return maps.Equal(got, want)
	})
}

// awaitDiff waits until the edit is shown as a diff that was applied.
func awaitDiff(c *acptest.Client, session string) {
	isDiff := func(content protocol.ToolCallContent) bool {
		return content.Type == "diff" && strings.Contains(*content.OldText, "return 1") && strings.Contains(*content.NewText, "return 2")
	}
	c.Await("the diff", func() bool {
		return slices.ContainsFunc(c.ToolCalls(session), func(call protocol.ToolCall) bool {
			return strings.HasPrefix(call.ID, "proposal-") && call.Status == protocol.StatusCompleted && slices.ContainsFunc(call.Content, isDiff)
		})
	})
}
