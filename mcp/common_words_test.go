package mcp_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"ploke-lsp/mcp"
)

// ownField matches a field that has the project's own name.
var ownField = regexp.MustCompile(`"(?:canon|file|dir)":`)

// TestResultsHaveCommonNames looks at the schemas of results, and at results.
func TestResultsHaveCommonNames(t *testing.T) {
	w := newWorld(t, func(*mcp.Options) {})
	w.write("other.go", "package greet\n\ntype Server struct{}\n\nfunc (s *Server) Run() string { return Hello(\"canon\") }\n")
	c := w.connect(nil)
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if schema, err := json.Marshal(tool.OutputSchema); err != nil || ownField.Match(schema) {
			t.Errorf("%s: %v\n%s", tool.Name, err, schema)
		}
	}
	for _, call := range []struct {
		tool      string
		arguments map[string]any
		want      []string // in the structured result
	}{
		{"context", map[string]any{"query": "who greets somebody"}, []string{`"name":"Hello"`}},
		{"search_text", map[string]any{"pattern": "canon"}, []string{`"path":"`, `Hello(\"canon\")`}},
		{"symbol", map[string]any{"name": "Server::Run"}, []string{`"name":"Server::Run"`, `"path":"`, `Hello(\"canon\")`}},
		{"references", map[string]any{"name": "Hello"}, []string{`"name":"Hello"`, `"path":"`}},
		{"outline", map[string]any{"path": "greet.go"}, []string{`"name":"greetAll"`, `"path":"`}},
		{"outline", map[string]any{}, []string{`"path":"`}},
		{"read", map[string]any{"path": "greet.go"}, []string{`"path":"`}},
		{"edit", map[string]any{"edits": []any{map[string]any{"path": "greet.go", "name": "greetAll", "at": "delete"}}}, []string{`"path":"`}},
		{"move", map[string]any{"path": "other.go", "to": "server.go"}, []string{`"path":"`}},
	} {
		_, content := c.call(call.tool, call.arguments)
		structured, err := json.Marshal(content)
		if err != nil || ownField.Match(structured) {
			t.Errorf("%s: %v\n%s", call.tool, err, structured)
		}
		contains(t, string(structured), call.want...)
	}
}

// TestAdviceHasCommonNames makes mistakes, and asks for a name that two symbols have.
func TestAdviceHasCommonNames(t *testing.T) {
	w := newWorld(t, nil)
	w.write("canon.go", "package greet\n\ntype A struct{}\ntype B struct{}\n\nfunc (A) Run() {}\nfunc (B) Run() {}\nfunc (A) canon() {}\n"+
		"\nfunc run(a A, b B) {\n\ta.Run()\n\tb.Run()\n}\n")
	c := w.connect(nil)
	edit := func(fields map[string]any) map[string]any { return map[string]any{"edits": []any{fields}} }
	for _, tt := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"symbol", map[string]any{}, "error: name is missing\nname: send a symbol's name"},
		{"references", map[string]any{}, "error: name is missing\nname: send"},
		{"references", map[string]any{"name": "Nothing"}, "error: no symbol Nothing\nname: "},
		{"references", map[string]any{"name": "canom", "path": "canon.go"}, "A::canon"},
		{"references", map[string]any{"name": "Run"}, "of 2 symbols (path or name tells them apart): A::Run"},
		{"context", map[string]any{}, "error: there is nothing to search for\nquery: "},
		{"read", map[string]any{}, "error: path is missing\npath: "},
		{"read", map[string]any{"path": "nothing.go"}, "error: there is no file nothing.go\npath: "},
		{"outline", map[string]any{"path": "nothing.go"}, "nothing.go"},
		{"diagnostics", map[string]any{"path": "nothing.go"}, "\npath: "},
		{"delete", map[string]any{}, "error: path is missing\n"},
		{"move", map[string]any{"path": "nothing.go", "to": "x.go"}, "\npath: "},
		{"edit", edit(map[string]any{"code": "x"}), "error: edits[0].path is missing\nedits[0].path: "},
		{"edit", edit(map[string]any{"path": "greet.go"}), "error: edits[0]: its fields don't tell what is to be done"},
		{"edit", edit(map[string]any{"path": "greet.go"}), "\nedits[0]: send old and new, name and code, "},
		{"edit", edit(map[string]any{"path": "canon.go", "name": "A::canom", "code": "x"}), "\nedits[0].name: use one of the candidates"},
		{"edit", edit(map[string]any{"path": "greet.go", "canonn": "Hello", "code": "x"}), "did you mean `edits[0].name`?"},
		{"edit", edit(map[string]any{"path": "greet.go", "colour": "x"}), ": the fields are path, "},
	} {
		text, _, _ := c.try(tt.tool, tt.arguments)
		contains(t, text, tt.want)
		if own := regexp.MustCompile(`(?m)^(?:\S*\.)?(?:canon|file|dir): |\bcanon[, ]| mode\b`).FindString(text); own != "" {
			t.Errorf("%s %v: %q is in\n%s", tt.tool, tt.arguments, own, text)
		}
	}
}
