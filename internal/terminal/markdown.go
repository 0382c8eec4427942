package terminal

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Markdown turns Markdown into what a terminal shows. The text may come in pieces. Its zero value is ready, for lines
// of any length.
type Markdown struct {
	Columns int // the width of the terminal; 0 for lines of any length

	lines    lines
	held     string // not shown yet
	carriage bool   // a carriage return follows what is held
	before   byte   // the last byte of the line that is shown
	inLine   bool   // held is not the beginning of a line
	base     Span   // of the line
	fence    string // what closes the block of code; "" outside of one
	diff     bool   // the code is a diff
	prose    bool   // the code is text that may be broken between words
	table    []string
	blank    bool // the line before is blank
}

// Write takes the next piece, which has whole characters, and returns what is shown by now.
func (m *Markdown) Write(piece string) string {
	m.lines.columns = m.Columns
	piece = strings.ToValidUTF8(piece, "\uFFFD")
	if m.carriage {
		piece = "\r" + piece
	}
	piece, m.carriage = strings.CutSuffix(piece, "\r")
	m.held += strings.ReplaceAll(piece, "\r\n", "\n")
	for m.held != "" {
		line, rest, ended := strings.Cut(m.held, "\n")
		if !m.readLine(line, ended) {
			break
		}
		if ended {
			m.held = rest
		}
	}
	return m.lines.take()
}

// Break ends the line that is being shown, so that another text may follow. It returns what is shown.
func (m *Markdown) Break() string {
	if m.lines.endWord(); m.lines.column > 0 {
		m.lines.newLine()
	}
	return m.lines.take()
}

// Close ends the line and returns the rest. The Markdown is ready for another text.
func (m *Markdown) Close() string {
	if m.held != "" {
		m.readLine(m.held, true)
	}
	m.showTable()
	text := m.Break()
	*m = Markdown{Columns: m.Columns}
	return text
}

// readLine reads what is held of a line, and removes from it what it shows. It returns false if more is needed.
func (m *Markdown) readLine(line string, whole bool) bool {
	if !m.inLine {
		if m.fence != "" {
			if !m.beginCode(line, whole) {
				return false
			}
		} else if !m.begin(line, whole) {
			return false
		}
		if !m.inLine {
			return whole // the line was shown as a whole
		}
		line, _, _ = strings.Cut(m.held, "\n")
	}
	if m.fence != "" {
		m.showCode(line)
		m.held = m.held[len(line):]
	} else if !m.readInline(line, whole) {
		return false
	}
	if whole {
		m.endLine()
	}
	return whole
}

// readInline shows what is certain of a line.
func (m *Markdown) readInline(line string, whole bool) bool {
	for line != "" {
		spans, n := inline(line, m.base, m.before, whole)
		if n == 0 {
			return false
		}
		for _, s := range spans {
			m.lines.write(s)
		}
		m.before, line, m.held = line[n-1], line[n:], m.held[n:]
	}
	return true
}

func (m *Markdown) endLine() {
	m.lines.end()
	m.inLine, m.blank = false, false
}

// show shows a whole line.
func (m *Markdown) show(line string, spans ...Span) {
	for _, s := range spans {
		m.lines.raw(s)
	}
	m.held = m.held[len(line):]
	m.endLine()
}

var (
	undecided = lazyregexp.New("^[ \t>]*(?:#{0,6}|[-*_ \t]*|[+]|[0-9]{1,9}[.)]?|`{0,2}|~{0,2}|" +
		"(?:`{3,}|~{3,})[^`]*|[|].*)$")
	fenceLine = lazyregexp.New("^([ \t]*)(`{3,}|~{3,})([^`]*)$")
	ruleLine  = lazyregexp.New(`^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$`)
	heading   = lazyregexp.New(`^ {0,3}(#{1,6})[ \t]+`)
	listItem  = lazyregexp.New(`^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+`)
	quotation = lazyregexp.New(`^[ \t]{0,3}>[ \t]?`)
	space     = lazyregexp.New(`^[ \t]*`)
)

