package tools

import (
	"encoding/json"
	"slices"
	"strings"

	"ploke-lsp/tools/wording"
)

// touching are the tools whose results are about certain files, whose code they show or change.
// A list of hits in many files, as of search_text, is not.
var touching = []string{"request_code_context", "code_item_lookup", "get_file_metadata", "read_file",
	"apply_code_edit", "create_file", "rename_file", "delete_file"}

// TouchedFiles returns the paths of the files whose code a tool's result shows or
// changes, each once, sorted. content is the result's JSON.
func TouchedFiles(tool string, content json.RawMessage) []string {
	if !slices.Contains(touching, tool) {
		return nil
	}
	var decoded any
	if json.Unmarshal(content, &decoded) != nil {
		return nil // the result was lost
	}
	files := filesIn(nil, "", decoded)
	slices.Sort(files)
	return slices.Compact(files)
}

// ShownFiles returns the paths of the snippets in a text, in order.
func ShownFiles(text string) (files []string) {
	if !strings.Contains(text, wording.Opening) {
		return nil
	}
	var s wording.Scanner
	for _, part := range append(s.Write(text), s.Close()...) {
		if part.Code != nil {
			files = append(files, part.Code.Path)
		}
	}
	return files
}

// filesIn appends the files that a decoded value names in fields made for it, or shows.
func filesIn(files []string, field string, v any) []string {
	switch v := v.(type) {
	case string:
		if field == "file" || field == "renamed_to" {
			return append(files, v)
		}
		return append(files, ShownFiles(v)...)
	case []any:
		for _, e := range v {
			files = filesIn(files, field, e)
		}
	case map[string]any:
		for name, e := range v {
			files = filesIn(files, name, e)
		}
	}
	return files
}
