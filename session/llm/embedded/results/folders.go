package results

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// Folders are the workspace's folders from the system message. Answers show paths
// relative to them. Tool arguments and quoted code keep absolute paths.
type Folders []string

// Rel returns path relative to its innermost folder, with slashes. If there are
// several folders, the folder's label comes first. A path outside of all folders is
// returned unchanged.
func (f Folders) Rel(path string) string {
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

// IsProject reports whether a folder of the workspace has that name.
func (f Folders) IsProject(name string) bool {
	return slices.ContainsFunc(f, func(dir string) bool { return strings.EqualFold(filepath.Base(dir), name) })
}

// Name returns the name of the first folder, which is most likely that of the project.
func (f Folders) Name() string {
	if len(f) == 0 {
		return ""
	}
	return filepath.Base(f[0])
}

// isSide reports whether a path is of a package that goes with the one of the project's name, such as one of helpers
// for tests, by the beginning of its folder's name.
func isSide(f Folders, path string) bool {
	top, _, nested := strings.Cut(f.Rel(path), "/")
	rest, ok := strings.CutPrefix(strings.ToLower(top), strings.ToLower(f.Name()))
	return nested && ok && f.Name() != "" && rest != "" && strings.ContainsAny(rest[:1], "-_.")
}

// labels returns the base names of the folders, with a number if an earlier folder
// has the same name.
func (f Folders) labels() []string {
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

// Location converts an id, path#START:END, to path:line.
func (f Folders) Location(id string) string {
	i := strings.LastIndexByte(id, '#')
	if i < 0 {
		return f.Rel(id)
	}
	start, _, _ := strings.Cut(id[i+1:], ":")
	return f.Rel(id[:i]) + ":" + start
}

// Listed returns a symbol as a list item.
func (f Folders) Listed(s Symbol) string {
	relation := ""
	if i := strings.LastIndexByte(s.Relation, ' '); i >= 0 { // such as: calls NAME
		relation = ", " + s.Relation[:i+1] + Code(lexicon.Shown(s.Relation[i+1:]))
	}
	return fmt.Sprintf("- %s (%s) — %s%s\n", Code(lexicon.Shown(s.Canon)), s.Kind, f.Location(s.ID), relation)
}

// ListedSibling returns another symbol of the same file as a list item, without its signature.
func (f Folders) ListedSibling(of Symbol, sibling string) string {
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
	return fmt.Sprintf("- %s — %s%s\n", Code(lexicon.Shown(canon)), f.Location(file+lines), relation)
}

// siblingRelation matches how a sibling belongs to a result, as opposed to the end of its signature.
var siblingRelation = lazyregexp.New(`^ \((?:\S+ (?:calls|uses|tests|implements) it|(?:used|called|tested|` +
	`implemented) by \S+|(?:uses|calls|tests|implements|defines) \S+)\)$`)

// Dotted returns an address as people write it.
func Dotted(canon string) string { return strings.ReplaceAll(PlainCanon(canon), "::", ".") }

// First lists the first symbols.
func (f Folders) First(found []Symbol, most int) (list string) {
	for _, s := range found[:min(most, len(found))] {
		list += f.Listed(s)
	}
	return list
}

// ListSymbols lists the symbols of a lookup, and how many it leaves out.
func (f Folders) ListSymbols(found LookupResult) string {
	var b strings.Builder
	for _, s := range found.All() {
		b.WriteString(f.Listed(s))
	}
	if found.Omitted > 0 {
		fmt.Fprintf(&b, "- and %d more\n", found.Omitted)
	}
	return b.String()
}

// IsGoFile reports whether a path is of Go.
func IsGoFile(path string) bool { return filepath.Ext(path) == ".go" }

// Rank is lower for symbols that a plain name rather means.
func (f Folders) Rank(s Symbol) int {
	rank := 0
	if isSide(f, s.Path()) {
		rank = 1
	}
	switch s.Kind {
	case "field", "property", "variable", "section", "module", "namespace", "file":
		rank++
	case "impl":
		rank += 2
	}
	switch {
	case strings.Contains(s.Canon, "::"):
		rank += 3
	case s.isPrivate():
		rank++
	}
	if IsTest(s.Path()) || conventions.Aside.MatchString(s.Path()) {
		rank += 6
	}
	return rank
}

// InnerCapital matches names that no language writes so: nouns of German begin with a capital.
var InnerCapital = lazyregexp.New(`\p{Ll}\p{Lu}|_|\d`)

// Having lists the results that have at least some of the words: code before prose, tests and the like last, and
// otherwise those first whose names have the words that fewest of the results have.
func (f Folders) Having(words []string, results []Symbol, atLeast int) (places string) {
	var stems []string
	for _, w := range words {
		stems = append(stems, lexicon.Stem(strings.ToLower(w)))
	}
	in := func(text string) (found []string) {
		text = strings.ToLower(text)
		return slices.DeleteFunc(slices.Clone(stems), func(stem string) bool {
			return !strings.Contains(text, stem)
		})
	}
	name := func(s Symbol) string { return s.Canon + " " + Base(s.Path()) }
	results = slices.DeleteFunc(slices.Clone(results), func(s Symbol) bool {
		return len(in(TextOf([]Symbol{s}))) < atLeast
	})
	named := map[string]float64{}
	for _, s := range results {
		for _, stem := range in(name(s)) {
			named[stem]++
		}
	}
	rare := func(s Symbol) (sum float64) {
		for _, stem := range in(name(s)) {
			sum += 1 / named[stem]
		}
		return sum
	}
	slices.SortStableFunc(results, func(a, b Symbol) int {
		return cmp.Or(Order(a.IsAside())-Order(b.IsAside()), Order(a.Kind == "section")-
			Order(b.Kind == "section"), cmp.Compare(rare(b), rare(a)))
	})
	for _, s := range results[:min(FurtherPlaces, len(results))] {
		places += f.Listed(s)
	}
	return places
}

const (
	Subjects    = 3    // maximum number of namesakes that are answered for
	Certain     = 0.65 // confidence from which a place does not only share the name
	CutLine     = 200  // bytes from which an edge's line may be cut
	LongestLine = 120  // maximum number of bytes of a line in a list
)

// Kinds of symbols.
var (
	Callables = []string{"function", "method", "constructor", "macro"}
	Classes   = []string{"class", "struct", "type", "enum"}
	Abstract  = []string{"interface", "trait"}
)

// OtherNamesakes lists symbols that the answer left out.
func (f Folders) OtherNamesakes(left LookupResult) string {
	if len(left.Items)+left.Omitted == 0 {
		return ""
	}
	return "The name is also that of:\n\n" + f.ListSymbols(left) + "\nTo ask about one of them, name it with its type " +
		"or its file.\n\n"
}

// Order sorts false before true.
func Order(b bool) int {
	if b {
		return 1
	}
	return 0
}
