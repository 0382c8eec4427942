package embedded

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// folders are the workspace's folders from the system message. Answers show paths
// relative to them. Tool arguments and quoted code keep absolute paths.
type folders []string

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
func foldersOf(system string) folders {
	_, rest, _ := strings.Cut(system, foldersHead)
	lines, _, _ := strings.Cut(rest, "\n\n")
	return strings.FieldsFunc(lines, func(r rune) bool { return r == '\n' })
}

// rel returns path relative to its innermost folder, with slashes. If there are
// several folders, the folder's label comes first. A path outside of all folders is
// returned unchanged.
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

// isProject reports whether a folder of the workspace has that name.
func (f folders) isProject(name string) bool {
	return slices.ContainsFunc(f, func(dir string) bool { return strings.EqualFold(filepath.Base(dir), name) })
}

// name returns the name of the first folder, which is most likely that of the project.
func (f folders) name() string {
	if len(f) == 0 {
		return ""
	}
	return filepath.Base(f[0])
}

// isSide reports whether a path is of a package that goes with the one of the project's name, such as one of helpers
// for tests, by the beginning of its folder's name.
func isSide(f folders, path string) bool {
	top, _, nested := strings.Cut(f.rel(path), "/")
	rest, ok := strings.CutPrefix(strings.ToLower(top), strings.ToLower(f.name()))
	return nested && ok && f.name() != "" && rest != "" && strings.ContainsAny(rest[:1], "-_.")
}

// labels returns the base names of the folders, with a number if an earlier folder
// has the same name.
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

// location converts an id, path#START:END, to path:line.
func (f folders) location(id string) string {
	i := strings.LastIndexByte(id, '#')
	if i < 0 {
		return f.rel(id)
	}
	start, _, _ := strings.Cut(id[i+1:], ":")
	return f.rel(id[:i]) + ":" + start
}

// listed returns a symbol as a list item.
func (f folders) listed(s symbol) string {
	relation := ""
	if i := strings.LastIndexByte(s.Relation, ' '); i >= 0 { // such as: calls NAME
		relation = ", " + s.Relation[:i+1] + code(lexicon.Shown(s.Relation[i+1:]))
	}
	return fmt.Sprintf("- %s (%s) — %s%s\n", code(lexicon.Shown(s.Canon)), s.Kind, f.location(s.ID), relation)
}

// listedSibling returns another symbol of the same file as a list item, without its signature.
func (f folders) listedSibling(of symbol, sibling string) string {
	lines, rest, _ := strings.Cut(sibling, " ")
	canon, _, isSection := strings.Cut(rest, " #")
	if !isSection {
		canon, _, _ = strings.Cut(rest, " ")
	}
	relation := ""
	if i := strings.LastIndex(rest, " ("); i >= 0 && strings.HasSuffix(rest, ")") &&
		siblingRelation.MatchString(rest[i:]) {
		relation = ", " + rest[i+2:len(rest)-1]
	}
	file := of.ID[:strings.LastIndexByte(of.ID, '#')+1]
	return fmt.Sprintf("- %s — %s%s\n", code(lexicon.Shown(canon)), f.location(file+lines), relation)
}

// siblingRelation matches how a sibling belongs to a result, as opposed to the end of its signature.
var siblingRelation = lazyregexp.New(`^ \((?:\S+ (?:calls|uses|tests|implements) it|(?:used|called|tested|` +
	`implemented) by \S+|(?:uses|calls|tests|implements|defines) \S+)\)$`)
