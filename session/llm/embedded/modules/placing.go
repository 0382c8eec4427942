package modules

import (
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// WithImports returns the lines of a text, 1-based, that change if it gets imports, with what they become: the line
// that imports from the same module, the last one of its imports, or that at its top.
func WithImports(file, text string, imports []string) map[int]string {
	lines := strings.Split(text, "\n")
	changed := map[int]string{}
	at := func(n int) string {
		if now, ok := changed[n]; ok {
			return now
		}
		return lines[n-1]
	}
	last := LastImport(file, text)
	for _, line := range imports {
		if filepath.Ext(file) == ".go" {
			n, now := withGoImport(text, line, at)
			changed[n] = now
			continue
		}
		if last == 0 {
			last = headLines(file, lines)
			if last == 0 {
				n := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) != "" })
				return map[int]string{max(0, n) + 1: strings.Join(imports, "\n") + "\n\n" + lines[max(0, n)]}
			}
			changed[last] = at(last) + "\n"
		}
		same := 0
		if m := pythonFrom.FindStringSubmatch(line); m != nil && filepath.Ext(file) == ".py" {
			same = slices.IndexFunc(lines[:last], func(l string) bool {
				return strings.HasPrefix(l, "from "+m[1]+" import ") && !strings.ContainsAny(l, "(\\#*") && len(l)+len(m[2]) < 86
			}) + 1
			if same > 0 {
				changed[same] = at(same) + ", " + m[2]
				continue
			}
		}
		changed[last] = at(last) + "\n" + line
	}
	return changed
}

// headLines returns the number of lines that stand before the imports of a text that has none: its comments, what says
// how it is read, and the name of its package.
func headLines(file string, lines []string) (n int) {
	quoted := ""
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case quoted != "":
			if strings.Contains(trimmed, quoted) {
				quoted, n = "", i+1
			}
		case filepath.Ext(file) == ".py" && docstringOpens.MatchString(trimmed):
			quote := trimmed[strings.IndexAny(trimmed, `"'`):][:3]
			if n = i + 1; strings.Count(trimmed, quote) == 1 {
				quoted = quote
			}
		case strings.HasPrefix(trimmed, "/*"):
			if n = i + 1; !strings.Contains(trimmed, "*/") {
				quoted = "*/"
			}
		case headLine.MatchString(trimmed):
			n = i + 1
		case trimmed != "":
			return documented(lines, n, i)
		}
	}
	return n
}

// documented returns the number of the head's lines without a comment that belongs to what follows at line i.
func documented(lines []string, n, i int) int {
	if n != i {
		return n
	}
	for n > 0 && commentLine.MatchString(lines[n-1]) {
		n--
	}
	for n > 0 && strings.TrimSpace(lines[n-1]) == "" {
		n--
	}
	return n
}

var (
	docstringOpens = lazyregexp.New(`^[rRuU]?(?:"""|''')`)
	headLine       = lazyregexp.New(`^(?:#|//|<\?php|declare\(|package |namespace |["']use )`)
	commentLine    = lazyregexp.New(`^\s*(?:///?(?:[^!]|$)|/\*|\*|# )`)
)
