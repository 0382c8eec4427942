package syntax

import "bytes"

// markup finds the elements of an HTML text by its tags, as far as an outline needs them:
// https://html.spec.whatwg.org/multipage/parsing.html. It also accepts templates.
type markup struct {
	*scan
	at      int
	tags    []tag          // the open elements, the outermost first
	count   map[string]int // number of open elements by name
	heading bool           // whether one of them is a heading; headings in it are ignored
}

// tag is an open element.
type tag struct {
	name    string
	node    bool // whether the tree has a node for it
	content int  // the node of its content, or -1
}

func scanHTML(s *scan) {
	m := markup{scan: s, count: map[string]int{}}
	for {
		i := bytes.IndexByte(m.text[m.at:], '<')
		if i < 0 {
			break
		}
		m.at += i
		m.mark()
	}
	m.closeFrom(0, len(m.text))
}

// mark reads the markup that begins with a '<'.
func (m *markup) mark() {
	start := m.at
	var next [3]byte
	copy(next[:], m.text[start+1:])
	switch {
	case string(next[:]) == "!--":
		m.past("-->")
		m.leaf("comment", start, m.at)
	case next[0] == '?':
		m.past("?>")
	case next[0] == '!':
		m.past(">")
	case next[0] == '/' && letter(next[1]):
		m.past(">")
		name := m.name(start + 2)
		m.end(name, start)
	case letter(next[0]):
		m.start(start)
	default:
		m.at++
	}
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// past moves past the next occurrence of mark, or to the end.
func (m *markup) past(mark string) {
	if i := bytes.Index(m.text[m.at:], []byte(mark)); i >= 0 {
		m.at += i + len(mark)
	} else {
		m.at = len(m.text)
	}
}

// name returns the tag name at an offset, in lower case.
func (m *markup) name(at int) string {
	end := at
	for end < len(m.text) && !blank(m.text[end]) && m.text[end] != '>' && m.text[end] != '/' {
		end++
	}
	return string(bytes.ToLower(m.text[at:end]))
}

// end ends the innermost element with that name at the end tag at start. Elements inside it
// that are still open end before the tag.
func (m *markup) end(name string, start int) {
	if m.count[name] == 0 {
		return
	}
	last := len(m.tags) - 1
	for m.tags[last].name != name {
		last--
	}
	m.closeFrom(last+1, start)
	m.closeLast(start, m.at)
}

func (m *markup) closeFrom(depth, at int) {
	for len(m.tags) > depth {
		m.closeLast(at, at)
	}
}

// closeLast ends the innermost element at outer, and its content at inner.
func (m *markup) closeLast(inner, outer int) {
	last := m.tags[len(m.tags)-1]
	m.tags = m.tags[:len(m.tags)-1]
	m.count[last.name]--
	if last.content > 0 {
		m.heading = false
		m.resize(last.content, max(m.trimmed(inner), int(m.nodes[last.content].start)))
	}
	if last.node {
		m.close(outer)
	}
}

// start reads the tag that begins at start, and content that is not markup.
func (m *markup) start(start int) {
	t := tag{name: m.name(start + 1)}
	m.at += 1 + len(t.name)
	if last := len(m.tags) - 1; last >= 0 {
		if inner := m.tags[last].name; htmlOpen[t.name] && inner == t.name || htmlBlocks[t.name] && inner == "p" {
			m.closeLast(start, start)
		}
	}
	attributes, closed := m.attributes()
	t.node = m.element(start, t.name, attributes)
	if t.node && !m.heading && htmlHeadings[t.name] {
		t.content = m.leaf("content", m.at, m.at)
		m.heading = true
	}
	m.tags = append(m.tags, t)
	m.count[t.name]++
	switch {
	case closed || htmlVoid[t.name]:
		m.closeLast(m.at, m.at)
	case htmlRaw[t.name]:
		m.raw(t.name)
	}
}

// raw moves to the end tag of an element.
func (m *markup) raw(name string) {
	for {
		i := bytes.Index(m.text[m.at:], []byte("</"))
		if i < 0 {
			m.at = len(m.text)
			return
		}
		if m.at += i; m.name(m.at+2) == name {
			return
		}
		m.at += 2
	}
}

// attribute is a name, and the range of its value without quotes.
type attribute struct {
	name       string
	start, end int
}

// attributes reads a tag up to its end. It returns the attributes that an outline needs, and
// whether the tag closes itself.
func (m *markup) attributes() (list []attribute, closed bool) {
	for m.at < len(m.text) {
		switch c := m.text[m.at]; {
		case c == '>':
			m.at++
			return list, closed
		case blank(c) || c == '/' || c == '=':
			closed = c == '/'
			m.at++
		default:
			if a := m.attribute(); a.name != "" {
				list = append(list, a)
			}
		}
	}
	return list, false
}

func (m *markup) attribute() (a attribute) {
	start := m.at
	for m.at < len(m.text) && !blank(m.text[m.at]) && bytes.IndexByte([]byte("=>/"), m.text[m.at]) < 0 {
		m.at++
	}
	if name := string(bytes.ToLower(m.text[start:min(m.at, start+8)])); htmlAttributes[name] {
		a.name = name
	}
	equals := m.at + indentation(m.text[m.at:])
	if equals == len(m.text) || m.text[equals] != '=' {
		a.name = ""
		return a
	}
	m.at = equals + 1
	m.at += indentation(m.text[m.at:])
	a.start, a.end = m.value()
	return a
}

// maxBraces bounds an attribute value in braces, in bytes.
const maxBraces = 4 << 10

// value moves past an attribute's value and returns its range without quotes.
func (m *markup) value() (start, end int) {
	if start = m.at; start == len(m.text) {
		return start, start
	}
	switch c := m.text[start]; c {
	case '"', '\'':
		m.at++
		m.past(string(c))
		return start + 1, max(m.at-1, start+1)
	case '{':
		m.at += braces(m.text[start:min(start+maxBraces, len(m.text))])
	}
	for m.at < len(m.text) && !blank(m.text[m.at]) && m.text[m.at] != '>' {
		m.at++
	}
	return start, m.at
}

// braces returns the length of the text up to the brace that closes its first brace, or 0
// without one.
func braces(text []byte) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}
