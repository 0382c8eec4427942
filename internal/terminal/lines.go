package terminal

import (
	"strings"
	"unicode"
)

// Wrap breaks the lines of a text between words, so that they fit a width. What follows a break begins below the
// line's text.
func Wrap(text string, columns int) string {
	l := lines{columns: columns}
	for line := range strings.Lines(text) {
		line, ended := strings.CutSuffix(line, "\n")
		indent := []Span{{Text: plainSpace(space.FindString(line))}}
		l.begin(indent, indent)
		l.exact = true
		l.write(Span{Text: line[len(space.FindString(line)):]})
		if l.endWord(); ended {
			l.newLine()
		}
	}
	return l.take()
}

// lines breaks text between words, so that lines fit a width. A word is written when it ends.
type lines struct {
	out     strings.Builder // since the last flush
	columns int             // the width; 0 for lines of any length
	column  int             // of the next character
	indent  []Span          // what a line begins with that a break has made
	fresh   bool            // the line has no word yet
	gap     int             // how many spaces stand before the word
	exact   bool            // all spaces count, not one of several, and none at the beginning of a line
	word    []Span
	width   int // of word
}

// take returns what was written since the last call.
func (l *lines) take() string {
	text := l.out.String()
	l.out.Reset()
	return text
}

// begin begins a line with spans, and those that its next lines begin with.
func (l *lines) begin(first, next []Span) {
	l.indent, l.fresh = next, true
	for _, s := range first {
		l.raw(s)
	}
}

// raw writes a span where it stands, without breaking it.
func (l *lines) raw(s Span) {
	l.out.WriteString(s.String())
	l.column += Width(s.Text)
}

// write writes words.
func (l *lines) write(s Span) {
	start := 0
	for i, r := range s.Text {
		switch {
		case unicode.IsSpace(r) && r != '\u00a0':
			l.extend(s, s.Text[start:i])
			l.endWord()
			if l.exact || !l.fresh && l.gap == 0 {
				l.gap++
			}
			start = i + len(string(r))
		case isWide(r):
			l.extend(s, s.Text[start:i])
			l.endWord()
			start = i
			l.extend(s, string(r))
			l.endWord()
			start += len(string(r))
		}
	}
	l.extend(s, s.Text[min(start, len(s.Text)):])
}

func (l *lines) extend(s Span, text string) {
	if text != "" {
		l.word = append(l.word, Span{text, s.Style, s.Link})
		l.width += Width(text)
	}
}

// endWord writes the word, on the next line if it does not fit.
func (l *lines) endWord() {
	if len(l.word) == 0 {
		return
	}
	if l.columns > 0 && l.column+l.gap+l.width > l.columns && l.column > l.indentWidth() {
		l.newLine()
		for _, s := range l.indent {
			l.raw(s)
		}
	}
	l.out.WriteString(strings.Repeat(" ", l.gap))
	l.column += l.gap
	for _, s := range l.word {
		l.out.WriteString(s.String())
	}
	l.column += l.width
	l.word, l.width, l.gap, l.fresh = nil, 0, 0, false
}

func (l *lines) indentWidth() (columns int) {
	for _, s := range l.indent {
		columns += Width(s.Text)
	}
	return columns
}

// end ends the line.
func (l *lines) end() {
	l.endWord()
	l.newLine()
	l.indent, l.exact = nil, false
}

func (l *lines) newLine() {
	l.out.WriteByte('\n')
	l.column, l.gap = 0, 0
}
