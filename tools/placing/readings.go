package placing

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/tools/wording"
)

// An old that begins behind the indentation of its line leaves open how the lines of new are indented: as in the
// file, or as if the first one were not indented. Each is a reading of new, and the edit's place says which is
// likelier. Whether the file still parses decides where the likelier one is wrong.

// readings returns what new, the text that replaces at, may mean, the likeliest first. It returns only new itself if
// that is sure.
//
// There are four: new as it is given; unindented, as if its first line began where old does; filled, with the missing
// indentation before the lines that have less than the first one should have; and shifted, with it before all lines
// but the first. A filled new is likeliest if its later lines already have the indentation of the file, and a
// shifted one if they were written as if the block stood at the margin. What closes more blocks than old, or has a here
// document, must not move. The order only says what is tried first: see chooseReadings for what decides.
func (s *SourceFile) readings(at Span, old, text string) []string {
	missing, ownLine := s.indentBefore(at.Start)
	if missing == "" || !ownLine && (s.Language == "" || s.Language == "markdown") {
		return []string{text}
	}
	r := reading{SourceFile: s, given: text, missing: missing, full: missing}
	complete := false
	if own := indentOf(text); ownLine {
		r.full += indentOf(old)
		complete = own != indentOf(old) && strings.HasPrefix(own, r.full)
		text = r.unindented(text, indentOf(old), complete)
	}
	styled := s.inStyleOf(text, r.levelWidth(text))
	first, rest, many := strings.Cut(strings.TrimRight(styled, " \t\r\n"), "\n")
	switch {
	case !many && strings.TrimSpace(old) == strings.TrimSpace(text): // the indentation is what changes
		return distinct(r.given, text)
	case !many:
		return distinct(text, r.given)
	case hasHereDocument(text, s.Language) || s.leavesBlock(old, text):
		return distinct(text, r.given)
	}
	filled, shifted := r.indented(styled, true), r.indented(styled, false)
	switch {
	// the lines of old are those of the file, so those of new may be, too
	case strings.Contains(strings.TrimSpace(old), "\n"):
		return distinct(text, filled, shifted, r.given)
	case complete || r.isComplete(first, rest, indentOf(old)):
		return distinct(filled, shifted, text, r.given)
	case r.leavesIndentation(first, rest, indentOf(old)):
		return distinct(text, shifted, filled, r.given)
	}
	return distinct(shifted, filled, text, r.given)
}

// indentBefore returns the indentation of the line of offset. ownLine reports whether nothing else is before
// offset there. In YAML the marks of list items count as indentation.
func (s *SourceFile) indentBefore(offset int) (indent string, ownLine bool) {
	before := string(s.Text[s.LineStart(offset):offset])
	if indent = indentOf(before); indent == before {
		return indent, true
	}
	if s.Language == "yaml" && strings.Trim(before, "- ") == "" && strings.HasSuffix(before, " ") {
		return strings.Repeat(" ", len(before)), true
	}
	return indent, false
}

// leavesBlock reports whether text closes brackets that neither it nor old opens, in a language in which that, and
// not the indentation, ends a block. Its lines then belong to different blocks.
func (s *SourceFile) leavesBlock(old, text string) bool {
	if s.Language == "" && makeFile.MatchString(s.Rel) {
		return targetBehindBlank.MatchString(text)
	}
	return s.Language != "python" && s.Language != "yaml" && closedBrackets(text) > closedBrackets(old)
}

var (
	makeFile          = lazyregexp.New(`(?i)(?:^|/)(?:GNU)?makefile[^/]*$|\.mk$`)
	targetBehindBlank = lazyregexp.New(`\n[ \t\r]*\n[^\s#][^\n]*:(?:\s|$)`)
)

// closedBrackets returns how many brackets text closes at most that it has not opened.
func closedBrackets(text string) (most int) {
	open := 0
	for _, c := range text {
		switch c {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			open--
			most = max(most, -open)
		}
	}
	return most
}

// reading gives the lines of a new text the indentation of the line where they begin.
type reading struct {
	*SourceFile
	given   string
	missing string // what stands before old
	full    string // the indentation of old's line
}

// unindented returns text with the indentation own on its first line. If the text is complete, its other lines stay;
// else they lose as much as the first.
func (r reading) unindented(text, own string, complete bool) string {
	had := indentOf(text)
	if had == own {
		return text
	}
	all := strings.Split(text, "\n")
	for i, line := range all {
		if rest, ok := strings.CutPrefix(line, had); ok && (i == 0 || !complete) {
			all[i] = own + rest
		}
	}
	return strings.Join(all, "\n")
}

