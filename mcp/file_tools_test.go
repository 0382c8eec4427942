package mcp_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/mcp"
)

func TestFilesAreMovedAndDeleted(t *testing.T) {
	w := newWorld(t, applying)
	w.write("old.go", "package greet\n")
	c := w.connect(nil)
	text, _ := c.call("move", map[string]any{"path": "old.go", "to": "sub/new.go"})
	contains(t, text, "sub/new.go", "\nwritten")
	contains(t, w.read("sub/new.go"), "package greet")
	text, content := c.call("delete", map[string]any{"path": "sub/new.go"})
	contains(t, text, "sub/new.go", "\nwritten")
	for _, name := range []string{"old.go", "sub/new.go"} {
		if _, err := os.Stat(w.path(name)); err == nil {
			t.Errorf("%s is there: %v", name, content)
		}
	}
	if text, _, failed := c.try("delete", map[string]any{"path": "nothing.go"}); !failed {
		t.Errorf("a file that is not there: %s", text)
	}
}

func TestMovesAreProposed(t *testing.T) {
	w := newWorld(t, nil)
	c := w.connect(nil)
	text, first := c.call("move", map[string]any{"file": "greet.go", "new_path": "hello.go"})
	contains(t, text, "proposed, not written")
	_, second := c.call("edit", edit("hello.go", `"hello "`, `"hi "`))
	if first["proposal_id"] != second["proposal_id"] || w.read("greet.go") != greet {
		t.Errorf("the edit of the moved file does not amend the proposal: %v, %v", first, second)
	}
	text, _ = c.call("read", map[string]any{"path": "hello.go"})
	contains(t, text, `"hi "`)
}

// TestArgumentsHaveCommonNames looks at the schemas, and calls tools with the names that the project's own tools have.
func TestArgumentsHaveCommonNames(t *testing.T) {
	w := newWorld(t, func(*mcp.Options) {})
	c := w.connect(nil)
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		old := strings.Contains(string(schema), `"canon"`) || strings.Contains(string(schema), `"file"`)
		if old || strings.Contains(tool.Description, "canon") {
			t.Errorf("%s: %s\n%s", tool.Name, tool.Description, schema)
		}
	}
	want := []string{"context", "delete", "diagnostics", "edit", "move", "outline", "read", "references", "search_text", "status", "symbol"}
	if slices.Sort(names); !slices.Equal(names, want) {
		t.Errorf("the tools are %q", names)
	}
	for _, call := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"symbol", map[string]any{"name": "Hello", "path": "greet.go"}, "func Hello"},
		{"symbol", map[string]any{"canon": "Hello", "file": "greet.go"}, "func Hello"},
		{"references", map[string]any{"name": "Hello", "path": "greet.go"}, "greetAll"},
		{"references", map[string]any{"canon": "Hello"}, "greetAll"},
		{"read", map[string]any{"path": "greet.go"}, "package greet"},
		{"outline", map[string]any{"file": "greet.go"}, "greetAll"},
		{"edit", map[string]any{"edits": []any{map[string]any{"path": "greet.go", "name": "greetAll", "new_name": "greetEvery"}}}, "renamed greetAll in 3 places"},
		{"diagnostics", map[string]any{"path": "greet.go"}, "no diagnostics\nthese are only what an editor with ploke-lsp has reported so far; a build of the project finds the others"},
	} {
		text, _ := c.call(call.tool, call.arguments)
		contains(t, text, call.want)
	}
}
