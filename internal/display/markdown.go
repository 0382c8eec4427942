package display

import (
	"slices"
	"strings"
)

// Markdown makes what a model wrote in Markdown safe to render. Pictures, HTML, and links with a
// scheme that could run something become text: whoever renders them fetches what they name, which
// tells its host what the text knows, or runs a command of the editor. Code stays as it is. The
// text may come in pieces; how it is cut does not count. The zero value is ready.
//
// Which text is code must not be up to the renderer. So what could be read in two ways is written
// in the way in which it was read here: a lone backquote is escaped, and a fence is closed where
// its list or quotation may end. Source: spec.commonmark.org, "Fenced code blocks", "Code spans",
// "Links" and "Raw HTML".
type Markdown struct {
	held     string // not read yet
	carriage bool   // a carriage return follows what is held
	inLine   bool   // held is not the beginning of a line
	raw      bool   // the rest of the line is code
	word     word   // before held
	quotes   int    // how many quotations the line is in
	fence    fence
	items    []int // the columns at which the text of the items of lists begins that may go on, the outermost first
	broken   bool  // the line before is not the beginning or middle of a paragraph
}

// fence is a block of code between fences; its length is 0 outside of one.
type fence struct {
	mark           byte
	length, indent int
	quotes         int
}

// SafeMarkdown returns a whole text as [Markdown] does.
func SafeMarkdown(text string) string {
	var m Markdown
	return m.Write(text) + m.Close()
}

// Write takes the next piece and returns what is certain by now.
func (m *Markdown) Write(piece string) string {
	m.held += m.lineEnds(piece, false)
	return m.read(false)
}

// Close returns what was held back, and closes a fence. The Markdown is ready for another text.
func (m *Markdown) Close() string {
	m.held += m.lineEnds("", true)
	rest := m.read(true)
	if m.fence.length > 0 {
		if m.inLine {
			rest += "\n"
		}
		rest += m.fence.line()
	}
	*m = Markdown{}
	return rest
}

// lineEnds makes a carriage return alone, which ends a line, a line feed. One at the end of a piece
// waits for the next one.
func (m *Markdown) lineEnds(piece string, final bool) string {
	if m.carriage {
		piece = "\r" + piece
	}
	if m.carriage = strings.HasSuffix(piece, "\r") && !final; m.carriage {
		piece = piece[:len(piece)-1]
	}
	if !strings.Contains(piece, "\r") {
		return piece
	}
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(piece, "\r\n", "\x00\n"), "\r", "\n"),
		"\x00\n", "\r\n")
}

// line returns the fence that closes f, without a line end.
func (f fence) line() string {
	return strings.Repeat("> ", f.quotes) + strings.Repeat(" ", f.indent) + strings.Repeat(string(f.mark), f.length)
}

// read reads what is held as far as it is certain. final says that nothing follows.
func (m *Markdown) read(final bool) string {
	var out strings.Builder
	for m.held != "" {
		line, rest, ended := strings.Cut(m.held, "\n")
		n := 0 // bytes of the line that are certain
		switch {
		case !m.inLine:
			if !m.begin(&out, line, ended || final) {
				return out.String()
			}
			continue
		case m.raw:
			n = len(line)
			out.WriteString(line)
		default:
			n = m.writeInline(&out, line, ended || final)
		}
		m.held = m.held[n:]
		if n < len(line) || !ended {
			return out.String()
		}
		out.WriteByte('\n')
		m.held, m.inLine, m.raw, m.word = rest, false, false, word{}
	}
	return out.String()
}

// maxHeld bounds what is held back, in bytes: the line of a fence, code within a line, and a destination are shorter.
const maxHeld = 4096

// begin reads the beginning of a line, up to its text. It returns false if more of the line is needed.
func (m *Markdown) begin(out *strings.Builder, line string, whole bool) bool {
	short := len(line) <= maxHeld
	whole = whole || !short
	most := len(line)
	if m.fence.length > 0 {
		most = m.fence.quotes // what follows is code
	}
	at, indent, quotes := lineStart(line, most)
	text := line[at:]
	if strings.TrimLeft(text, " \t\r") == "" && !whole {
		return false
	}
	if quotes != m.quotes {
		m.quotes, m.items = quotes, nil
	}
	if m.fence.length > 0 {
		return m.beginCode(out, line, text, indent, quotes, whole)
	}
	if strings.TrimSpace(text) == "" {
		m.skip(out, at, true)
		return true
	}
	ended := countBeyond(m.items, indent)
	items, column := slices.Clone(m.items[:len(m.items)-ended]), indent
	for mayBegin(items, column) {
		marker, ok := listMarker(text, m.broken || ended > 0)
		if !ok {
			break
		}
		text, at, column = text[marker:], at+marker, column+marker
		items = append(items, column)
	}
	mark, length := run(text)
	fenced := mark == '`' || mark == '~'
	if !whole && (fenced || mayBecomeMarker(text)) {
		return false
	}
	m.items = items
	opens := fenced && length >= 3 && short
	if opens && mayBegin(items, column) &&
		!strings.ContainsAny(text[length:], "`|") { // a bar may make it the head of a table
		m.fence = fence{mark, length, column, quotes}
		m.inLine, m.raw = true, true
		return true
	}
	m.skip(out, at, false)
	if mark == '~' && length >= 3 {
		out.WriteByte('\\')
	}
	return true
}

// beginCode is begin for a line within a fence, or after it.
func (m *Markdown) beginCode(out *strings.Builder, line, text string, indent, quotes int, whole bool) bool {
	mark, length := run(text)
	blank := strings.TrimSpace(text) == ""
	switch {
	case quotes < m.fence.quotes: // the quotation has ended, and the fence with it
		m.fence = fence{}
		return true
	case !blank && indent < m.fence.indent: // whether its list has ended, renderers may decide otherwise
		out.WriteString(m.fence.line() + "\n")
		m.fence = fence{}
		return true
	}
	closes := mark == m.fence.mark && (m.fence.indent > 0 || quotes > 0 || indent <= 3)
	if closes && !whole {
		return false
	}
	m.inLine, m.raw = true, true
	if closes && len(line) <= maxHeld && length >= m.fence.length && strings.TrimSpace(text[length:]) == "" {
		if indent != m.fence.indent {
			out.WriteString(m.fence.line())
			m.held = m.held[len(line):]
		}
		m.fence, m.broken = fence{}, true
	}
	return true
}

// skip writes what stands before the text of a line, which is n bytes long.
func (m *Markdown) skip(out *strings.Builder, n int, blank bool) {
	out.WriteString(m.held[:n])
	m.held, m.inLine, m.broken = m.held[n:], true, blank
}
