package lexicon

import (
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

var seen = lazyregexp.New(`(?i)\b(public|private|protected|internal|hidden) \w+`)

// HiddenLine matches the line of a declaration that can't be used outside of its type, in languages that say so there.
const HiddenLine = `^\s*(?:[@\w.]+\s+)*(?:private|protected|internal|fileprivate)\b|^\s*defp\b|^\s*#\w|` +
	`^\s*(?:(?:async|const|unsafe) )*fn `

// SeenBy returns whether a message asks for what is "public" or "private", "" for neither.
func SeenBy(message string) string {
	m := seen.FindStringSubmatch(message)
	switch {
	case m == nil:
		return ""
	case strings.EqualFold(m[1], "public"):
		return "public"
	}
	return "private"
}

// SeenOutside reports whether a member can be used outside of its type, as far as its name and the line where it begins
// say; hidden are the lines that say that what they declare can't.
func SeenOutside(name string, first int, file string, hidden []int) bool {
	switch filepath.Ext(file) {
	case ".go":
		return name[:1] != strings.ToLower(name[:1])
	case ".py":
		return !strings.HasPrefix(name, "_") || strings.HasSuffix(name, "__")
	}
	return !slices.ContainsFunc(hidden, func(line int) bool { return first <= line && line <= first+1 })
}
