package embedded

import (
	"strings"

	"ploke-lsp/session/llm/embedded/results"
)

// foldersHead is the line of the system message before the list of folders.
const foldersHead = "\nWorkspace folders:\n"

// FoldersText returns the part of a system message that lists the workspace's
// folders, given as absolute paths; "" if there are none.
func FoldersText(dirs []string) string {
	if len(dirs) == 0 {
		return ""
	}
	return foldersHead + strings.Join(dirs, "\n") + "\n"
}

// foldersOf parses the result of [FoldersText] in a system message.
func foldersOf(system string) results.Folders {
	_, rest, _ := strings.Cut(system, foldersHead)
	lines, _, _ := strings.Cut(rest, "\n\n")
	return strings.FieldsFunc(lines, func(r rune) bool { return r == '\n' })
}
