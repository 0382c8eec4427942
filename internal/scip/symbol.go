package scip

import (
	"bytes"
	"strings"
)

// IsLocal reports whether a symbol is known only in its document.
func IsLocal(symbol []byte) bool { return bytes.HasPrefix(symbol, []byte("local ")) }

// PackageVersion returns the version of the package that a symbol is of, "" if it has none. Of some indexers, this is
// a commit.
func PackageVersion(symbol []byte) string {
	if IsLocal(symbol) {
		return ""
	}
	rest := string(symbol)
	var word string
	for range 4 { // the scheme, the manager, the name, the version
		var ok bool
		if word, rest, ok = cutWord(rest); !ok {
			return ""
		}
	}
	if word == "." {
		return ""
	}
	return word
}

// cutWord returns what is before the first blank, of which two stand for one, and what is behind it.
func cutWord(text string) (word, rest string, ok bool) {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, " ")
		b.WriteString(before)
		if !found {
			return "", "", false
		}
		if !strings.HasPrefix(after, " ") {
			return b.String(), after, true
		}
		b.WriteByte(' ')
		text = after[1:]
	}
}

// Name returns a name as the descriptors of a symbol have it, in backticks if it needs them.
func Name(name string) string {
	simple := name != ""
	for _, r := range name {
		simple = simple && (r == '_' || r == '+' || r == '-' || r == '$' || '0' <= r && r <= '9' ||
			'a' <= r|0x20 && r|0x20 <= 'z' && r < 0x80)
	}
	if simple {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}
