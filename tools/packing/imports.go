package packing

import (
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// A change often needs another import, and one that is there says where a name comes from. So the code of the best
// files comes with the lines of their imports, if these are few, instead of a line that names them.

const (
	filesWithImports = 2
	mostImportLines  = 25 // of a file
)

// addImports gives a hit, the first of its file with code, the lines of the file's imports, if they fit into the room.
// It returns how many tokens these take more than the line that is left out then. The line is also left out if the code
// has the imports.
func (p *Packer) addImports(h *Hit, room int) (tokens int, err error) {
	imports := headImports(p.importsIn[h.Path])
	if len(imports) == 0 || p.Layout.Named {
		return 0, nil
	}
	head := window{imports[0].Line - 1, imports[len(imports)-1].Line}
	var snippet string
	switch shown := h.showsOf(head); {
	case shown == 0:
		if snippet, err = p.linesOfImports(h.Path, head, imports); snippet == "" || err != nil {
			return 0, err
		}
		tokens = p.tokensOf(func(w *wording.Writer) { w.Shown(snippet) })
	case shown < head.end-head.start:
		return 0, nil
	}
	tokens -= p.tokensOf(func(w *wording.Writer) { w.Note(p.importsOf[h.Path]) })
	if tokens > room {
		return 0, nil
	}
	if p.importsOf[h.Path] = ""; snippet != "" {
		h.code.Further = append(h.code.Further, snippet)
		h.windows = append(h.windows, head)
	}
	return tokens, nil
}

// linesOfImports returns the lines of the imports at the head of a file. It returns none if enough files have theirs,
// if the lines are many, or if the file no longer has what the index knows of it.
func (p *Packer) linesOfImports(path string, head window, imports []syntax.Import) (snippet string, err error) {
	if len(p.imports) >= filesWithImports || head.end-head.start > mostImportLines {
		return "", nil
	}
	u := index.Unit{Path: path}
	u.StartLine, u.EndLine, u.StartByte, u.EndByte = head.start+1, head.end, imports[0].Start, imports[len(imports)-1].End
	part, err := p.Texts.Around(p.Ctx, u, Around{})
	if err != nil {
		return "", err
	}
	lines := linesOf(part.Text)
	from, to := head.start+1-part.First, head.end+1-part.First
	if from < 0 || to > len(lines) || !haveImports(lines[from:to], imports) {
		return "", nil
	}
	whole, err := p.withoutPartsOfSecrets(path, lines, []window{{from, to}})
	if err != nil || len(whole) == 0 {
		return "", err
	}
	return wording.Snippet(path, head.start+1, strings.Join(lines[from:to], "")), nil
}

// showsOf returns how many lines of a window the code of a hit shows.
func (h *Hit) showsOf(w window) (n int) {
	for _, shown := range h.windows {
		n += max(0, min(shown.end, w.end)-max(shown.start, w.start))
	}
	return n
}

// haveImports reports whether lines have the last part of the name of each module that is imported.
func haveImports(lines []string, imports []syntax.Import) bool {
	text := strings.Join(lines, "")
	return !slices.ContainsFunc(imports, func(i syntax.Import) bool {
		name := strings.TrimRight(i.Path, "./:\\*")
		name = name[strings.LastIndexAny(name, "./:\\")+1:]
		return !strings.Contains(text, name)
	})
}
