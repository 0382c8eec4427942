package workspace

import (
	"bytes"
	"strings"
)

// gitVariable is a variable of git's configuration. Sections and names are in lower case.
type gitVariable struct {
	section, subsection, name, value string
	valued                           bool // false for a name alone, which means true
}

// parseGitConfig calls set for each variable of a file of git's configuration, until a line that is not one.
func parseGitConfig(data []byte, set func(gitVariable)) {
	data = bytes.TrimPrefix(data, []byte(ByteOrderMark))
	p := gitConfigParser{text: strings.ReplaceAll(string(data), "\r\n", "\n")}
	var v gitVariable
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '#' || c == ';':
			p.skipLine()
		case c == '[':
			var ok bool
			if v.section, v.subsection, ok = p.header(); !ok {
				return
			}
		case isKeyByte(c):
			v.name = p.key("")
			if v.value, v.valued, c = p.assigned(); c != 0 {
				return
			}
			set(v)
		case isBlank(c) || c == '\n':
			p.at++
		default:
			return
		}
	}
}

type gitConfigParser struct {
	text string
	at   int // the next byte
}

// next takes the next byte. The text ends with a line end.
func (p *gitConfigParser) next() byte {
	p.at++
	if p.at > len(p.text) {
		return '\n'
	}
	return p.text[p.at-1]
}

func (p *gitConfigParser) skipLine() {
	if end := strings.IndexByte(p.text[p.at:], '\n'); end >= 0 {
		p.at += end
		return
	}
	p.at = len(p.text)
}

func (p *gitConfigParser) skipBlanks() {
	for p.at < len(p.text) && isBlank(p.text[p.at]) {
		p.at++
	}
}

// key takes letters, digits, hyphens and the bytes of more, in lower case.
func (p *gitConfigParser) key(more string) string {
	start := p.at
	for p.at < len(p.text) && (isKeyByte(p.text[p.at]) || strings.IndexByte(more, p.text[p.at]) >= 0) {
		p.at++
	}
	return strings.ToLower(p.text[start:p.at])
}

// header takes a [section], a [section "subsection"] or the old [section.subsection].
func (p *gitConfigParser) header() (section, subsection string, ok bool) {
	p.at++
	section, subsection, _ = strings.Cut(p.key("."), ".")
	start := p.at
	if p.skipBlanks(); p.at == start {
		return section, subsection, p.next() == ']'
	}
	if p.next() != '"' {
		return "", "", false
	}
	var quoted strings.Builder
	for c := p.next(); c != '"'; c = p.next() {
		if c == '\\' {
			c = p.next()
		}
		if c == '\n' {
			return "", "", false
		}
		quoted.WriteByte(c)
	}
	return section, quoted.String(), p.next() == ']'
}

// assigned takes what follows a name. bad is not 0 if that is neither a value nor the end of the line.
func (p *gitConfigParser) assigned() (value string, valued bool, bad byte) {
	p.skipBlanks()
	switch c := p.next(); c {
	case '\n':
		return "", false, 0
	case '=':
		if value, valued = p.value(); valued {
			return value, true, 0
		}
		return "", false, '='
	default:
		return "", false, c
	}
}

// value takes a value, without quotes, escapes, the white space around it and the comment behind it.
func (p *gitConfigParser) value() (value string, ok bool) {
	var b strings.Builder
	quoted, end := false, 0 // end is the length without white space at the end
	p.skipBlanks()
	for {
		switch c := p.next(); {
		case c == '\n':
			return b.String()[:end], !quoted
		case isBlank(c) && !quoted:
			b.WriteByte(c)
			continue
		case (c == '#' || c == ';') && !quoted:
			p.skipLine()
			continue
		case c == '"':
			quoted = !quoted
		case c == '\\':
			c = p.next()
			at := strings.IndexByte("\ntbn\\\"", c)
			if at < 0 {
				return "", false
			}
			if at > 0 {
				b.WriteByte("\n\t\b\n\\\""[at])
			}
		default:
			b.WriteByte(c)
		}
		end = b.Len()
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' }

func isKeyByte(c byte) bool {
	return c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
