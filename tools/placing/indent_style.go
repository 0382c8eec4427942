package placing

import (
	"slices"
	"strings"
)

// A model may indent its code with spaces where the file has tabs, or the reverse.

// inStyle gives code the kind of indentation that the file has. Code stays as it is unless all of its
// indentation is of the other kind. So do lines within strings of several lines.
func (s *SourceFile) inStyle(code string) string { return s.inStyleOf(code, levelWidth(code)) }

// inStyleOf is like inStyle, for code in which a level of spaces has this width.
func (s *SourceFile) inStyleOf(code string, width int) string {
	ours, theirs := styleOf(string(s.Text)), styleOf(code)
	if ours == "" && s.Language == "go" {
		ours = "\t"
	}
	if ours == "" || theirs == "" || ours == theirs || hasHereDocument(code, s.Language) {
		return code
	}
	from, to := "\t", s.level()
	if theirs == " " {
		from, to = strings.Repeat(" ", width), "\t"
	}
	var b strings.Builder
	marks := longQuotes(s.Language)
	quote := "" // the mark that ends the string around the line
	for line := range strings.Lines(code) {
		indent := indentOf(line)
		if quote == "" {
			deep := strings.Count(indent, from)
			b.WriteString(strings.Repeat(to, deep) + indent[deep*len(from):])
		} else {
			b.WriteString(indent)
		}
		b.WriteString(line[len(indent):])
		quote = quoteAfter(line, quote, marks)
	}
	return b.String()
}

// styleOf returns how a text is indented: "\t", " ", or "" if it is not or in both ways. A
// single space is not an indentation.
func styleOf(text string) string {
	tabs, spaces := 0, 0
	for line := range strings.Lines(text) {
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimLeft(line, " "), "* "):
		case line[0] == '\t':
			tabs++
		case strings.HasPrefix(line, "  "):
			spaces++
		}
	}
	const most = 5 // a file may have some lines of the other kind, such as those of a string
	switch {
	case tabs > most*spaces:
		return "\t"
	case spaces > most*tabs:
		return " "
	}
	return ""
}

// levelWidth returns how many spaces one level of indentation in code is.
func levelWidth(code string) int {
	widths := []int{0}
	for line := range strings.Lines(code) {
		if width := len(indentOf(line)); width > 1 && strings.TrimSpace(line) != "" && line[width] != '*' {
			widths = append(widths, width)
		}
	}
	slices.Sort(widths)
	narrowest := 0
	for i, width := range widths[1:] {
		if step := width - widths[i]; step > 1 && (narrowest == 0 || step < narrowest) {
			narrowest = step
		}
	}
	return max(narrowest, 2)
}

// quoteAfter returns the mark that ends the string in which a line ends; "" if there is none. quote
// is that of the string in which the line begins.
func quoteAfter(line, quote string, marks []string) string {
	for at := 0; at < len(line); {
		if quote != "" {
			end := strings.Index(line[at:], quote)
			if end < 0 {
				return quote
			}
			at, quote = at+end+len(quote), ""
			continue
		}
		for _, mark := range marks {
			if strings.HasPrefix(line[at:], mark) {
				quote = mark
			}
		}
		at += max(len(quote), 1)
	}
	return quote
}

// hasHereDocument reports whether code may have a string of several lines that no quote ends.
func hasHereDocument(code, language string) bool {
	return slices.Contains([]string{"ruby", "php", "bash", "perl", "hcl", "elixir"}, language) && strings.Contains(code, "<<") ||
		strings.Contains(code, `R"`) || strings.Contains(code, `r#"`)
}
