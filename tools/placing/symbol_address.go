package placing

import (
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
)

// Address returns the canon that a model means. Models may write "." for "::", the number of the
// first of several namesakes, and the forms of other tools: (*T).Method and name(arguments).
func Address(name string) string {
	name = strings.TrimSpace(name)
	if cut := strings.LastIndexByte(name, '('); cut > 0 && strings.HasSuffix(name, ")") {
		name = name[:cut]
	}
	if receiver, method, ok := strings.Cut(name, ")."); ok && strings.HasPrefix(receiver, "(") {
		name = strings.TrimPrefix(receiver[1:], "*") + "." + method
	}
	name = strings.NewReplacer(".", "::", "…", "::").Replace(name)
	for strings.Contains(name, "::::") {
		name = strings.ReplaceAll(name, "::::", "::")
	}
	if plain, first := strings.CutSuffix(name, "#1"); first && syntax.Plain(name) == plain {
		return plain
	}
	return name
}

// Find returns the symbols of the file that an address means, as indexes: those with exactly this
// address, then in another of its forms; else those with this name or whose address ends with it;
// else those whose address it ends with, if the name before is that of a folder of the file.
func (s *SourceFile) Find(name string) []int {
	wanted := Address(name)
	for _, canon := range []string{name, wanted} {
		if found := s.Where(func(sym syntax.Symbol) bool { return sym.Canon == canon }); len(found) > 0 {
			return found
		}
	}
	found := s.Where(func(sym syntax.Symbol) bool {
		return sym.Name == name || sym.Name == wanted || strings.HasSuffix(sym.Canon, "::"+wanted)
	})
	for _, q := range Qualified(wanted) {
		if len(found) == 0 && q.Fits(s.Path) {
			found = s.Where(func(sym syntax.Symbol) bool { return sym.Canon == q.Canon })
		}
	}
	return found
}

// Where returns the indexes of the symbols for which is is true.
func (s *SourceFile) Where(is func(syntax.Symbol) bool) (found []int) {
	for i, sym := range s.Syntax().Symbols {
		if is(sym) {
			found = append(found, i)
		}
	}
	return found
}

// QualifiedAddress is an address behind names that are not in the file: of folders, packages, modules.
type QualifiedAddress struct {
	before []string
	Canon  string
}

// maxQualifiers bounds how many names are tried as names outside of the file.
const maxQualifiers = 12

// Qualified returns the ways to read an address as a qualified one, the longest canon first.
func Qualified(address string) (all []QualifiedAddress) {
	names := strings.Split(address, "::")
	for i := 1; i < min(len(names), maxQualifiers); i++ {
		if names[i-1] != "" {
			all = append(all, QualifiedAddress{names[:i], strings.Join(names[i:], "::")})
		}
	}
	return all
}

// Fits reports whether the last name before the canon is the file's name, or that of a folder
// around it.
func (q QualifiedAddress) Fits(path string) bool {
	return slices.Contains(pathNames(path), q.before[len(q.before)-1])
}

// FitsClosely reports whether it is the file's name, or that of its own folder.
func (q QualifiedAddress) FitsClosely(path string) bool {
	names := pathNames(path)
	return slices.Contains(names[max(0, len(names)-2):], q.before[len(q.before)-1])
}

// pathNames returns the names in a path, the file's without its ending.
func pathNames(path string) []string {
	return strings.Split(filepath.ToSlash(strings.TrimSuffix(path, filepath.Ext(path))), "/")
}

// OfKind returns the items of a kind. A wrong kind does not hide what the name alone finds: then
// it returns all.
func OfKind[T any](items []T, kind string, kindOf func(T) syntax.Kind) []T {
	if kind == "" {
		return items
	}
	kept := slices.DeleteFunc(slices.Clone(items), func(item T) bool { return string(kindOf(item)) != kind })
	if len(kept) == 0 {
		return items
	}
	return kept
}
