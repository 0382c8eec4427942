package placing

import (
	"bytes"
	"strings"
)

// commentMarks lists, by language, how comments and other documentation above a symbol begin.
var commentMarks = map[string][]string{
	"python":          {"#"},
	"ruby":            {"#", "desc "},
	"elixir":          {"#", `@doc "`, `@doc ~`, `@typedoc "`, `@moduledoc "`},
	"bash":            {"#"},
	"yaml":            {"#"},
	"toml":            {"#"},
	"dockerfile":      {"#"},
	"hcl":             {"#", "//", "/*"},
	"php":             {"//", "/*", "# "},
	"lua":             {"--"},
	"sql":             {"--", "/*", "#"},
	"ocaml":           {"(*"},
	"ocaml-interface": {"(*"},
	"html":            {"<!--"},
	"vue":             {"<!--"},
	"svelte":          {"<!--"},
	"markdown":        {"<!--"},
}

// marksOf returns the comment marks of a language. Most languages have those of C.
func marksOf(language string) []string {
	if marks, ok := commentMarks[language]; ok {
		return marks
	}
	return []string{"//", "/*"}
}

func beginsWithComment(code, language string) bool {
	code = strings.TrimSpace(code)
	for _, mark := range marksOf(language) {
		if strings.HasPrefix(code, mark) {
			return true
		}
	}
	return false
}

// commentEnds maps the beginnings of block comments to their ends. Other comments end with
// their line.
var commentEnds = map[string]string{"/*": "*/", "(*": "*)", "<!--": "-->"}

// afterComment returns the end of the comment at offset; ok is false if there is none.
func (s *SourceFile) afterComment(offset int) (end int, ok bool) {
	for _, mark := range marksOf(s.Language) {
		if !bytes.HasPrefix(s.Text[offset:], []byte(mark)) {
			continue
		}
		ending, spans := commentEnds[mark]
		if !spans {
			return s.LineEnd(offset), true
		}
		if n := bytes.Index(s.Text[offset:], []byte(ending)); n >= 0 {
			return offset + n + len(ending), true
		}
	}
	return offset, false
}

// skip returns the first offset from offset on that is neither white space nor in a comment.
func (s *SourceFile) skip(offset int) int {
	for offset < len(s.Text) {
		if end, ok := s.afterComment(offset); ok {
			offset = end
			continue
		}
		if !isBlank(s.Text[offset]) {
			break
		}
		offset++
	}
	return offset
}

// skipBack returns the last offset before offset that is neither white space nor in a comment,
// or -1.
func (s *SourceFile) skipBack(offset int) int {
	for offset > 0 {
		line := s.LineStart(offset)
		if code := s.codeEnd(line, offset); code > line {
			return code - 1
		}
		offset = max(line-1, 0)
	}
	return -1
}

// codeEnd returns where the code between two offsets of a line ends, without white space and
// comments behind it. Only strings that end on their line are recognized.
func (s *SourceFile) codeEnd(from, to int) int {
	end := from
	for at := from; at < to; at++ {
		if after, ok := s.afterComment(at); ok {
			at = after - 1
		} else if !isBlank(s.Text[at]) {
			at = max(at, s.quoteEnd(at, to))
			end = at + 1
		}
	}
	return end
}

// quoteEnd returns the offset of the quote that closes the one at at, or -1 if there is none
// before to.
func (s *SourceFile) quoteEnd(at, to int) int {
	quote := s.Text[at]
	if quote != '"' && quote != '\'' && quote != '`' {
		return -1
	}
	for end := at + 1; end < to; end++ {
		switch s.Text[end] {
		case '\\':
			end++
		case quote:
			return end
		}
	}
	return -1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
