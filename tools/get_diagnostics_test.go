package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools"
)

func TestGetDiagnostics(t *testing.T) {
	files := map[string]string{"a.go": "package a\n\nfunc A() { b() }\n", "b.go": "package a\n\nvar x, y int\n", ".env": "KEY=1\n"}
	w := newWorld(t, files)
	at := func(name, what, message string, severity tools.Severity) tools.Diagnostic {
		start := strings.Index(files[name], what)
		return tools.Diagnostic{Path: w.path(name), Hash: workspace.Hash([]byte(files[name])), StartLine: 3, EndLine: 3,
			StartByte: start, EndByte: start + len(what), Severity: severity, Source: "compiler", Code: "E1", Message: message, SeenAt: time.Now()}
	}
	old := at("b.go", "y", "old", tools.SeverityHint)
	old.Hash, old.EndLine, old.SeenAt = "of another text", 4, time.Now().Add(-time.Minute)
	outside := at("a.go", "b()", "not ours", tools.SeverityError)
	outside.Path = "/etc/hosts"
	known := tools.Diagnostics{List: []tools.Diagnostic{
		old, at("b.go", "y", "unused y", tools.SeverityWarning), at("b.go", "x", "unused x", tools.SeverityWarning),
		at("a.go", "b()", "undefined:\n  b", tools.SeverityError), at(".env", "KEY", "secret", tools.SeverityError), outside,
	}}
	asked := []string{}
	w.deps.Diagnostics = func(_ context.Context, path string) (tools.Diagnostics, error) {
		asked = append(asked, path)
		return known, nil
	}
	w.set = tools.New(w.deps)

	item := func(name string, start, end int, severity, message, text string) map[string]any {
		return map[string]any{"file": w.path(name), "line": 3., "start_byte": float64(start), "end_byte": float64(end),
			"severity": severity, "source": "compiler", "code": "E1", "message": message, "text": text}
	}
	outdated := item("b.go", 18, 19, "hint", "old", "")
	delete(outdated, "text")
	outdated["outdated"], outdated["age_seconds"], outdated["end_line"] = true, 60., 4.
	all := []any{
		item("a.go", 22, 25, "error", "undefined: b", "func A() { b() }"),
		item("b.go", 15, 16, "warning", "unused x", "var x, y int"),
		item("b.go", 18, 19, "warning", "unused y", "var x, y int"),
		outdated,
	}
	for args, want := range map[string][]any{`{}`: all, `{"file":"a.go"}`: all[:1], `{"file":"b.go"}`: all[1:]} {
		var got map[string]any
		if err := json.Unmarshal(w.call("get_diagnostics", args).Content, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]any{"ok": true, "diagnostics": want, "omitted": 0.}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", args, diff)
		}
	}
	if len(asked) != 3 {
		t.Errorf("the editor was asked for %q", asked)
	}
	if content := string(w.call("get_diagnostics", `{"file":"c.go"}`).Content); !strings.Contains(content, `"candidates"`) {
		t.Error(content)
	}
}

func TestGetDiagnosticsIsBoundedAndHonest(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "package a\n"})
	if content := string(w.call("get_diagnostics", `{}`).Content); !strings.Contains(content, `"partial":true`) ||
		!strings.Contains(content, "can't be queried") {
		t.Errorf("without an editor: %s", content)
	}
	var list []tools.Diagnostic
	for i := range 1000 {
		list = append(list, tools.Diagnostic{Path: w.path("a.go"), StartLine: 1, EndLine: 1, Severity: tools.SeverityHint,
			Message: fmt.Sprint(i, strings.Repeat(" long", 1000)), SeenAt: time.Now()})
	}
	list[999].Severity = tools.SeverityError
	w.deps.Diagnostics = func(context.Context, string) (tools.Diagnostics, error) { return tools.Diagnostics{List: list}, nil }
	w.set = tools.New(w.deps)
	content := string(w.call("get_diagnostics", `{}`).Content)
	if len(content) > 100<<10 || !strings.Contains(content, `"omitted":900`) || !strings.Contains(content, `"message":"999`) ||
		!strings.Contains(content, "of one file") {
		t.Errorf("%d bytes: %.300s … %s", len(content), content, content[len(content)-100:])
	}
}