// levelWidth returns how many spaces one level is in text. If its lines have as many spaces as the file's line has
// tabs, that tells.
func (r reading) levelWidth(text string) int {
	least := ""
	for i, line := range wording.SplitLines(text) {
		if indent := indentOf(line); i > 0 && strings.TrimSpace(line) != "" && (least == "" || len(indent) < len(least)) {
			least = indent
		}
	}
	for _, width := range []int{4, 8} {
		if tabs := strings.Count(r.full, "\t"); tabs > 1 && tabs == len(r.full) && least == strings.Repeat(" ", tabs*width) {
			return width
		}
	}
	return levelWidth(text)
}

// indented puts what is missing before the lines behind the first; if lacking, only before those
// that are indented less than old's line. Lines within strings stay, but for those of doc strings,
// and so does the white space at the end.
func (r reading) indented(text string, lacking bool) string {
	all := strings.Split(text, "\n")
	marks, quote, moves := longQuotes(r.Language), "", true
	for i, line := range all {
		if r.Language == "python" && i > 2 && topLevel.MatchString(line) && strings.TrimSpace(all[i-1]+all[i-2]) == "" &&
			!topLevel.MatchString(text) {
			break // two blank lines separate what is not in the block
		}
		inside := quote != ""
		stays := i == 0 || strings.TrimSpace(line) == "" || isDirective(line, r.Language) || inside && !moves ||
			lacking && strings.HasPrefix(line, r.full)
		if !inside {
			moves = r.Language == "python" && docString.MatchString(line)
		}
		quote = quoteAfter(line, quote, marks)
		if !stays {
			all[i] = r.missing + line
		}
	}
	return strings.Join(all, "\n")
}

var topLevel = lazyregexp.New(`^(?:(?:def|class|async def)\b|@)`)

var docString = lazyregexp.New(`^\s*[rRuUbBfF]{0,2}(?:"""|''')`)

// isComplete reports whether the lines behind the first look as if they were indented as in the file.
func (r reading) isComplete(first, rest, own string) bool {
	next := firstLine(rest)
	indent := indentOf(next)
	switch {
	case !strings.HasPrefix(indent, r.full):
		return false
	case len(indent) > len(own)+len(r.level()):
		return true
	}
	return indent == r.full && (!opensBelow(first, next, rest, r.Language) || closesBlock(next))
}

// leavesIndentation reports whether the line behind the first is deeper than the first, where
// nothing opens a block, but not as deep as old's line: then it is one of a block around it,
// indented as in the file.
func (r reading) leavesIndentation(first, rest, own string) bool {
	next := firstLine(rest)
	indent := indentOf(next)
	return len(indent) > len(own) && len(indent) < len(r.full) && strings.HasPrefix(r.full, indent) &&
		!opensBelow(first, next, rest, r.Language) && !continues.MatchString(next)
}

// continues matches a line that goes on with an expression.
var continues = lazyregexp.New(`^\s*[.?:+*/|&<>=)\]-]`)

// firstLine returns the first line of text that is not blank.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			return strings.TrimRight(line, "\r\n")
		}
	}
	return ""
}

var (
	opensAtEnd   = lazyregexp.New(`(?:[{(\[:=\\]|[=-]>|\b(?:do|then|else|begin|of|repeat|try|loop))\s*$`)
	opensAtStart = lazyregexp.New(`^\s*(?:if|else|elsif|elif|unless|while|until|for|case|when|` +
		`def|class|module|(?:local )?function|switch|begin|try|do)\b.*[^;}]\s*$`)
	opensTag = lazyregexp.New(`^\s*<[A-Za-z][^/]*[^/]>\s*$`)
)

// opensBelow reports whether the line after first belongs below it.
func opensBelow(first, next, rest, language string) bool {
	switch {
	case language == "python":
		return opensBlock(first+"\n"+rest) || strings.ContainsAny(first[len(strings.TrimRight(first, " \t\r"))-1:], `([{\`)
	case language == "yaml":
		return strings.HasPrefix(first, "- ") && !strings.HasPrefix(strings.TrimLeft(next, " "), "- ") ||
			yamlOpens.MatchString(first)
	}
	return opensAtEnd.MatchString(first) || opensAtStart.MatchString(first) || opensTag.MatchString(first)
}

var yamlOpens = lazyregexp.New(`(?::|[|>][-+0-9]*|[\[{])\s*(?:#.*)?$`)

// longQuotes returns the marks of strings of several lines in a language.
func longQuotes(language string) []string {
	switch {
	case slices.Contains([]string{"go", "javascript", "typescript", "tsx"}, language):
		return []string{"`"}
	case language == "" || language == "yaml" || language == "markdown":
		return nil
	}
	return []string{`"""`, "'''"}
}

// distinct returns texts, each once.
func distinct(texts ...string) (list []string) {
	for _, text := range texts {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
