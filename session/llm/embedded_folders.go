package llm

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// folders are the workspace's folders, as the system message names them: those
// in whose terms the embedded model writes paths. What it calls tools with and
// what it quotes keeps absolute paths.
type folders []string

// foldersHead is the line of the system message after which they are named.
const foldersHead = "\nWorkspace folders:\n"

// FoldersText is the part of a system message that names the workspace's
// folders, absolute paths; "" where there are none.
func FoldersText(dirs []string) string {
	if len(dirs) == 0 {
		return ""
	}
	return foldersHead + strings.Join(dirs, "\n") + "\n"
}

// foldersOf reads what [FoldersText] wrote.
func foldersOf(system string) folders {
	_, rest, _ := strings.Cut(system, foldersHead)
	lines, _, _ := strings.Cut(rest, "\n\n")
	return strings.FieldsFunc(lines, func(r rune) bool { return r == '\n' })
}

// rel is path relative to the innermost folder around it, slash-separated. Of
// several folders the label comes first; what lies in none stays as it is.
func (f folders) rel(path string) string {
	best, rel := -1, path
	for i, dir := range f {
		prefix := strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
		if below, inside := strings.CutPrefix(path, prefix); inside && (best < 0 || len(dir) > len(f[best])) {
			best, rel = i, below
		}
	}
	if best >= 0 && len(f) > 1 {
		rel = f.labels()[best] + "/" + rel
	}
	return filepath.ToSlash(rel)
}

// labels are the folders' base names, with a number where an earlier folder has
// the same.
func (f folders) labels() []string {
	var labels []string
	for _, dir := range f {
		label := filepath.Base(dir)
		for n := 2; slices.Contains(labels, label); n++ {
			label = fmt.Sprintf("%s-%d", filepath.Base(dir), n)
		}
		labels = append(labels, label)
	}
	return labels
}

// place makes path:line of an id, path#START:END.
func (f folders) place(id string) string {
	i := strings.LastIndexByte(id, '#')
	if i < 0 {
		return f.rel(id)
	}
	start, _, _ := strings.Cut(id[i+1:], ":")
	return f.rel(id[:i]) + ":" + start
}

// listed is a symbol as an item of a list.
func (f folders) listed(s symbol) string {
	relation := ""
	if i := strings.LastIndexByte(s.Relation, ' '); i >= 0 { // calls NAME, and the like
		relation = ", " + s.Relation[:i+1] + code(s.Relation[i+1:])
	}
	return fmt.Sprintf("- %s (%s) — %s%s\n", code(s.Canon), s.Kind, f.place(s.ID), relation)
}

// listedSibling is a further symbol of the same file as one.
func (f folders) listedSibling(of symbol, sibling string) string {
	lines, symbol, _ := strings.Cut(sibling, " ")
	file := of.ID[:strings.LastIndexByte(of.ID, '#')+1]
	return fmt.Sprintf("- %s — %s\n", code(symbol), f.place(file+lines))
}
