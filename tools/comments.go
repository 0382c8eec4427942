package tools

import (
	"bytes"
	"strings"
)

// commentMarks are what the comments of a language, and other documentation that
// stands above a symbol, begin with.
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

// marksOf are the comment marks of a language; most have those of C.
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

// commentEnds are what ends a comment that begins so; others end with their line.
var commentEnds = map[string]string{"/*": "*/", "(*": "*)", "<!--": "-->"}

// afterComment is the end of the comment at offset; ok is false if there is none.
func (s *source) afterComment(offset int) (end int, ok bool) {
	for _, mark := range marksOf(s.language) {
		if !bytes.HasPrefix(s.Text[offset:], []byte(mark)) {
			continue
		}
		ending, spans := commentEnds[mark]
		if !spans {
			return s.lineEnd(offset), true
		}
		if n := bytes.Index(s.Text[offset:], []byte(ending)); n >= 0 {
			return offset + n + len(ending), true
		}
	}
	return offset, false
}

// skip is the first offset from here on that is neither white space nor a comment.
func (s *source) skip(offset int) int {
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

// skipBack is the last offset before here that is neither white space nor a comment,
// or -1.
func (s *source) skipBack(offset int) int {
	for offset > 0 {
		line := s.lineStart(offset)
		if code := s.codeEnd(line, offset); code > line {
			return code - 1
		}
		offset = max(line-1, 0)
	}
	return -1
}

// codeEnd is where the code from one offset to another on a line ends, without the
// white space and the comments behind it. A string has to end on its line to be known
// as one.
func (s *source) codeEnd(from, to int) int {
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

// quoteEnd is where the quote ends that begins at an offset, before to; else -1.
func (s *source) quoteEnd(at, to int) int {
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
