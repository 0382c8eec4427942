package aliases_test

import (
	"encoding/json"
	"fmt"
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
		{"bash", map[string]any{"command": "ls", "timeout": json.Number("120500")}, "run_command map[command:ls timeout:121]"},
		{"Bash", map[string]any{"command": "ls", "timeout": 90}, "run_command map[command:ls timeout:90]"},
		{"execute_command", map[string]any{"command": "ls", "timeout": 3000}, "run_command map[command:ls timeout:3000]"},
		{"shell", map[string]any{"timeout_ms": 500, "with_escalated_permissions": true}, "run_command map[timeout:1]"},
		{"run_in_terminal", map[string]any{"goal": "see", "isBackground": false}, "run_command map[]"},
		{"run_in_terminal", map[string]any{"isBackground": true, "timeout": "soon"}, "run_command map[isBackground:true timeout:soon]"},
		{"python", map[string]any{"code": "print(1)"}, "run_command map[command:[python3 -c print(1)]]"},
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
