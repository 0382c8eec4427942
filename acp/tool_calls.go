package acp

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/display"
	"ploke-lsp/session/bus"
)

// maxShownBytes is how much of an argument or a result is shown. Some clients hang on large ones.
const maxShownBytes = 16 << 10

// maxTitleBytes is how much of a title is shown, which clients have on one line.
const maxTitleBytes = 200

// shownTools are the kinds of the tools, the words that titles begin with, and how they go on if the arguments name
// nothing.
var shownTools = map[string]struct{ kind, verb, all string }{
	"read_file":            {protocol.KindRead, "Read", ""},
	"list_dir":             {protocol.KindRead, "List", "the project"},
	"get_file_metadata":    {protocol.KindRead, "Look at", ""},
	"get_diagnostics":      {protocol.KindRead, "Read the diagnostics of", "the project"},
	"recall_tool_result":   {protocol.KindRead, "Read an earlier result", ""},
	"search_text":          {protocol.KindSearch, "Search", ""},
	"request_code_context": {protocol.KindSearch, "Find code about", "the question"},
	"code_item_lookup":     {protocol.KindSearch, "Look up", ""},
	"code_item_edges":      {protocol.KindSearch, "Find what is connected with", ""},
	"project_facts":        {protocol.KindSearch, "Look at the project", ""},
	"apply_code_edit":      {protocol.KindEdit, "Edit", ""},
	"create_file":          {protocol.KindEdit, "Create", ""},
	"rename_file":          {protocol.KindMove, "Rename", ""},
	"delete_file":          {protocol.KindDelete, "Delete", ""},
	"run_check":            {protocol.KindExecute, "Run the check", ""},
	"run_command":          {protocol.KindExecute, "Run", "a command"},
}

// toolKind returns the protocol's kind of a tool.
func toolKind(name string) string { return cmp.Or(shownTools[name].kind, protocol.KindOther) }

// newCall returns the update that announces a call.
func (s *openSession) newCall(id, tool string, arguments json.RawMessage) protocol.ToolCall {
	var named struct {
		File, Dir, Name, Canon, Hint, Pattern string
		StartLine                             int `json:"start_line"`
		Edits                                 []struct{ File string }
		Command                               commandLine
	}
	_ = json.Unmarshal(arguments, &named) // wrong arguments name nothing, and the tool refuses them
	if named.File == "" && len(named.Edits) > 0 {
		named.File = named.Edits[0].File
	}
	var locations []protocol.Location
	for _, name := range []*string{&named.File, &named.Dir} {
		if path, err := s.folder.project.Workspace.Resolve(*name); err == nil {
			locations = append(locations, protocol.Location{Path: path, Line: named.StartLine})
			*name = s.folder.project.Workspace.Rel(path)
		}
	}
	what := cmp.Or(named.File, named.Dir, named.Hint, named.Pattern, named.Name, named.Canon, string(named.Command))
	if tool == "run_command" {
		what = string(named.Command)
	}
	if tool == "code_item_lookup" || tool == "code_item_edges" {
		what = cmp.Or(named.Name, named.Canon, named.File)
	}
	shown := shownTools[tool]
	title := strings.TrimSpace(cmp.Or(shown.verb, tool) + " " + cmp.Or(what, shown.all))
	return protocol.ToolCall{Kind: protocol.NewToolCall, ID: id, Name: tool, ToolKind: toolKind(tool),
		Status: protocol.StatusInProgress, Title: display.ProseName(bounded(title, maxTitleBytes)),
		RawInput: boundedJSON(arguments), Locations: locations}
}

// commandLine is the command of a call, without quotes between its words.
type commandLine string

// UnmarshalJSON reads a line or a list of words. What is neither is no command.
func (l *commandLine) UnmarshalJSON(data []byte) error {
	var words []string
	if json.Unmarshal(data, &words) != nil {
		_ = json.Unmarshal(data, (*string)(l))
		return nil
	}
	*l = commandLine(strings.Join(words, " "))
	return nil
}

// completedCall returns the update that ends a call. A result that says that the tool could not do
// it is that of a call that failed.
func completedCall(e bus.ToolCallCompleted) protocol.ToolCall {
	call := protocol.ToolCall{Kind: protocol.ToolCallUpdate, ID: e.CallID, Status: protocol.StatusCompleted,
		RawOutput: boundedJSON(e.Content)}
	var result struct{ OK *bool }
	if json.Unmarshal(e.Content, &result) == nil && result.OK != nil && !*result.OK {
		call.Status = protocol.StatusFailed
	}
	if e.Summary != "" {
		call.Content = []protocol.ToolCallContent{protocol.TextContent(display.ProseName(e.Summary))}
	}
	return call
}

// failedCall returns the update that ends a call that failed.
func failedCall(e bus.ToolCallFailed) protocol.ToolCall {
	return protocol.ToolCall{Kind: protocol.ToolCallUpdate, ID: e.CallID, Status: protocol.StatusFailed,
		Content:   []protocol.ToolCallContent{protocol.TextContent(display.Prose(bounded(e.Error, maxShownBytes)))},
		RawOutput: boundedJSON(e.Content)}
}

// boundedJSON returns a JSON value; of a large one, or of what is none, a string with its beginning.
func boundedJSON(value json.RawMessage) json.RawMessage {
	switch {
	case len(value) == 0:
		return nil
	case len(value) <= maxShownBytes && json.Valid(value):
		return value
	}
	text, err := json.Marshal(bounded(string(value), maxShownBytes))
	if err != nil {
		return nil
	}
	return text
}

// bounded returns at most limit bytes of a text, and says how many were left out.
func bounded(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := limit
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "… (" + strconv.Itoa(len(text)-end) + " more bytes)"
}
