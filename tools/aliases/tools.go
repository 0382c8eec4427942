package aliases

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// otherTools are the tools of well-known coding agents that do what one of ours does, by their plain names.
var otherTools = namesOf(map[string]string{
	"read_file":            "read cat view view_file open open_file file_read fs_read read_text_file read_code show_file get_file get_file_contents read_file_content",
	"list_dir":             "ls list dir tree list_files list_directory list_folder directory_tree list_dir_contents view_directory",
	"search_text":          "grep rg ripgrep search search_files search_code search_file_content grep_search grep_code find_in_files search_in_files text_search search_for_pattern glob find find_file find_files file_search glob_files glob_search file_glob_search find_by_name find_path",
	"apply_code_edit":      "edit edit_file edit_files multi_edit str_replace string_replace search_replace search_and_replace replace replace_in_file replace_string_in_file insert_edit_into_file propose_code file_edit edit_code update_file",
	"create_file":          "write write_file write_to_file file_write fs_write save_file new_file create create_new_file",
	"delete_file":          "delete remove remove_file rm delete_path",
	"rename_file":          "rename move move_file mv move_path",
	"request_code_context": "codebase_search semantic_search code_search search_codebase codebase_retrieval",
	"get_diagnostics":      "diagnostics read_lints get_errors get_problems list_problems problems",
	"code_item_lookup":     "find_symbol read_symbol view_code_item lookup_symbol get_symbol go_to_definition",
	"run_command": "bash sh zsh shell cmd powershell terminal exec run execute local_shell container_exec " +
		"exec_command run_terminal_cmd run_terminal_command run_in_terminal execute_command run_shell_command " +
		"run_bash bash_command execute_bash execute_shell shell_command " +
		"python ipython python_exec execute_python run_python code_interpreter",
})

// byFileName are those of them that look for files by their names.
var byFileName = words("glob find find_file find_files file_search glob_files glob_search file_glob_search " +
	"find_by_name find_path")

// editorTools are the tools that have a command.
var editorTools = words("str_replace_editor str_replace_based_edit_tool text_editor editor file_editor fs_write")

// editorCommands are the tools for the commands of an editor.
var editorCommands = map[string]string{"view": "read_file", "read": "read_file", "create": "create_file", "write": "create_file", "strreplace": "apply_code_edit", "edit": "apply_code_edit"}

var (
	serverPrefix = lazyregexp.New(`^(?:.*(?:__|[./:])|(?i:functions?|default_api)_)`)
	// suffix matches what some models write behind the name: the format of the arguments, or what it is the name of.
	suffix = lazyregexp.New(`(?i)(?:[_-]*json|[_-]tool)$`)
)

// Forms returns what the name of a tool may be as a plain name, the closest one first: without the name of
// a server before it, and without "json" or "tool" behind it.
func Forms(name string) (forms []string) {
	short := suffix.ReplaceAllString(name, "")
	for _, form := range []string{name, short, strings.TrimPrefix(name, "mcp__"),
		serverPrefix.ReplaceAllString(name, ""), serverPrefix.ReplaceAllString(short, "")} {
		if plain := Plain(form); plain != "" && !slices.Contains(forms, plain) {
			forms = append(forms, plain)
		}
	}
	return forms
}

func words(names string) (plain []string) {
	for name := range strings.FieldsSeq(names) {
		plain = append(plain, Plain(name))
	}
	return plain
}

func namesOf(tools map[string]string) map[string]string {
	byName := map[string]string{}
	for tool, names := range tools {
		for _, name := range words(names) {
			byName[name] = tool
		}
	}
	return byName
}

// Tool returns our name of a tool of another agent, or "". Only an editor's depends on the arguments.
func Tool(plain string, args map[string]any) string {
	if command, ok := args["command"].(string); ok && slices.Contains(editorTools, plain) {
		return editorCommands[Plain(command)]
	}
	return otherTools[plain]
}

// Known reports whether another agent has a tool with a plain name.
func Known(plain string) bool { return otherTools[plain] != "" }

// Editor reports whether a plain name is that of a tool that edits files and has no equal here.
func Editor(plain string) bool {
	return plain == Plain("apply_patch") || slices.Contains(editorTools, plain)
}

// allLevels is what list_dir takes for all levels of folders.
const allLevels = 10

// Arguments returns the arguments of another agent's tool as ours takes them. The names of fields stay: see
// [Field].
func Arguments(tool, plain string, args map[string]any) map[string]any {
	own := map[string]any{}
	for key, value := range args {
		ofEditor := slices.Contains(editorTools, plain) && key == "command"
		if value != nil && !ofEditor {
			own[key] = value
		}
	}
	switch tool {
	case "search_text":
		searchByName(plain, own)
	case "run_command":
		ofShell(plain, own)
	case "list_dir":
		if all, given := own["recursive"].(bool); given {
			delete(own, "recursive")
			if all {
				own["depth"] = allLevels
			}
		}
	}
	return own
}

// searchByName makes a search for lines one for files if that is meant.
func searchByName(plain string, args map[string]any) {
	keys := []string{"pattern", "glob_pattern", "glob", "query", "SearchPattern", "Pattern"}
	if !slices.Contains(byFileName, plain) {
		keys = keys[:1]
		// a regular expression does not begin with *
		if pattern, _ := args["pattern"].(string); !strings.HasPrefix(pattern, "*") {
			return
		}
	}
	for _, key := range keys {
		pattern, ok := args[key].(string)
		if !ok {
			continue
		}
		if _, taken := args["name"]; !taken {
			delete(args, key)
			args["name"] = pattern
		}
		return
	}
}
