package inquiries

import (
	"cmp"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// owner returns the name of what a line sets the default of: one of the line, of the nearest line above that names
// something in quotes, or of the line below an attribute.
func (x Given) owner(m Match) string {
	if s := attribute.FindString(m.Text); s != "" && len(m.After) > 0 {
		if names := lexicon.Identifiers(strings.TrimPrefix(strings.TrimSpace(m.After[0]), "pub ")); len(names) > 0 {
			return names[0]
		}
	}
	for i := range len(m.Before) + 1 {
		line := m.Text
		if i > 0 {
			line = m.Before[len(m.Before)-i]
		}
		if s := named.FindStringSubmatch(line); s != nil && !strings.Contains(s[0], " ") {
			return cmp.Or(s[1], s[2], s[3])
		}
	}
	return ""
}

var (
	comment   = lazyregexp.New(`^\s*(?://|#|\*|/\*|--|"""|;)`)
	attribute = lazyregexp.New(`^\s*(?:#\[|@\w|\[[A-Z])`)
	named     = lazyregexp.New(`["']-{0,2}([a-zA-Z][\w-]+)["']|^\s*(\w+)\s+[\w.*\[\]]+\s+` + "`" + `` +
		`|^\s*([a-z]\w+):\s*[{(]?\s*$|Arg::new\(`)
)
