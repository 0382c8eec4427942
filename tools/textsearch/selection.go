package textsearch

import (
	"context"
	"path"
	"slices"
	"strings"

	"ploke-lsp/index/traits"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

// Selection is which files are searched. Patterns are as in .gitignore.
type Selection struct {
	Include, Exclude []string // patterns; one that begins with ! excludes
	Name             string   // a pattern, or a part of the path
	Below            []string // folders, files or patterns
	Type             string   // a language, or the ending of its files
}

// ofType reports whether a file is of the type that is asked for, if any.
func (s Selection) ofType(rel string) bool {
	wanted := strings.ToLower(strings.TrimPrefix(s.Type, "."))
	return wanted == "" || strings.TrimPrefix(path.Ext(rel), ".") == wanted || syntax.Detect(rel, nil) == wanted
}

// Files returns the paths of the files to search: those of the walk in its order, then
// those that exist only in the editor or in the turn's staged changes.
func (s Selection) Files(ctx context.Context, srcs *current.Files, touched []string) ([]string, error) {
	wanted, err := fileFilters{srcs}.wanted(s)
	if err != nil {
		return nil, err
	}
	var files []string
	known := make(map[string]bool)
	for _, root := range srcs.Workspace.Roots() {
		err := srcs.Workspace.Walk(ctx, root, func(e workspace.Entry) error {
			known[e.Path] = true
			if e.Skip == "" && wanted(e.Path, e.Rel) {
				files = append(files, e.Path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, path := range append(srcs.Workspace.Buffers(), touched...) {
		if !known[path] && wanted(path, srcs.Workspace.Rel(path)) {
			known[path] = true
			files = append(files, path)
		}
	}
	if len(files) == 0 && len(s.Below) > 0 {
		return nil, nothingBelow(ctx, srcs, s.Below[0])
	}
	return files, nil
}

// nothingBelow says that no file to search is in the folder that the model names.
func nothingBelow(ctx context.Context, srcs *current.Files, name string) error {
	folders, err := srcs.NearestFolders(ctx, name)
	if err != nil {
		return err
	}
	return &wording.Failure{Message: "no file to search is in " + name, Code: "not_found", Field: "path",
		Hint: "use one of the candidates, or look with list_dir", Candidates: folders}
}

// InPrecedence returns files in the order of their precedence.
func InPrecedence(ws *workspace.Workspace, files []string) []string {
	precedence := map[string]traits.Precedence{}
	for _, file := range files {
		precedence[file] = traits.PrecedenceOf(ws.Rel(file), nil)
	}
	sorted := slices.Clone(files)
	slices.SortStableFunc(sorted, func(a, b string) int { return int(precedence[a] - precedence[b]) })
	return sorted
}
