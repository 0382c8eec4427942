package display

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

// mayBegin reports whether a block that begins at a column is none of indented code, nor the next line of a paragraph.
func mayBegin(items []int, column int) bool {
	if len(items) > 0 {
		column -= items[len(items)-1]
	}
	return column <= 3
}

// countBeyond returns how many of the items begin beyond a column.
func countBeyond(items []int, column int) int {
	n := 0
	for _, item := range items {
		if item > column {
			n++
		}
	}
	return n
}

// lineStart returns the length of what stands before the text of a line: white space, and the marks of at most some
// quotations. indent is the column of the text behind the last mark.
func lineStart(line string, most int) (n, indent, quotes int) {
	for n < len(line) {
		switch c := line[n]; {
		case c == ' ':
			indent++
		case c == '\t':
			indent += 4 - indent%4
		case c == '>' && indent <= 3 && quotes < most:
			quotes, indent = quotes+1, 0
			if strings.HasPrefix(line[n+1:], " ") {
				n++
			}
		default:
			return n, indent, quotes
		}
		n++
	}
	return n, indent, quotes
}

// listMarker returns the length of the marker of an item, with text, and the white space behind it.
// A number that is not 1 begins no list within a paragraph.
func listMarker(text string, broken bool) (n int, ok bool) {
	for n < len(text) && n < 10 && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	switch {
	case n == len(text), n > 9, n > 0 && text[n] != '.' && text[n] != ')', n > 0 && !broken && text[:n] != "1",
		n == 0 && text[0] != '-' && text[0] != '*' && text[0] != '+':
		return 0, false
	}
	n++
	spaces := len(text[n:]) - len(strings.TrimLeft(text[n:], " "))
	return n + spaces, spaces > 0 && spaces <= 4 && strings.TrimSpace(text[n:]) != ""
}

// mayBecomeMarker reports whether a text may be the beginning of the marker of an item.
func mayBecomeMarker(text string) bool {
	rest := strings.TrimLeft(text, "0123456789")
	return len(text) < 15 &&
		(rest == "" || strings.TrimLeft(strings.TrimLeft(rest[1:], " "), "") == "" && strings.ContainsAny(rest[:1], "-*+.)"))
}

// run returns the first byte of a text, and how often it stands there.
func run(text string) (mark byte, n int) {
	if text == "" {
		return 0, 0
	}
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return text[0], n
}

// writeInline writes the text of a line as far as it is certain, and returns how many bytes it has read.
func (m *Markdown) writeInline(out *strings.Builder, line string, whole bool) int {
	for at := 0; at < len(line); {
		n, safe := inline(line[at:], whole)
		if m.word.address {
			n, safe = inAddress(line[at:], n, safe, whole)
		}
		if n == 0 {
			return at
		}
		out.WriteString(safe)
		m.word.pass(line[at : at+n])
		at += n
	}
	return len(line)
}

// inAddress is inline for a text within an address, where inline gives n and safe.
func inAddress(text string, n int, safe string, whole bool) (int, string) {
	switch mark, length := run(text); {
	case mark == '`' && (whole || length < len(text)):
		return length, strings.Repeat("\\`", length)
	case n == 2 && mark == '\\' && (text[1] == '<' || text[1] == ']'): // the backslash may belong to the address
		return 1, text[:1]
	}
	return n, safe
}

// word is what stands between white space. Renderers make addresses in text links, and backquotes
// in them begin no code.
type word struct {
	last    [2]byte // the last two bytes
	dot     bool
	address bool
}

func (w *word) pass(text string) {
	for i := range len(text) {
		c := text[i]
		switch {
		case c == ' ' || c == '\t':
			*w = word{}
			continue
		case c == '@', c == '/' && w.last == [2]byte{':', '/'}, c == '.' && w.last[1]|0x20 == 'w', w.dot && strings.IndexByte("/?#", c) >= 0:
			w.address = true
		case c == '.':
			w.dot = true
		}
		w.last = [2]byte{w.last[1], c}
	}
}

