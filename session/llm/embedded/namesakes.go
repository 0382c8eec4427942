package embedded

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// definitions returns the symbols without the blocks that only add to one of them, such as the impl of a struct, and
// without what manifests and workflows only name.
func definitions(items []symbol) []symbol {
	return slices.DeleteFunc(slices.Clone(items), func(s symbol) bool {
		return slices.ContainsFunc(items, s.addsTo) || s.isEntry()
	})
}

// isEntry reports whether a symbol is an entry of a file of settings that only names what is declared elsewhere.
func (s symbol) isEntry() bool {
	owner, _, inside := strings.Cut(s.Canon, "::")
	return inside && listing.MatchString(owner) && data.MatchString(s.path())
}

var (
	listing = lazyregexp.New(`(?i)dependencies$|^jobs$|^on$|^steps$|^scripts$|^require(?:-dev)?$`)
	data    = lazyregexp.New(`\.(?:toml|ya?ml|json)$`)
)

// ofKind returns the symbols of the kind that the message gives the name, as in "the function run"; all if it gives
// none, or if none is of it.
func (p progress) ofKind(items []symbol, name string) []symbol {
	said := regexp.MustCompile(`(?i)\b(` + lexicon.KindPattern + `) ` +
		`[\x60"']?(?:[\w.:]*[.:])?` + regexp.QuoteMeta(name) + `\b`).
		FindStringSubmatch(p.message)
	if said == nil {
		return items
	}
	kind := strings.ToLower(said[1])
	if long := map[string]string{"func": "function", "var": "variable", "const": "constant"}[kind]; long != "" {
		kind = long
	}
	meant := slices.DeleteFunc(slices.Clone(items), func(s symbol) bool { return s.Kind != kind })
	if len(meant) == 0 {
		return items
	}
	return meant
}

// distinct returns one symbol for all overloads.
func distinct(items []symbol) (distinct []symbol) {
	for _, s := range items {
		if !slices.ContainsFunc(distinct, s.overloads) {
			distinct = append(distinct, s)
		}
	}
	return distinct
}

// addsTo reports whether s is an impl block of a type that is among the namesakes.
func (s symbol) addsTo(other symbol) bool {
	return s.Kind == "impl" && other.Kind != "impl" && slices.Contains(slices.Concat(classes, abstract), other.Kind)
}

// overloads reports whether both symbols are declarations of one: overloads, or in C and C++ a prototype and its
// function.
func (s symbol) overloads(other symbol) bool {
	if plainCanon(s.Canon) != plainCanon(other.Canon) || s.Kind != other.Kind {
		return false
	}
	return s.path() == other.path() || s.isHeader() != other.isHeader() && inC[filepath.Ext(s.path())] &&
		inC[filepath.Ext(other.path())]
}

// inC are the endings of files in C and C++, true for all.
var inC = lexicon.SetOf(".c .cc .cpp .cxx .h .hh .hpp .hxx")

func (s symbol) isHeader() bool { return strings.HasPrefix(filepath.Ext(s.path()), ".h") }

// plainCanon returns an address without the number that tells overloads apart.
func plainCanon(canon string) string {
	plain, _, _ := strings.Cut(canon, "#")
	return plain
}

// public leaves out of namesakes what a plain name hardly means while others remain: titles of tests, what tests
// declare, and the variables of functions.
func public(items []symbol) []symbol {
	for _, hidden := range []func(symbol) bool{
		func(s symbol) bool { return s.Kind == "test" },
		func(s symbol) bool { return isTest(s.path()) },
		func(s symbol) bool { return s.Kind == "variable" && strings.Contains(s.Canon, "::") },
	} {
		if left := slices.DeleteFunc(slices.Clone(items), hidden); len(left) > 0 {
			items = left
		}
	}
	return items
}
