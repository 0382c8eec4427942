package acp_test

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ploke-lsp/acp"
	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/config"
	"ploke-lsp/session/llm/llmtest"
)

// program is the folder of the tests.
const program = `
-- shapes/circle.go --
// Package shapes measures shapes.
package shapes

import "math"

// Area returns the area of a circle.
func Area(radius float64) float64 {
	return math.Pi * square(radius)
}

func square(x float64) float64 { return x * x }
-- shapes/rect.go --
package shapes

// Rect is a rectangle.
type Rect struct{ Width, Height float64 }
`

// fixture holds the folders and the options of an agent.
type fixture struct {
	t     testing.TB
	root  string
	agent *acp.Agent // that start has started
	acp.Options
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{t: t, root: unpack(t, program)}
	f.Options = acp.Options{StateDir: t.TempDir(), Version: "1.2.3", Logger: slog.New(slog.NewTextHandler(testLog{t}, nil))}
	return f
}

// testLog writes the agent's log to the test's log.
type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Logf("agent: %s", strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

// unpack writes the files of an archive to a new folder and returns its path.
func unpack(t testing.TB, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	return dir
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (f *fixture) path(name string) string { return filepath.Join(f.root, name) }

// useModel makes a model answer with a script, all of which must be asked for.
func (f *fixture) useModel(turns ...llmtest.Turn) {
	f.useModelAt(llmtest.NewServer(f.t, turns...).URL)
}

// useModelLoosely makes a model answer with a script that may be cut short.
func (f *fixture) useModelLoosely(turns ...llmtest.Turn) {
	server := httptest.NewServer(llmtest.NewScript(turns...))
	f.t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	f.useModelAt(server.URL + "/v1")
}

func (f *fixture) useModelAt(url string) {
	f.setting(fmt.Sprintf(`{"model":"test/m","providers":{"test":{"type":"openai","baseUrl":%q,"models":{"m":{"contextTokens":100000,`+
		`"price":{"in":1,"out":10}}}}}}`, url))
}

// setting adds a layer of settings.
func (f *fixture) setting(json string) {
	f.Config = append(f.Config, config.FromJSON("the test", []byte(json)))
}

// start starts an agent with a client.
func (f *fixture) start(options acptest.Options) *acptest.Client {
	f.t.Helper()
	f.agent = acp.NewAgent(f.Options)
	c := acptest.Start(f.t, f.agent.Serve, options)
	c.Initialize()
	return c
}

func TestTheEmbeddedModelAnswers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.start(acptest.Options{})
	id := c.New(f.root)
	f.agent.AwaitIndex(t.Context(), f.root)
	if reason := c.Prompt(id, "What calls square?"); reason != protocol.StopEndTurn {
		t.Errorf("the turn ended with %q", reason)
	}
	if said := c.Said(id, protocol.AgentMessageChunk); !strings.Contains(said, "Area") {
		t.Errorf("the answer is %q", said)
	}
	for _, call := range c.ToolCalls(id) {
		if call.Status != protocol.StatusCompleted || call.Title == "" || len(call.RawInput) == 0 || len(call.RawOutput) == 0 {
			t.Errorf("%+v", call)
		}
	}
}
