package embedded

import (
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// definitions returns the symbols without the blocks that only add to one of them, such as the impl of a struct, and
// without what manifests and workflows only name.
func definitions(items []results.Symbol) []results.Symbol {
	return slices.DeleteFunc(slices.Clone(items), func(s results.Symbol) bool {
		return slices.ContainsFunc(items, s.AddsTo) || s.IsEntry()
	})
}

// ofKind returns the symbols of the kind that the message gives the name, as in "the function run"; all if it gives
// none, or if none is of it.
func (p progress) ofKind(items []results.Symbol, name string) []results.Symbol {
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
	meant := slices.DeleteFunc(slices.Clone(items), func(s results.Symbol) bool { return s.Kind != kind })
	if len(meant) == 0 {
		return items
	}
	return meant
}
