package facts

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// headers are the headers of C and C++ of a workspace.
type headers struct {
	paths []string
	names map[string]int // how often a word stands in them

	declaring map[string][]string // the headers that declare a function, by its address
}

func (h *headers) add(f *workspace.File) {
	if !isHeader(f.Path) {
		return
	}
	h.paths = append(h.paths, f.Path)
	eachWord(f.Text, func(word []byte) { h.names[string(word)]++ })
}

func isHeader(path string) bool { return strings.HasPrefix(filepath.Ext(path), ".h") }

// onlyDeclared reports whether a function of C or C++, whose name stands count times in the workspace and here times in
// its file, where itself mentions it, is only declared: there, and by its prototypes.
func (g Gatherer) onlyDeclared(ctx context.Context, h *headers, u index.Unit, count, here, itself int) (bool, error) {
	inC := u.Language == "c" || u.Language == "cpp"
	if !inC || isHeader(u.Path) || here != itself || count != here+h.names[u.Name] {
		return false, nil
	}
	if h.declaring == nil {
		h.declaring = map[string][]string{}
		for _, path := range h.paths {
			units, err := g.Files.Index.Outline(ctx, path)
			if err != nil {
				return false, err
			}
			for _, d := range units {
				if name := plain(d.Canon); d.Kind == syntax.KindFunction && !slices.Contains(h.declaring[name], path) {
					h.declaring[name] = append(h.declaring[name], path)
				}
			}
		}
	}
	for _, path := range h.declaring[plain(u.Canon)] {
		units, err := g.Files.Index.Outline(ctx, path)
		if err != nil {
			return false, err
		}
		f, err := g.Files.Workspace.Read(ctx, path)
		if err != nil {
			return false, nil // it has gone meanwhile
		}
		count -= mentionsOfItself(f.Text, u, units)
	}
	return count == itself, nil
}
