package session

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
)

// mockModelScript is what the mock server answers, by the last message of the
// user's and whether a tool's result came after it.
const mockModelScript = `{"fixtures": [
	{"match": {"userMessage": "what does echo say", "hasToolResult": true},
	 "response": {"content": "It says one, and two."}},
	{"match": {"userMessage": "what does echo say"},
	 "response": {"reasoning": "Ask it twice.", "content": "Let me ask.", "toolCalls": [
		{"name": "echo", "arguments": "{\"text\":\"one\"}"},
		{"name": "echo", "arguments": "{\"text\":\"größe <&>\"}"}]}},
	{"match": {"userMessage": "fail"},
	 "response": {"error": {"message": "Too busy", "type": "overloaded_error"}, "status": 529}}
]}`

// startMockModel runs aimock, a model server that we did not write, and returns
// its base URL. It needs Node.js. The folder in which install-mock-model.sh put it is in
// PLOKE_TEST_MOCK_MODEL, or is the one that make uses.
func startMockModel(t *testing.T) string {
	t.Helper()
	dir := cmp.Or(os.Getenv("PLOKE_TEST_MOCK_MODEL"), filepath.Join("..", "build", "mock-model"))
	node := testbed.Program(t, "node")
	program := testbed.File(t, "the mock model server", filepath.Join(dir, "node_modules", "@copilotkit", "aimock", "dist", "cli.js"))
	script := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(script, []byte(mockModelScript), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(node, program, "--port", "0", "--strict", "--fixtures", script)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait() // it was killed
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "listening on "); ok {
			go func() {
				for lines.Scan() { // else the server stops when the pipe is full
				}
			}()
			return url
		}
	}
	t.Fatal("the mock model server ended before it listened")
	return ""
}

func TestAgainstAnotherModelServer(t *testing.T) {
	base := startMockModel(t)
	for _, p := range wireProtocols {
		t.Run(p.name, func(t *testing.T) {
			h := start(t, tools.NewSet(echo("echo")), func(o *Options) {
				o.Model = func(context.Context, string) (llm.Model, error) {
					return llm.Model{Provider: p.provider(base, 0, 0), ID: "m", ContextTokens: 100_000}, nil
				}
			})
			turn, outcome := h.ask(t, Prompt{Text: "what does echo say"})
			if outcome.Err != nil || outcome.Text != "Let me ask.\n\nIt says one, and two." {
				t.Errorf("%+v", outcome)
			}
			var said []string
			for _, c := range h.history(t, turn.ConversationID)[1].Calls {
				said = append(said, string(c.Content))
			}
			if want := []string{`{"ok":true,"said":"one"}`, `{"ok":true,"said":"größe <&>"}`}; !slices.Equal(said, want) {
				t.Errorf("results: %q", said)
			}
			if p.name != "ollama" && thoughts(h) != "Ask it twice." { // the server names Ollama's thoughts otherwise than Ollama
				t.Errorf("thoughts: %q", thoughts(h))
			}
			var e *llm.Error
			_, outcome = h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "fail"})
			if !errors.As(outcome.Err, &e) || e.Class != llm.Overloaded || e.Message != "Too busy" || e.Status != 529 {
				t.Errorf("%+v", outcome)
			}
			if _, outcome = h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "what does echo say"}); outcome.Err != nil {
				t.Errorf("afterwards: %+v", outcome)
			}
		})
	}
}

func thoughts(h *harness) string {
	var b strings.Builder
	for _, d := range seen[bus.MessageDelta](h) {
		b.WriteString(d.Thought)
	}
	return b.String()
}
