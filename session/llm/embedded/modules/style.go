package modules

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// style is how files of scripts write their imports of each other.
type style struct {
	quote, end string
	ext        string // of the files in the paths, such as ".js"; "" for none
}

// styleOf returns the style of texts, the first that imports a file deciding.
func styleOf(file string, texts ...string) style {
	s := style{quote: "'"}
	if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, ";\n") }) {
		s.end = ";"
	}
	if ext := filepath.Ext(file); ext == ".js" || ext == ".mjs" {
		s.ext = ext // as programs and browsers need it
	}
	for _, text := range texts {
		if m := relativeFrom.FindStringSubmatch(text); m != nil {
			s.quote, s.end, s.ext = m[1], m[3], moduleExtension.FindString(m[2])
			return s
		}
	}
	for _, text := range texts {
		if m := anyFrom.FindStringSubmatch(text); m != nil {
			s.quote, s.end = m[1], m[3]
			return s
		}
	}
	return s
}

var (
	relativeFrom    = lazyregexp.New(`(?m)\bfrom (["'])(\.[^"'\n]*)["'](;?)[ \t]*$`)
	anyFrom         = lazyregexp.New(`(?m)\bfrom (["'])([^"'\n]*)["'](;?)[ \t]*$`)
	moduleExtension = lazyregexp.New(`\.(?:[mc]?[jt]s|[jt]sx)$`)
)

// importLine returns the line with which a file imports a name of another one, in a style.
func (s style) importLine(file, of, name string) (line string, ok bool) {
	rel, err := filepath.Rel(path.Dir(file), of)
	rel = filepath.ToSlash(rel)
	if !strings.HasPrefix(rel, ".") {
		rel = "./" + rel
	}
	rel = strings.TrimSuffix(rel, path.Ext(rel)) + s.ext
	return "import { " + name + " } from " + s.quote + rel + s.quote + s.end, err == nil
}
