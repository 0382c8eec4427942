package modules

import (
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// goImports is what imports in a text of Go.
type goImports struct {
	open, end int // lines of the first list of imports, 1-based; 0 for none
	lines     []goImported
}

// goImported is a line that imports.
type goImported struct {
	line       int // 1-based
	name, path string
	spelled    string // as it stands, without the word import
	alone      bool   // it is in no list
}

func goImportsOf(text string) (found goImports) {
	within := false
	for i, l := range strings.Split(text, "\n") {
		switch m := goImport.FindStringSubmatch(l); {
		case strings.HasPrefix(l, "import ("):
			within = true
			if found.open == 0 {
				found.open = i + 1
			}
		case within && strings.HasPrefix(l, ")"):
			within = false
			if found.end == 0 {
				found.end = i + 1
			}
		case m != nil && (within || strings.HasPrefix(l, "import ")):
			name := m[1]
			if name == "" {
				name = path.Base(goVersion.ReplaceAllString(m[2], ""))
			}
			found.lines = append(found.lines, goImported{i + 1, name, m[2], strings.TrimSpace(m[1] + ` "` + m[2] + `"`),
				!within})
		case !within && goDeclares.MatchString(l):
			return found
		}
	}
	return found
}

var goDeclares = lazyregexp.New(`^(?:func|type|var|const)\b`)

// withGoImport returns the line of a file of Go that changes with an import, and what it becomes: in order among the
// imports of its kind, those of the standard library and others.
func withGoImport(text, line string, at func(int) string) (n int, now string) {
	has := goImportsOf(text)
	_, own, _ := strings.Cut(strings.TrimSuffix(line, `"`), `"`)
	var same []goImported
	for _, i := range has.lines {
		if i.line > has.open && i.line < has.end && isStandard(i.path) == isStandard(own) {
			same = append(same, i)
		}
	}
	below := slices.IndexFunc(same, func(i goImported) bool { return i.path > own })
	switch {
	case has.open == 0 && len(has.lines) > 0:
		n = has.lines[len(has.lines)-1].line
		return n, at(n) + "\nimport " + line
	case has.open == 0:
		lines := strings.Split(text, "\n")
		if n = slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "package ") }) + 1; n == 0 {
			return 1, at(1)
		}
		return n, at(n) + "\n\nimport " + line
	case len(same) == 0 && isStandard(own):
		return has.open, at(has.open) + "\n\t" + line + "\n"
	case len(same) == 0:
		return has.end, "\n\t" + line + "\n" + at(has.end)
	case below >= 0:
		n = same[below].line
		return n, "\t" + line + "\n" + at(n)
	}
	n = same[len(same)-1].line
	return n, at(n) + "\n\t" + line
}

// isStandard reports whether a path of Go is one of the standard library.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// UnneededLines returns the lines of From's text with all it has, 1-based, that import for what moves alone: a program
// of Go does not build with them. It returns nil for other languages.
func (m Moved) UnneededLines(text string) (found []int) {
	if !strings.HasSuffix(m.From, ".go") {
		return nil
	}
	names := m.Unneeded()
	for _, i := range goImportsOf(text).lines {
		if slices.Contains(names, i.name) {
			found = append(found, i.line)
		}
	}
	return found
}

// qualifiers returns the names before dots in a text of Go, outside of texts and comments.
func qualifiers(text string) map[string]bool {
	found := map[string]bool{}
	text = goLiteral.ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasPrefix(s, "//") || strings.HasPrefix(s, "/*") {
			return " "
		}
		return `""`
	})
	for _, m := range qualifier.FindAllStringSubmatch(text, -1) {
		found[m[1]] = true
	}
	return found
}

var (
	goLiteral = lazyregexp.New("(?s)\"(?:[^\"\\\\\n]|\\\\.)*\"|`[^`]*`|//[^\n]*|/\\*.*?\\*/|'(?:[^'\\\\]|\\\\.)+'")
	qualifier = lazyregexp.New(`(?:^|[^\w.])(\w+)\.`)
)
