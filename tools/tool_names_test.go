package tools_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/tools"
	"ploke-lsp/tools/running"
)

// setWithServer returns our tools and two of a server.
func setWithServer() *tools.Set {
	run := func(context.Context, tools.Env, map[string]any) (tools.Result, error) { return tools.Result{}, nil }
	return tools.New(tools.Deps{}).With([]*tools.Tool{
		tools.ServerTool("git__show_commit", "", nil, run), tools.ServerTool("git__read", "", nil, run),
		tools.ServerTool("a__push", "", nil, run), tools.ServerTool("b__push", "", nil, run)})
}

// TestACallMeansOneTool finds a tool by the names that models give it.
func TestACallMeansOneTool(t *testing.T) {
	set := setWithServer()
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
		{"Bash", `{"command":"go test ./...","description":"Run the tests","timeout":120000,"run_in_background":false}`, "run_command", `{"command":["go test ./..."],"reason":"Run the tests","timeout":120}`},
		{"execute_command", `{"command":"ls","cwd":"src","requires_approval":true}`, "run_command", `{"command":["ls"],"dir":"src"}`},
		{"run_terminal_cmd", `{"command":"ls","is_background":false,"explanation":"see"}`, "run_command", `{"command":["ls"],"reason":"see"}`},
		{"shell", `{"command":["bash","-lc","ls"],"workdir":"src","timeout_ms":10000}`, "run_command", `{"command":["bash","-lc","ls"],"dir":"src","timeout":10}`},
		{"exec_command", `{"cmd":"ls","workdir":"src","yield_time_ms":1000,"login":true}`, "run_command", `{"command":["ls"],"dir":"src"}`},
		{"run_shell_command", `{"command":"ls","directory":"src","description":"see"}`, "run_command", `{"command":["ls"],"dir":"src","reason":"see"}`},
		{"terminal", `{"command":"ls","cd":"src"}`, "run_command", `{"command":["ls"],"dir":"src"}`},
		{"run_command", `{"CommandLine":"ls","Cwd":"src"}`, "run_command", `{"command":["ls"],"dir":"src"}`},

		{"Edit", `{"file_path":"a.go","code_edit":"x"}`, "", ""},
		{"str_replace_editor", `{"command":"insert","path":"a.go","insert_line":3,"new_str":"y"}`, "", ""},
		{"str_replace_editor", `{"command":"undo_edit","path":"a.go"}`, "", ""},
		{"read", `["a.go"]`, "", ""},
		{"push", `{}`, "", ""}, // two servers have one
		{"apply_patch", `{"patch":"x"}`, "", ""},
		{"bash", `{"command":7}`, "", ""},
		{"bash", `{"command":"npm start","run_in_background":true}`, "", ""},
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

// TestInsteadOfAnEditor says which tools do what a model wants of a tool whose arguments can't be those of ours. Only
// tools that are offered are named.
func TestInsteadOfAnEditor(t *testing.T) {
	set := setWithServer()
	for name, want := range map[string][]string{
		"Edit":               {"apply_code_edit"},
		"bash":               {"run_command"},
		"str_replace_editor": {"apply_code_edit", "create_file", "delete_file", "read_file"},
		"apply_patch":        {"apply_code_edit", "create_file", "delete_file", "read_file"},
	} {
		hint, got := set.Instead(name)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v: %s", name, got, want, hint)
		}
		for _, tool := range got {
			if !strings.Contains(hint, tool) {
				t.Errorf("%s: the hint does not name %s: %s", name, tool, hint)
			}
		}
	}
}

// TestCommandsAreLongCalls, so that no short call waits for one, and one may take as long as it says.
func TestCommandsAreLongCalls(t *testing.T) {
	set := tools.New(tools.Deps{})
	for _, name := range []string{"run_command", "run_check"} {
		if tool, ok := set.Get(name); !ok || tool.Class != tools.Long || tool.Timeout < running.MaxTimeout {
			t.Errorf("%s: %+v", name, tool)
		}
	}
}
