package query

import (
	"slices"
	"strings"

	"ploke-lsp/index/shards"
)

// Unknown returns those of the names that are identifiers and that no symbol has. found is what
// [Searcher.Named] returned for the names.
func (n SymbolNames) Unknown(found [][]shards.Unit) (names []string) {
	for i, units := range found {
		if len(units) == 0 && identifier(n[i].name) && !slices.Contains(names, n[i].name) {
			names = append(names, n[i].name)
		}
	}
	return names
}

// Has reports whether a text is one of the names.
func (n SymbolNames) Has(text string) bool {
	return slices.ContainsFunc(n, func(s symbolName) bool { return s.name == text })
}

// maxQuoted bounds the texts that are taken from a message.
const maxQuoted = 8

// Quoted returns the texts that a message quotes, and the errors that it reports, as they stand there.
func Quoted(message string) (texts []string) {
	for text := range quotes(message[:min(len(message), MaxQueryBytes)]) {
		if texts = append(texts, text); len(texts) == maxQuoted {
			break
		}
	}
	return texts
}

// NameWords returns the words of a name in camelCase or snake_case, in lower case.
func NameWords(name string) []string { return appendNameWords(nil, strings.TrimSpace(name)) }