// inline returns the text that stands for the first n bytes of a text; n is 0 if more of the line is needed.
func inline(text string, whole bool) (n int, safe string) {
	next := byte('\n')
	if len(text) > 1 {
		next = text[1]
	}
	switch text[0] {
	case '\\', '!', '<', ']':
		if len(text) == 1 && !whole {
			return 0, ""
		}
	}
	switch c := text[0]; {
	case c == '\\' && next < utf8.RuneSelf && unicode.In(rune(next), unicode.P, unicode.S):
		return 2, text[:2]
	case c == '!' && next == '[':
		return 1, `\!`
	case c == '<' && (next == '/' || next == '!' || next == '?' || next < utf8.RuneSelf && unicode.IsLetter(rune(next))):
		return 1, "&lt;"
	case c == ']' && (next == '(' || next == ':'):
		return link(text, whole)
	case c == '`':
		return codeSpan(text, whole)
	}
	n = strings.IndexAny(text[1:], "\\!<]`") + 1
	if n == 0 {
		n = len(text)
	}
	return n, text[:n]
}

// codeSpan is inline for a text that begins with backquotes. Code that a table would end at a bar,
// and that would not be safe then, is none.
func codeSpan(text string, whole bool) (n int, safe string) {
	_, length := run(text)
	for at := length; at < min(len(text), length+maxHeld); {
		mark, others := run(text[at:])
		if mark == '`' && at+others == len(text) && !whole {
			return 0, ""
		}
		if mark == '`' && others == length {
			if content := text[length:at]; strings.Contains(content, "|") && SafeMarkdown(content) != content {
				break
			}
			return at + others, text[:at+others]
		}
		at += others
	}
	if !whole && len(text) <= length+maxHeld {
		return 0, ""
	}
	return length, strings.Repeat("\\`", length)
}

// link is inline for a text that begins with the end of the text of a link, or of the name of one.
// A link has no title, and no backquotes or parentheses in its destination: what is behind them
// would be code for one reader and not for another.
func link(text string, whole bool) (n int, safe string) {
	const space = " \t\r"
	if len(text) > maxHeld {
		text, whole = text[:maxHeld], true
	}
	to := strings.TrimLeft(text[2:], space)
	end := strings.IndexAny(to, space+")")
	if end < 0 {
		end = len(to)
	}
	after := strings.TrimLeft(to[end:], space)
	to = to[:end]
	switch named := text[1] == ':'; {
	case after == "" && !whole:
		return 0, ""
	case named && mayFollow(to), !named && strings.HasPrefix(after, ")") && !strings.ContainsAny(to, "`(") &&
		(to == "" || mayFollow(to)):
		return 2, text[:2]
	}
	return 2, `]\` + text[1:2]
}

// schemes are those that a link may have.
var schemes = []string{"http", "https", "mailto"}

// mayFollow reports whether a person may follow a link to a destination as it is written. One on the next line is not
// known, and one in angle brackets would be HTML if the link were none.
func mayFollow(to string) bool {
	to = strings.Map(func(c rune) rune {
		if c == '\\' || unicode.In(c, unicode.Cc, unicode.Cf, unicode.Z) {
			return -1
		}
		return c
	}, html.UnescapeString(to))
	if to == "" || strings.HasPrefix(to, "<") || strings.HasPrefix(to, "//") {
		return false
	}
	scheme, rest, ok := strings.Cut(to, ":")
	switch {
	case !ok || strings.ContainsAny(scheme, "/?#"):
		return true
	case strings.Contains(scheme, ".") && strings.Trim(rest, "0123456789:-") == "":
		return true // a file and a line
	case strings.EqualFold(scheme, "file"):
		return strings.HasPrefix(rest, "/") && (!strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "///"))
	}
	return slices.Contains(schemes, strings.ToLower(scheme))
}
