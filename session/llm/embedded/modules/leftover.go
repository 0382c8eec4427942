package modules

import (
	"path/filepath"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Dropped returns what stays of a line of To that imports what moves there, "" if nothing does. It reports false for a
// line that is not understood, and for one that gives it another name.
func (m Moved) Dropped(line string) (kept string, ok bool) {
	text := strings.TrimSpace(line)
	indent, _, _ := strings.Cut(line, text)
	if text == m.Name+"," {
		return "", true // in a list of several lines
	}
	for _, form := range importForms[filepath.Ext(m.To)] {
		f := form.FindStringSubmatch(text)
		if f == nil || strings.ContainsAny(f[2], "(\\#;") {
			continue
		}
		rest, taken := m.without(strings.Trim(f[2], "{} "), " as ")
		if taken != m.Name {
			return "", false
		}
		if rest == "" {
			return "", true
		}
		return indent + f[1] + strings.Replace(f[2], strings.Trim(f[2], "{} "), rest, 1) + f[3], true
	}
	return "", false
}

// importForms match lines that import names: what stands before the names, these, and what stands behind them.
var importForms = map[string][]*lazyregexp.Regexp{
	".py":  {lazyregexp.New(`^(from \S+ import )(.*)()$`)},
	".rs":  {lazyregexp.New(`^(use [\w:]+::)(\w+|\{[^{}:]*\})(;)$`)},
	".ts":  {scriptNames},
	".tsx": {scriptNames},
	".js":  {scriptNames},
	".jsx": {scriptNames},
	".mjs": {scriptNames},
}

var scriptNames = lazyregexp.New(`^(import (?:type )?)(\{[^{}]*\})( from ["'][^"']*["'];?)$`)

// Unneeded returns the names that From imports for what moves alone. A name in quotes is one that From exports.
func (m Moved) Unneeded() (names []string) {
	moved, stays := usedIn(m.From, m.Text), usedIn(m.From, m.withoutImports())
	for _, name := range sortedKeys(bindings(m.From, m.Before)) {
		if moved[name] && !stays[name] {
			names = append(names, name)
		}
	}
	return names
}
