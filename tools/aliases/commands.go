package aliases

import (
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

// Purpose is what commands are run for, and the tool that does it here.
type Purpose struct {
	Tool, Does string
	commands   *lazyregexp.Regexp
}

// purposes are in the order of [Purposes].
var purposes = []Purpose{
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

// Shell reports whether a plain name is that of a tool that runs commands.
func Shell(plain string) bool { return slices.Contains(shells, plain) }

// Purposes returns what commands are run for, and the tools that do it. What a command writes comes before
// what it reads.
func Purposes() []Purpose { return purposes }

// PurposesOf returns what the command in the arguments of a shell is run for; none if that is not known.
func PurposesOf(arguments map[string]any) (found []Purpose) {
	parts := commandsIn(commandIn(arguments))
	for _, p := range purposes {
		if slices.ContainsFunc(parts, p.commands.MatchString) {
			found = append(found, p)
		}
	}
	return found
}

// commandIn returns the command that the arguments of a shell have, or "".
func commandIn(args map[string]any) string {
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
