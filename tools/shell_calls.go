package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/tools/wording"
)

// shells are the tools of other agents that run commands, by their plain names.
var shells = words(`bash sh zsh shell cmd powershell terminal python exec run execute local_shell container_exec exec_command
	run_terminal_cmd run_terminal_command run_in_terminal run_command execute_command run_shell_command run_bash bash_command
	execute_bash execute_shell shell_command python_exec execute_python run_python code_interpreter ipython`)

// purpose is what commands are run for, and the tool that does it here.
type purpose struct {
	tool, does string
	commands   *lazyregexp.Regexp // may be nil
}

// purposes are in the order in which they are told. What a command writes comes before what it reads.
var purposes = []purpose{
	{"apply_code_edit", "edits files", lazyregexp.New(`^(?:sed\b.* -i|sed -i|perl -\w*i|patch\b|git apply\b|apply_patch\b|ed\b)`)},
	{"create_file", "makes new files", lazyregexp.New(`^(?:touch|tee)\b|^(?:cat|echo|printf)\b.*[^0-9&]>`)},
	{"delete_file", "deletes files", lazyregexp.New(`^(?:git )?rm\b`)},
	{"rename_file", "renames files", lazyregexp.New(`^(?:git )?mv\b`)},
	{"search_text", "finds lines, and files by name", lazyregexp.New(`^(?:git )?(?:[ef]?grep|rg|ag|ack|find|fd|locate|findstr)\b`)},
	{"read_file", "reads files", lazyregexp.New(`^(?:cat|bat|head|tail|less|more|nl|sed|awk|type|get-content|wc)\b`)},
	{"list_dir", "lists folders", lazyregexp.New(`^(?:ls|ll|tree|dir|pwd|get-childitem|du)\b|^git ls-files\b`)},
	{"get_diagnostics", "has the editor's errors and warnings", lazyregexp.New(`^(?:\S*(?:lint|eslint|tsc|mypy|pyright|ruff|clippy)|go vet)\b`)},
	{"run_check", "runs the user's tests, builds and linters", lazyregexp.New(`^(?:go|cargo|npm|npx|pnpm|yarn|bun|deno|make|cmake|ninja|just|task|pytest|tox|nox|uv|poetry|python3?|node|mvn|gradle|\./gradlew|bazel|dotnet|rake|bundle|rspec|phpunit|composer|mix|swift|zig|ctest|\S*(?:lint|eslint|tsc|mypy|pyright|ruff|clippy))\b`)},
}

// Instead returns what a model may call in place of a tool that the set lacks: a hint, and the names of tools. Only
// tools that are offered now are named.
func (s *Set) Instead(name string, arguments json.RawMessage) (hint string, names []string) {
	for _, form := range formsOf(name) {
		if slices.Contains(shells, form) {
			return s.insteadOfShell(commandIn(arguments))
		}
		if own := otherTools[form]; s.offers(own) {
			return fmt.Sprintf("call %s, whose arguments are other ones", own), []string{own}
		}
		if form == plainName("apply_patch") || slices.Contains(editorTools, form) {
			return s.list("nothing does exactly this here: ", []string{"apply_code_edit", "create_file", "delete_file", "read_file"})
		}
	}
	for _, t := range s.tools {
		if s.offers(t.Name) {
			names = append(names, t.Name)
		}
	}
	return "call one of the candidates", names
}

// insteadOfShell says what does the same as a command.
func (s *Set) insteadOfShell(command string) (hint string, names []string) {
	parts := commandsIn(command)
	for _, p := range purposes {
		if slices.ContainsFunc(parts, p.commands.MatchString) {
			names = append(names, p.tool)
		}
	}
	if hint, names := s.list("no commands can be run here: ", names); len(names) > 0 {
		return hint, names
	}
	var all []string
	for _, p := range purposes {
		all = append(all, p.tool)
	}
	hint, names = s.list("no commands can be run here: ", all)
	return hint + "; for anything else, tell the user which command to run", names
}

// list says what those of the tools do that are offered.
func (s *Set) list(begin string, tools []string) (hint string, names []string) {
	var does []string
	for _, p := range purposes {
		if slices.Contains(tools, p.tool) && s.offers(p.tool) {
			does, names = append(does, p.tool+" "+p.does), append(names, p.tool)
		}
	}
	return begin + strings.Join(does, ", "), names
}

func (s *Set) offers(name string) bool {
	t, ok := s.Get(name)
	return ok && (t.Offered == nil || t.Offered())
}

// commandIn returns the command that the arguments of a shell have, or "".
func commandIn(arguments json.RawMessage) string {
	args, err := objectIn(arguments)
	if err != nil {
		return ""
	}
	for _, key := range []string{"command", "cmd", "CommandLine", "script", "code", "input"} {
		switch value := args[key].(type) {
		case string:
			return value
		case []any:
			var parts strings.Builder
			for _, part := range value {
				fmt.Fprint(&parts, part, " ")
			}
			return parts.String()
		}
	}
	return ""
}

var (
	commandSeparator = lazyregexp.New(`&&|\|\||[;|\n]`)
	commandLead      = lazyregexp.New(`^(?:\s|["'(]|sudo |time |env |xargs |(?:ba|z)?sh -\w*c |cd \S+$|\w+=\S* )+`)
)

const commandBytes = 4 << 10 // of a command that are looked at

// commandsIn returns the single commands of a command line, in lower case.
func commandsIn(line string) (commands []string) {
	line = strings.ToLower(wording.Cut(line, commandBytes))
	for line != "" {
		end := len(line)
		next := end
		if at := commandSeparator.FindStringIndex(line); at != nil {
			end, next = at[0], at[1]
		}
		if command := line[len(commandLead.FindString(line[:end])):end]; command != "" {
			commands = append(commands, command)
		}
		line = line[next:]
	}
	return commands
}
