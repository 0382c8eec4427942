package mcp_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/mcp"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
)

// A nobody is a front end without a person.
type nobody struct{ notified chan project.Part }

func (nobody) ShowMessage(project.Severity, string)                         {}
func (nobody) ShowsQuestions() bool                                         { return false }
func (nobody) ReviewReady(string)                                           {}
func (nobody) BeginProgress(context.Context, project.Task) project.Progress { return hidden{} }
func (nobody) EditorState(context.Context) index.Editor                     { return index.Editor{} }
func (nobody) CanApply(*edits.Plan) bool                                    { return false }
func (nobody) Apply(context.Context, *edits.Plan) error                     { panic("it can't apply") }
func (nobody) AskPermission(context.Context, bus.PermissionAsked) session.Answer {
	return session.RejectOnce
}
func (nobody) Diagnostics(context.Context, string) (tools.Diagnostics, error) {
	return tools.Diagnostics{Partial: true}, nil
}

// Notify passes on how far the index is.
func (n nobody) Notify(p project.Part) {
	if p.Index != nil && n.notified != nil {
		select {
		case n.notified <- p:
		default:
		}
	}
}

type hidden struct{}

func (hidden) Report(string, int) {}
func (hidden) End(string)         {}

const greet = `package greet

// Hello greets somebody.
func Hello(name string) string { return "hello " + name }

// greetAll greets all, as greetAll says.
func greetAll() string { return Hello("all") }
`

// A world is a folder with a server.
type world struct {
	t      *testing.T
	root   string
	server *mcp.Server
}

// newWorld starts a server for a folder with one Go file, and waits for its index.
func newWorld(t *testing.T, change func(*mcp.Options)) *world {
	t.Helper()
	w := &world{t: t, root: t.TempDir()}
	w.write("greet.go", greet)
	notified := make(chan project.Part, 1000)
	o := mcp.Options{Folder: w.root, FrontEnd: nobody{notified}, Project: project.Options{
		StateDir: t.TempDir(), Version: "1.2.3", Settings: project.NewSettings(), Getenv: func(string) string { return "" }, KeepVectors: true}}
	if change != nil {
		change(&o)
	}
	w.server = mcp.NewServer(t.Context(), o)
	t.Cleanup(w.server.Close)
	for p := range notified {
		if p.Index.State == index.Ready {
			return w
		}
	}
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(name string) string {
	w.t.Helper()
	text, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// A client is one that the library offers, which compares structured results with the schemas.
type client struct {
	*sdk.ClientSession
	t       *testing.T
	outputs map[string]*jsonschema.Resolved
}

// connect connects a client over two streams.
func (w *world) connect(o *sdk.ClientOptions) *client {
	w.t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o).Connect(w.t.Context(), w.streams(), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { session.Close() })
	return newClient(w.t, session)
}

func newClient(t *testing.T, session *sdk.ClientSession) *client {
	t.Helper()
	c := &client{ClientSession: session, t: t, outputs: map[string]*jsonschema.Resolved{}}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.OutputSchema == nil {
			continue
		}
		encoded, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		schema := new(jsonschema.Schema)
		if err := json.Unmarshal(encoded, schema); err != nil {
			t.Fatal(err)
		}
		if c.outputs[tool.Name], err = schema.Resolve(nil); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// call calls a tool and returns the text and the structure of its result.
func (c *client) call(name string, arguments map[string]any) (text string, content map[string]any) {
	c.t.Helper()
	text, content, failed := c.try(name, arguments)
	if failed {
		c.t.Fatalf("%s %v: %s", name, arguments, text)
	}
	return text, content
}

// try is call for a call that may fail.
func (c *client) try(name string, arguments map[string]any) (text string, content map[string]any, failed bool) {
	c.t.Helper()
	result, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		c.t.Fatalf("%s %v: %v", name, arguments, err)
	}
	if result.StructuredContent != nil {
		content = result.StructuredContent.(map[string]any)
		if err := c.outputs[name].Validate(content); err != nil {
			c.t.Errorf("%s %v: the result does not fit the schema: %v", name, arguments, err)
		}
	} else if !result.IsError && c.outputs[name] != nil {
		c.t.Errorf("%s %v: there is no structured result", name, arguments)
	}
	if len(result.Content) != 1 {
		c.t.Fatalf("%s %v: %d contents", name, arguments, len(result.Content))
	}
	text = result.Content[0].(*sdk.TextContent).Text
	if strings.HasPrefix(text, "error: ") != result.IsError {
		c.t.Errorf("%s %v: the text of a result that is an error (%v) is %s", name, arguments, result.IsError, text)
	}
	return text, content, result.IsError
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in:\n%s", part, text)
		}
	}
}
