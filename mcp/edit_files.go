package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/project"
)

// withFiles adds to the edits of a call that name a symbol and no file the file that declares it. A symbol that is not
// the only one of its name is an error, which says what to add.
func withFiles(ctx context.Context, client *project.ToolClient, arguments json.RawMessage) (json.RawMessage, error) {
	call := map[string]any{}
	if json.Unmarshal(arguments, &call) != nil {
		return arguments, nil
	}
	filled := false
	for field, edit := range editsOf(call) {
		symbol := firstText(edit, "name", "canon", "symbol")
		if symbol == "" || firstText(edit, "path", "file", "file_path", "filePath", "filename", "target_file") != "" {
			continue
		}
		file, err := fileOf(ctx, client, symbol)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", field, err)
		}
		edit["file"], filled = file, true
	}
	if !filled {
		return arguments, nil
	}
	return json.Marshal(call)
}

// editsOf yields the edits of a call with what errors call them: those of its list, or the call itself.
func editsOf(call map[string]any) func(yield func(string, map[string]any) bool) {
	return func(yield func(string, map[string]any) bool) {
		list, ok := call["edits"].([]any)
		if one, isOne := call["edits"].(map[string]any); isOne {
			list, ok = []any{one}, true
		}
		if !ok {
			yield("edit", call)
			return
		}
		for i, e := range list {
			if edit, ok := e.(map[string]any); ok && !yield(fmt.Sprintf("edits[%d]", i), edit) {
				return
			}
		}
	}
}

// firstText returns the first field with a text.
func firstText(fields map[string]any, names ...string) string {
	for _, name := range names {
		if text, _ := fields[name].(string); text != "" {
			return text
		}
	}
	return ""
}

// shownFiles bounds the files of namesakes that an error names.
const shownFiles = 5

// fileOf returns the file of the only symbol with a name.
func fileOf(ctx context.Context, client *project.ToolClient, name string) (string, error) {
	call, err := json.Marshal(map[string]any{"name": name})
	if err != nil {
		return "", err
	}
	answer, err := client.Call(ctx, "code_item_lookup", call)
	if err != nil {
		return "", err
	}
	var found struct {
		Items, Further []struct{ File string }
		Omitted        int
	}
	if err := json.Unmarshal(answer.Content, &found); err != nil || answer.Failed || len(found.Items) == 0 {
		return "", fmt.Errorf("no symbol %s was found: add path, the file to change", name)
	}
	var files []string
	all := slices.Concat(found.Items, found.Further)
	for _, item := range all {
		if place := cmp.Or(item.File, "?"); !slices.Contains(files, place) {
			files = append(files, place)
		}
	}
	if n := len(all) + found.Omitted; n > 1 {
		return "", fmt.Errorf("%d symbols are called %s: add the path of one of the files: %s", n, name,
			strings.Join(files[:min(shownFiles, len(files))], ", "))
	}
	return files[0], nil
}
