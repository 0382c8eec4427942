package placing

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// indentShift maps the indentation of a model's text to that of a file.
type indentShift struct {
	indents map[string]string // by the model's indentation of a line
	from    string            // one level, if the two texts show it
	to      string
}

// indentation compares the indentation of the same lines in two texts. If they differ in their
// number of lines, only the first counts.
func indentation(theirs, ours []string) indentShift {
	s := indentShift{indents: make(map[string]string)}
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
func (s indentShift) apply(text string) string {
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

// indent maps one indentation: the longest known prefix, then the levels beyond it.
func (s indentShift) indent(theirs string) string {
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

// reindent gives a model's code the indentation base on all lines but the first, which is
// inserted behind that indentation. A model may have indented the code as in the file, not at
// all, or all but its first line. Lines that are indented less than the first, such as those of
// a long string, stay as they are.
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

// alreadyIndented reports whether the lines after the first, which has no indentation, already
// have the indentation base. Lines with exactly this indentation may end a block or follow a
// complete first line. Otherwise they are the body of code without indentation.
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

// standsAlone reports whether a line is complete, so the next one need not be deeper.
func standsAlone(line, rest, language string) bool {
	if language == "python" {
		return !opensBlock(line + "\n" + rest)
	}
	return beginsWithComment(line, language) || strings.HasPrefix(line, "@") || strings.HasPrefix(line, "#[") ||
		strings.HasPrefix(line, "[") || strings.ContainsAny(line[len(line)-1:], ";,}")
}

// opensBlock reports whether Python code begins with a statement that has a body below it. The
// statement may span several lines in brackets.
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

var closers = lazyregexp.New(`^\s*(?:[])}{|>]|</|end\b|fi\b|done\b|esac\b|` +
	`else|elif|elsif|catch|rescue|ensure|finally|except|case |default:|while )`)

// closesBlock reports whether a line ends what the lines before it began.
func closesBlock(line string) bool { return closers.MatchString(line) }

// isDirective reports whether a line is a preprocessor directive at the beginning of the line.
func isDirective(line, language string) bool {
	return strings.HasPrefix(line, "#") && (language == "c" || language == "cpp" || language == "csharp")
}

// indentOf returns the white space at the beginning of text.
func indentOf(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, " \t"))]
}

// level returns one level of indentation in the file.
func (s *SourceFile) level() string {
	narrowest := ""
	for line := range strings.Lines(string(s.Text)) {
		indent := indentOf(line)
		if strings.HasPrefix(indent, "\t") {
			return "\t"
		}
		if len(indent) > 1 && (narrowest == "" || len(indent) < len(narrowest)) &&
			!strings.HasPrefix(line[len(indent):], "*") {
			narrowest = indent
		}
	}
	switch {
	case narrowest != "":
		return narrowest
	case s.Language == "go":
		return "\t"
	case slices.Contains([]string{"ruby", "elixir", "yaml", "scala", "lua", "html"}, s.Language):
		return "  "
	}
	return "    "
}
