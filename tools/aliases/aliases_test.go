package aliases_test

import (
	"fmt"
	"slices"
	"testing"

	"ploke-lsp/tools/aliases"
)

// TestField checks which field a name stands for: its own name in another spelling comes before the aliases of others.
func TestField(t *testing.T) {
	own := []string{"file", "path", "start_line", "content"}
	for name, want := range map[string]string{
		"file": "", "startLine": "start_line", "Start-Line": "start_line", "file_path": "file", "directory": "path",
		"file_text": "content", "offset": "", "anything": "",
	} {
		if got := aliases.Field(own, name); got != want {
			t.Errorf("%s stands for %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"line": "start_line", "contnt": "content", "zzz": ""} {
		if got := aliases.Closest(own, name); got != want {
			t.Errorf("%s is closest to %q, want %q", name, got, want)
		}
	}
}

// TestTool checks which tool does what one of another agent does, and with which arguments.
func TestTool(t *testing.T) {
	for _, tt := range []struct {
		name string
		args map[string]any
		want string
	}{
		{"Read", nil, "read_file map[]"},
		{"mcp__files__view_file", map[string]any{"path": "a"}, "read_file map[path:a]"},
		{"str_replace_editor", map[string]any{"command": "view", "path": "a"}, "read_file map[path:a]"},
		{"str_replace_editor", map[string]any{"command": "str_replace"}, "apply_code_edit map[]"},
		{"list_files", map[string]any{"recursive": true}, "list_dir map[depth:10]"},
		{"glob", map[string]any{"pattern": "*.go"}, "search_text map[name:*.go]"},
		{"grep_tool", map[string]any{"pattern": "x.*y"}, "search_text map[pattern:x.*y]"},
		{"grep", map[string]any{"pattern": "*.go"}, "search_text map[name:*.go]"},
		{"sing", nil, " map[]"},
	} {
		got := " map[]"
		for _, form := range aliases.Forms(tt.name) {
			if tool := aliases.Tool(form, tt.args); tool != "" {
				got = fmt.Sprint(tool, " ", aliases.Arguments(tool, form, tt.args))
				break
			}
		}
		if got != tt.want {
			t.Errorf("%s %v means %s, want %s", tt.name, tt.args, got, tt.want)
		}
	}
}

// TestPurposesOf checks what commands are run for. What one writes comes before what it reads.
func TestPurposesOf(t *testing.T) {
	for command, want := range map[string][]string{
		"cat a.go":                       {"read_file"},
		"cat > a.go <<E":                 {"create_file", "read_file"},
		"cd x && sudo rm a; FOO=1 ls -l": {"delete_file", "list_dir"},
		"bash -lc 'sed -i s/a/b/ x'":     {"apply_code_edit", "read_file"},
		"sing":                           nil,
	} {
		var got []string
		for _, p := range aliases.PurposesOf(map[string]any{"command": command}) {
			got = append(got, p.Tool)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	if got := aliases.PurposesOf(map[string]any{"cmd": []any{"git", "mv", "a", "b"}}); len(got) != 1 || got[0].Tool != "rename_file" {
		t.Errorf("a list of words is run for %v", got)
	}
}
