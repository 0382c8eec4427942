package tools

import (
	"regexp"
	"slices"
	"strings"
)

// shift says which indentation of a model's text stands for which of a file's.
type shift struct {
	indents map[string]string // the same line's in the two texts
	from    string            // one level, where the two texts show it
	to      string
}

// indentation compares the indentation of the same lines in two texts. Where
// they don't have the same number of lines only the first counts.
func indentation(theirs, ours []string) shift {
	s := shift{indents: make(map[string]string)}
	if len(theirs) != len(ours) {
		theirs, ours = theirs[:1], ours[:1]
	}
	outer := indentOf(theirs[0])
	for i, line := range theirs {
		indent := indentOf(line)
		if _, known := s.indents[indent]; known || strings.TrimSpace(line) == "" {
			continue
		}
		s.indents[indent] = indentOf(ours[i])
		deeper, ok := strings.CutPrefix(indent, outer)
		oursDeeper, oursOK := strings.CutPrefix(indentOf(ours[i]), s.indents[outer])
		if s.from == "" && ok && oursOK && deeper != "" && oursDeeper != "" {
			s.from, s.to = deeper, oursDeeper
		}
	}
	return s
}

// apply gives each line of text its indentation in the file; blank lines get none.
func (s shift) apply(text string) string {
	all := strings.Split(text, "\n")
	for i, line := range all {
		if strings.TrimSpace(line) == "" {
			all[i] = ""
			continue
		}
		indent := indentOf(line)
		all[i] = s.indent(indent) + line[len(indent):]
	}
	return strings.Join(all, "\n")
}

// indent translates one indentation: by the longest known one that it begins
// with, and the levels beyond that.
func (s shift) indent(theirs string) string {
	known, ok := "", false
	for indent := range s.indents {
		if strings.HasPrefix(theirs, indent) && (!ok || len(indent) > len(known)) {
			known, ok = indent, true
		}
	}
	if !ok {
		return theirs
	}
	rest := theirs[len(known):]
	if s.from != "" && strings.ReplaceAll(rest, s.from, "") == "" {
		rest = strings.ReplaceAll(rest, s.from, s.to)
	}
	return s.indents[known] + rest
}

// reindent gives code, as a model wrote it, the indentation base on all lines
// but the first, which goes where that indentation already stands. A model may
// have indented code as in the file, not at all, or all but its first line. Lines
// that are less indented than the first, such as those of a long string, stay.
func reindent(code, base, language string) string {
	code = strings.Trim(strings.ReplaceAll(code, "\r\n", "\n"), "\n")
	code = strings.TrimRight(code, " \t\n")
	own := indentOf(code)
	first, rest, many := strings.Cut(code[len(own):], "\n")
	switch {
	case !many:
		return first
	case own == base || own == "" && alreadyIndented(first, rest, base, language):
		return first + "\n" + rest
	}
	all := strings.Split(rest, "\n")
	for i, line := range all {
		line, deep := strings.CutPrefix(line, own)
		if deep && strings.TrimSpace(line) != "" && !isDirective(line, language) {
			line = base + line
		}
		all[i] = line
	}
	return first + "\n" + strings.Join(all, "\n")
}

// carries reports whether the lines after the first, which has no indentation,
// already have the indentation base. Lines that have no more than that may be the
// end of a block, or what follows a complete first line; else they are the body of
// code without indentation.
func alreadyIndented(first, rest, base, language string) bool {
	if base == "" {
		return true
	}
	for line := range strings.SplitSeq(rest, "\n") {
		if strings.TrimSpace(line) == "" || isDirective(line, language) {
			continue
		}
		indent := indentOf(line)
		if !strings.HasPrefix(indent, base) || indent == base && !standsAlone(first, rest, language) && !closesBlock(line) {
			return false
		}
	}
	return true
}

// standsAlone reports whether a line can stand by itself, so that the next need not be
// deeper.
func standsAlone(line, rest, language string) bool {
	if language == "python" {
		return !opensBlock(line + "\n" + rest)
	}
	return beginsWithComment(line, language) || strings.HasPrefix(line, "@") || strings.HasPrefix(line, "#[") ||
		strings.HasPrefix(line, "[") || strings.ContainsAny(line[len(line)-1:], ";,}")
}

// opensBlock reports whether Python's code begins with a statement that has a body
// below it. It may go over several lines within brackets.
func opensBlock(code string) bool {
	depth := 0
	for line := range strings.Lines(code) {
		line, _, _ = strings.Cut(line, "#")
		for _, c := range line {
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
		}
		if depth <= 0 {
			return strings.HasSuffix(strings.TrimSpace(line), ":")
		}
	}
	return false
}

var closers = regexp.MustCompile(`^\s*(?:[])}{|>]|</|end\b|fi\b|done\b|esac\b|else|elif|elsif|catch|rescue|ensure|finally|except|case |default:|while )`)

// closes reports whether a line ends what the lines before it have begun.
func closesBlock(line string) bool { return closers.MatchString(line) }

// directive reports whether a line is one of the preprocessor's, at the line's beginning.
func isDirective(line, language string) bool {
	return strings.HasPrefix(line, "#") && (language == "c" || language == "cpp" || language == "csharp")
}

// indentOf is the white space that text begins with.
func indentOf(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, " \t"))]
}

// level is one level of indentation in the file.
func (s *source) level() string {
	narrowest := ""
	for line := range strings.Lines(string(s.Text)) {
		indent := indentOf(line)
		if strings.HasPrefix(indent, "\t") {
			return "\t"
		}
		if len(indent) > 1 && (narrowest == "" || len(indent) < len(narrowest)) && !strings.HasPrefix(line[len(indent):], "*") {
			narrowest = indent
		}
	}
	switch {
	case narrowest != "":
		return narrowest
	case s.language == "go":
		return "\t"
	case slices.Contains([]string{"ruby", "elixir", "yaml", "scala", "lua", "html"}, s.language):
		return "  "
	}
	return "    "
}