// begin reads the beginning of a line, up to its text. It returns false if more of the line is needed.
func (m *Markdown) begin(line string, whole bool) bool {
	if !whole && len(line) < maxHeld && (undecided.MatchString(line) || strings.TrimSpace(line) == "") {
		return false
	}
	if strings.HasPrefix(strings.TrimLeft(line, " "), "|") && whole && len(m.table) < maxRows {
		m.table = append(m.table, line)
		m.held = m.held[len(line):]
		return true
	}
	m.showTable()
	var first []Span
	m.base, m.before = Span{}, ' '
	text := line
	for {
		quote := quotation.FindString(text)
		if quote == "" {
			break
		}
		text, first = text[len(quote):], append(first, Span{Text: "│ ", Style: Dim})
		m.base.Style |= Dim
	}
	switch {
	case strings.TrimSpace(text) == "" && len(first) == 0 && whole:
		m.showBlank(line)
		return true
	case ruleLine.MatchString(text):
		m.show(line, append(first, Span{Text: strings.Repeat("─", m.ruleWidth()), Style: Dim})...)
		return true
	case fenceLine.MatchString(text):
		f := fenceLine.FindStringSubmatch(text)
		language, _, _ := strings.Cut(strings.TrimSpace(f[3]), " ")
		m.fence, m.diff, m.prose = f[2], language == "diff", proseLanguages[language]
		m.held = m.held[len(line):]
		return true
	}
	m.beginText(text, first)
	return true
}

// beginText shows the marker of a heading or an item, and leaves the text behind it to be read.
func (m *Markdown) beginText(text string, first []Span) {
	next := first[:len(first):len(first)]
	marker := space.FindString(text)
	if h := heading.FindString(text); h != "" {
		marker, m.base.Style = h, m.base.Style|Bold|Blue
	} else if item := listItem.FindStringSubmatch(text); item != nil {
		marker = item[0]
		bullet := item[2]
		if len(bullet) == 1 {
			bullet = "•"
		}
		first = append(next, Span{Text: plainSpace(item[1])}, Span{Text: bullet + " ", Style: Cyan})
		next = append(next, Span{Text: strings.Repeat(" ", Width(plainSpace(item[1])+bullet+" "))})
	} else if marker != "" {
		indent := Span{Text: plainSpace(marker)}
		first, next = append(next, indent), append(next[:len(next):len(next)], indent)
	}
	m.lines.begin(first, next)
	line, _, _ := strings.Cut(m.held, "\n")
	m.held = m.held[len(line)-len(text)+len(marker):]
	m.inLine = true
}

// plainSpace returns white space without tabs.
func plainSpace(text string) string { return strings.ReplaceAll(text, "\t", "    ") }

// showBlank shows one blank line of several.
func (m *Markdown) showBlank(line string) {
	m.held = m.held[len(line):]
	if !m.blank {
		m.lines.end()
	}
	m.blank = true
}

// ruleWidth returns the width of a line across.
func (m *Markdown) ruleWidth() int {
	if m.Columns == 0 {
		return 40
	}
	return min(m.Columns, 80)
}

// beginCode reads the beginning of a line of code, or the line that ends the code.
func (m *Markdown) beginCode(line string, whole bool) bool {
	text := strings.TrimLeft(line, " \t>")
	isFence := text != "" && text[0] == m.fence[0] && strings.Trim(strings.TrimRight(text, " \t"), m.fence[:1]) == ""
	if !whole && len(line) < maxHeld && (text == "" || isFence || m.diff) {
		return false
	}
	if isFence && run(text) >= len(m.fence) {
		m.fence, m.held, m.blank = "", m.held[len(line):], false
		return true
	}
	m.base = Span{}
	if m.diff {
		m.base.Style = diffStyle(line)
	}
	indent := []Span{{Text: "  "}}
	m.lines.begin(indent, indent)
	m.inLine = true
	return true
}

// proseLanguages are those of blocks whose lines are paragraphs. A line of code stays whole, as it may be copied.
var proseLanguages = map[string]bool{
	"markdown": true, "md": true, "text": true, "txt": true, "rst": true, "asciidoc": true,
}

// showCode shows the next piece of a line of code.
func (m *Markdown) showCode(piece string) {
	if !m.prose {
		m.lines.raw(m.base.with(piece))
		return
	}
	m.lines.exact = true
	m.lines.write(m.base.with(plainSpace(piece)))
}
