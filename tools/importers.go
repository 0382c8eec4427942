package tools

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

// importersShown is how many imports of a renamed file a result names.
const importersShown = 10

// importers are the imports that a renaming of a file breaks.
type importers struct {
	Count    int         `json:"count,omitempty"` // of imports in other files
	First    []edgePlace `json:"first,omitempty"`
	Relative []int       `json:"relative,omitempty"` // lines of the file's own imports that begin at its folder
	Partial  bool        `json:"partial,omitempty"`  // the index is still being built
}

// relativeImports returns the lines of imports that name a file from the importing one.
func relativeImports(src *current.File) (lines []int) {
	for _, i := range src.Syntax().Imports {
		if n := len(lines); strings.HasPrefix(i.Path, ".") && (n == 0 || lines[n-1] != i.Line) && n < importersShown {
			lines = append(lines, i.Line)
		}
	}
	return lines
}

// importersOf returns the imports that a renaming breaks, nil if there are none.
func importersOf(ctx context.Context, srcs *current.Files, src *current.File, to string) (*importers, error) {
	overlay, err := srcs.Overlay(ctx)
	if err != nil {
		return nil, err
	}
	moved := filepath.Dir(src.Path) != filepath.Dir(to)
	all, err := overlay.Importers(ctx, src.Path, moved)
	if err != nil {
		return nil, err
	}
	found := &importers{Count: len(all), Partial: src.Language != "" && srcs.Index.Incomplete()}
	for _, i := range all[:min(len(all), importersShown)] {
		found.First = append(found.First, edgePlace{i.Path, i.Line})
	}
	if moved {
		found.Relative = relativeImports(src)
	}
	if found.Count == 0 && len(found.Relative) == 0 && !found.Partial {
		return nil, nil
	}
	return found, nil
}

// text writes what is to be adjusted.
func (i *importers) text(w *wording.Writer) {
	if i == nil {
		return
	}
	if i.Count > 0 {
		var first []string
		for _, p := range i.First {
			first = append(first, fmt.Sprintf("%s:%d", w.Path(p.File), p.Line))
		}
		if i.Count > len(first) {
			first = append(first, fmt.Sprintf("and %d more", i.Count-len(first)))
		}
		w.Linef("adjust %s of it: %s", wording.Plural(i.Count, "import"), strings.Join(first, ", "))
	}
	if len(i.Relative) > 0 {
		w.Linef("its own relative imports may need a change, too: %s",
			wording.ListOfLines(strings.Trim(strings.ReplaceAll(fmt.Sprint(i.Relative), " ", ", "), "[]")))
	}
	if i.Partial {
		w.Line("the index is still being built: imports of it may be missing")
	}
}
