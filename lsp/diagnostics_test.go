package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// callTool runs a turn in which the model calls a tool, and returns the tool's result in
// JSON.
func callTool(t *testing.T, f *fixture, options lsptest.Options, prepare func(*lsptest.Editor), tool, args string) string {
	t.Helper()
	server := f.useModel(
		llmtest.Turn{Calls: []llmtest.Call{{ID: "it", Name: tool, Arguments: args}}},
		llmtest.Turn{Text: []string{"Done."}})
	f.Config = append(f.Config, config.FromJSON("the test", fmt.Appendf(nil, `{"checks": {"where": {"command": ["pwd"]}}}`)))
	e := f.start(options)
	e.AwaitIndex()
	prepare(e)
	id := e.Ask("please").ConversationID
	if len(server.Requests()) != 2 {
		t.Errorf("%d requests", len(server.Requests()))
	}
	return toolJSON(e, id, "it")
}

// diagnostic returns a diagnostic at the first occurrence of a text in an open document.
func diagnostic(e *lsptest.Editor, path, at, message string) protocol.Diagnostic {
	start := strings.Index(e.Text(path), at)
	return protocol.Diagnostic{Range: e.Range(path, start, start+len(at)), Severity: protocol.DiagnosticSeverityWarning,
		Code: protocol.Integer(7), Message: protocol.String(message)}
}

type diagnosticsResult struct {
	Partial     bool
	Diagnostics []struct {
		File, Severity, Code, Message, Text string
		Line                                int
		StartByte                           int `json:"start_byte"`
		Outdated                            bool
	}
}

func parseDiagnostics(t *testing.T, content string) (got diagnosticsResult) {
	t.Helper()
	if err := json.Unmarshal([]byte(content), &got); err != nil {
		t.Fatalf("%v: %s", err, content)
	}
	return got
}

func TestServerRequestsDiagnostics(t *testing.T) {
	f := newFixture(t)
	path := f.path("shapes/circle.go")
	options := lsptest.Options{Capabilities: lsptest.WithDiagnostics(lsptest.Capabilities())}
	// Line 15, characters 15 to 21 in UTF-16: the name after an emoji and an é.
	square := protocol.Diagnostic{Range: protocol.Range{Start: protocol.Position{Line: 15, Character: 15},
		End: protocol.Position{Line: 15, Character: 21}},
		Severity: protocol.DiagnosticSeverityError, Code: protocol.String("X"),
		Message: &protocol.MarkupContent{Kind: "markdown", Value: "no\nsquare"}}
	options.Diagnostics = []ploke.DocumentDiagnostics{
		{URI: fileURI(path), Diagnostics: []protocol.Diagnostic{square}},
		{URI: fileURI("/etc/hosts"), Diagnostics: []protocol.Diagnostic{square}},
		{URI: fileURI(f.path("shapes/rect.go")), Diagnostics: []protocol.Diagnostic{{Message: protocol.String("of another file")}}},
	}
	content := callTool(t, f, options, func(e *lsptest.Editor) { e.Open(path) }, "get_diagnostics", `{"file":"shapes/circle.go"}`)
	got := parseDiagnostics(t, content)
	if got.Partial || len(got.Diagnostics) != 1 {
		t.Fatalf("%s", content)
	}
	d := got.Diagnostics[0]
	if want := `/* 😀é */ func square(x float64) float64 { return x * x }`; d.Text != want || d.Line != 16 ||
		d.Severity != "error" || d.Code != "X" || d.Message != "no square" || d.File != path {
		t.Errorf("%+v, want line 16, %s", d, want)
	}
}

// TestDiagnosticsOfCodeActionsAreCached uses a client without ploke/client/diagnostics,
// whose diagnostics the server knows only from code action requests.
func TestDiagnosticsOfCodeActionsAreCached(t *testing.T) {
	f := newFixture(t)
	circle, rect := f.path("shapes/circle.go"), f.path("shapes/rect.go")
	content := callTool(t, f, lsptest.Options{}, func(e *lsptest.Editor) {
		e.Open(circle)
		e.Open(rect)
		requestActions := func(path, at string, list ...protocol.Diagnostic) {
			start := strings.Index(e.Text(path), at)
			e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
				TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)}, Range: e.Range(path, start, start+len(at)),
				Context: protocol.CodeActionContext{Diagnostics: list},
			}, nil)
		}
		requestActions(circle, "math.Pi", diagnostic(e, circle, "math.Pi", "first"))
		requestActions(circle, "Circle struct", diagnostic(e, circle, "Circle", "struct"))
		requestActions(circle, "math.Pi", diagnostic(e, circle, "math.Pi", "again"))
		requestActions(rect, "Width", diagnostic(e, rect, "Width", "mended"))
		requestActions(rect, "Width")
		requestActions(rect, "cube", diagnostic(e, rect, "cube", "of an older text"))
		e.Type(rect, 0, 0, "// Typed.\n")
	}, "get_diagnostics", `{}`)
	got := parseDiagnostics(t, content)
	var messages []string
	for _, d := range got.Diagnostics {
		messages = append(messages, fmt.Sprint(d.Message, " ", d.Outdated))
	}
	if diff := cmp.Diff([]string{"struct false", "again false", "of an older text true"}, messages); diff != "" || !got.Partial {
		t.Errorf("(-want +got):\n%s\n%s", diff, content)
	}
}

// TestConfiguredCheckRuns runs a configured check in the workspace, after the person has
// allowed it.
func TestConfiguredCheckRuns(t *testing.T) {
	f := newFixture(t)
	asked := ""
	options := lsptest.Options{OnPermission: func(_ context.Context, question string) string { asked = question; return "allowOnce" }}
	content := callTool(t, f, options, func(*lsptest.Editor) {}, "run_check", `{"name":"where"}`)
	if !strings.Contains(content, `"passed":true`) || !strings.Contains(content, f.root) {
		t.Errorf("%s", content)
	}
	if asked != "run the check where" {
		t.Errorf("the person was asked %q", asked)
	}
}
