package tools_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/tools"
)

// setWithServer returns our tools and two of a server.
func setWithServer(checks map[string]tools.Check) *tools.Set {
	run := func(context.Context, tools.Env, map[string]any) (tools.Result, error) { return tools.Result{}, nil }
	return tools.New(tools.Deps{Checks: func() map[string]tools.Check { return checks }}).With([]*tools.Tool{
		tools.ServerTool("git__show_commit", "", nil, run), tools.ServerTool("git__read", "", nil, run),
		tools.ServerTool("a__push", "", nil, run), tools.ServerTool("b__push", "", nil, run)})
}

// TestACallMeansOneTool finds a tool by the names that models give it.
func TestACallMeansOneTool(t *testing.T) {
	set := setWithServer(nil)
	for _, test := range []struct{ name, arguments, tool, own string }{
		{"read_file", `{"offset":1`, "read_file", `{"offset":1`}, // its own name: its schema refuses them
		{"Read-File", `{"file":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"readFile", `{"file":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"mcp__ploke__read_file", `{"file":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"server__read_file", `{"file":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"server.read_file", `{"file":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"server/read_file", `{"file":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"functions_read_file", `{"file":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"read_filejson", `{"file":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"read_file_tool", `{"file":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"mcp__x__Read_File_json", `{"file":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"mcp__git__show_commit", `{}`, "git__show_commit", `{}`},
		{"show_commit", `{}`, "git__show_commit", `{}`},

		{"Read", `{"file_path":"a.go","offset":3,"limit":null}`, "read_file", `{"file":"a.go","offset":3}`},
		{"view", `{"path":"a.go","view_range":[1,-1]}`, "read_file", `{"file":"a.go","view_range":[1,-1]}`},
		{"cat", `{"filename":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"open_file", `{"filePath":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"Grep", `{"pattern":"x","path":"src","glob":"*.go","output_mode":"content","-n":true,"-i":true}`, "search_text", `{"ignore_case":true,"include":["*.go"],"line_numbers":true,"output_mode":"content","path":["src"],"pattern":"x"}`},
		{"search", `{"query":"x"}`, "search_text", `{"pattern":"x"}`},
		{"search_files", `{"path":"src","regex":"x","file_pattern":"*.ts"}`, "search_text", `{"include":["*.ts"],"path":["src"],"pattern":"x"}`},
		{"Glob", `{"pattern":"**/*.go","path":"src"}`, "search_text", `{"name":"**/*.go","path":["src"]}`},
		{"find", `{"path":".","name":"*.go"}`, "search_text", `{"name":"*.go","path":["."]}`},
		{"LS", `{"path":"src","ignore":["x"]}`, "list_dir", `{"dir":"src"}`},
		{"list_files", `{"path":"src","recursive":true}`, "list_dir", `{"depth":10,"dir":"src"}`},
		{"Edit", `{"file_path":"a.go","old_string":"x","new_string":"","replace_all":false}`, "apply_code_edit", `{"edits":[{"file":"a.go","new":"","old":"x","replace_all":false}]}`},
		{"MultiEdit", `{"file_path":"a.go","edits":[{"old_string":"x","new_string":"y"}]}`, "apply_code_edit", `{"edits":[{"file":"a.go","new":"y","old":"x"}]}`},
		{"str_replace", `{"path":"a.go","old_str":"x","new_str":"y"}`, "apply_code_edit", `{"edits":[{"file":"a.go","new":"y","old":"x"}]}`},
		{"str_replace_editor", `{"command":"view","path":"a.go"}`, "read_file", `{"file":"a.go"}`},
		{"str_replace_editor", `{"command":"create","path":"a.go","file_text":"x"}`, "create_file", `{"content":"x","file":"a.go"}`},
		{"str_replace_based_edit_tool", `{"command":"str_replace","path":"a.go","old_str":"x","new_str":"y","insert_line":null}`, "apply_code_edit", `{"edits":[{"file":"a.go","new":"y","old":"x"}]}`},
		{"Write", `{"file_path":"a.go","content":"x"}`, "create_file", `{"content":"x","file":"a.go"}`},

		{"Edit", `{"file_path":"a.go","code_edit":"x"}`, "", ""},
		{"str_replace_editor", `{"command":"insert","path":"a.go","insert_line":3,"new_str":"y"}`, "", ""},
		{"str_replace_editor", `{"command":"undo_edit","path":"a.go"}`, "", ""},
		{"read", `["a.go"]`, "", ""},
		{"push", `{}`, "", ""}, // two servers have one
		{"apply_patch", `{"patch":"x"}`, "", ""},
		{"bash", `{"command":"ls"}`, "", ""},
		{"json", `{}`, "", ""},
		{"", `{}`, "", ""},
		{"unread_file", `{"file":"a.go"}`, "", ""},
	} {
		tool, own, ok := set.Meant(test.name, json.RawMessage(test.arguments))
		if ok != (test.tool != "") || ok && tool.Name != test.tool {
			t.Errorf("%s %s means %+v", test.name, test.arguments, tool)
			continue
		}
		if ok && !strings.Contains(tool.Name, "__") {
			if corrected, err := tool.CorrectArguments(own); err != nil || string(corrected) != test.own {
				t.Errorf("%s %s\n got %s %v\nwant %s", test.name, test.arguments, corrected, err, test.own)
			}
		}
	}
}

// TestInsteadOfACommand says which tools do what a model wants of a shell. Only tools that are offered are named.
func TestInsteadOfACommand(t *testing.T) {
	set, checking := setWithServer(nil), setWithServer(map[string]tools.Check{"test": {Command: []string{"go", "test"}}})
	for _, test := range []struct {
		set             *tools.Set
		name, arguments string
		want            []string
	}{
		{set, "bash", `{"command":"cat a.go"}`, []string{"read_file"}},
		{set, "Bash", `{"command":"cd src && head -20 a.go | grep x"}`, []string{"search_text", "read_file"}},
		{set, "run_terminal_cmd", `{"command":"rg -n foo src/"}`, []string{"search_text"}},
		{set, "execute_command", `{"command":"ls -la"}`, []string{"list_dir"}},
		{set, "shell", `{"command":["bash","-lc","find . -name '*.go'"]}`, []string{"search_text"}},
		{set, "terminal", `{"cmd":"sudo sed -i 's/a/b/' a.go"}`, []string{"apply_code_edit", "read_file"}},
		{set, "shell", `{"command":"cat > a.go <<EOF\nx\nEOF"}`, []string{"create_file", "read_file"}},
		{set, "container.exec", `{"cmd":["bash","-lc","mv a.go b.go"]}`, []string{"rename_file"}},
		{checking, "bash", `{"command":"go test ./..."}`, []string{"run_check"}},
		{set, "Edit", `{"file_path":"a.go","code_edit":"x"}`, []string{"apply_code_edit"}},
		{set, "str_replace_editor", `{"command":"insert"}`, []string{"apply_code_edit", "create_file", "delete_file", "read_file"}},
		{set, "apply_patch", `{"patch":"x"}`, []string{"apply_code_edit", "create_file", "delete_file", "read_file"}},
	} {
		hint, got := test.set.Instead(test.name, json.RawMessage(test.arguments))
		slices.Sort(got)
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s %s: %v, not %v: %s", test.name, test.arguments, got, test.want, hint)
		}
		for _, name := range got {
			if !strings.Contains(hint, name) {
				t.Errorf("%s %s: the hint does not name %s: %s", test.name, test.arguments, name, hint)
			}
		}
	}
	for _, arguments := range []string{`{"command":"go test ./..."}`, `{"command":"git log"}`, `{}`, `[`, `{"command":7}`} {
		hint, names := set.Instead("bash", json.RawMessage(arguments))
		if slices.Contains(names, "run_check") || len(names) < 5 || !strings.Contains(hint, "tell the user") {
			t.Errorf("bash %s: %v: %s", arguments, names, hint)
		}
	}
}
