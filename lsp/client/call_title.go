package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"ploke-lsp/internal/display"
)

// doing says what the tools do, and with what if their arguments name nothing.
var doing = map[string]struct{ verb, all string }{
	"read_file":            {"reading", "a file"},
	"list_dir":             {"listing", "the folder"},
	"get_file_metadata":    {"looking at", "a file"},
	"get_diagnostics":      {"reading the diagnostics of", "the project"},
	"recall_tool_result":   {"reading", "an earlier result"},
	"search_text":          {"searching", "the text"},
	"request_code_context": {"finding code about", "the question"},
	"code_item_lookup":     {"looking up", "a symbol"},
	"code_item_edges":      {"finding what is connected with", "a symbol"},
	"project_facts":        {"looking at", "the project"},
	"apply_code_edit":      {"editing", "files"},
	"create_file":          {"creating", "a file"},
	"rename_file":          {"renaming", "a file"},
	"delete_file":          {"deleting", "a file"},
	"run_check":            {"running the check", ""},
	"run_command":          {"running", "a command"},
}

// maxTitleBytes is how much of a title is sent, for one line.
const maxTitleBytes = 200

// callTitle says what a call does while it runs, as in "reading lib/server.go, lines 250–300".
func callTitle(tool string, arguments json.RawMessage) string {
	var named struct {
		File, Dir, Name, Canon, Hint, Pattern string
		StartLine                             int `json:"start_line"`
		EndLine                               int `json:"end_line"`
		Edits                                 []struct{ File string }
		Command                               json.RawMessage
	}
	_ = json.Unmarshal(arguments, &named) // wrong arguments name nothing, and the tool refuses them
	if named.File == "" && len(named.Edits) > 0 {
		named.File = named.Edits[0].File
	}
	what := cmp.Or(named.File, named.Dir, named.Hint, named.Pattern, named.Name, named.Canon)
	switch tool {
	case "run_command":
		what = commandLine(named.Command)
	case "code_item_lookup", "code_item_edges":
		what = cmp.Or(named.Name, named.Canon, named.File)
	case "read_file":
		what += lines(named.StartLine, named.EndLine)
	}
	d, known := doing[tool]
	if !known {
		return ""
	}
	title := strings.TrimSpace(d.verb + " " + cmp.Or(what, d.all))
	if len(title) > maxTitleBytes {
		title = strings.ToValidUTF8(title[:maxTitleBytes], "") + "…"
	}
	return display.Name(title)
}

// commandLine joins the words of a command, which may be one line.
func commandLine(command json.RawMessage) (line string) {
	var words []string
	if json.Unmarshal(command, &words) == nil {
		return strings.Join(words, " ")
	}
	_ = json.Unmarshal(command, &line)
	return line
}

func lines(first, last int) string {
	switch {
	case first <= 0:
		return ""
	case last == first:
		return fmt.Sprintf(", line %d", first)
	case last < first:
		return fmt.Sprintf(", from line %d", first)
	}
	return fmt.Sprintf(", lines %d–%d", first, last)
}
