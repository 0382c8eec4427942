package syntax

import "bytes"

// cRewrite blanks out what the grammar of C misreads: comments in the macros of several lines, and conditional parts
// that are not whole statements or declarations, such as two heads of one loop. Of these the first part stays, as if
// there were no condition.
func cRewrite(text []byte) []byte {
	if bytes.IndexByte(text, '#') < 0 {
		return text
	}
	c := cConditionals{text: text}
	for c.at < len(text) {
		c.step()
	}
	if len(c.blanks) == 0 {
		return text
	}
	rewritten := bytes.Clone(text)
	for _, b := range c.blanks {
		blankOut(rewritten[b[0]:b[1]])
	}
	return rewritten
}

// cConditionals reads a text and collects the ranges that are to be blanked out.
type cConditionals struct {
	text   []byte
	at     int
	blanks [][2]int
	groups []cGroup
	// braces has for each open brace whether it encloses values instead of statements.
	braces []bool
	parens int
	last   byte // that is neither blank nor in a comment
}

// cGroup is a directive #if with those that belong to it.
type cGroup struct {
	directives [][2]int
	never      bool  // whether the condition is 0
	broken     bool  // whether some part is not whole
	net, least int   // braces of the current part: open ones, and the fewest
	nets       []int // of the parts
	outside    int   // the length of braces before the group
}

func (c *cConditionals) step() {
	rest := c.text[c.at:]
	switch ch := rest[0]; {
	case blank(ch):
		c.at++
		return
	case ch == '/' && len(rest) > 1 && (rest[1] == '/' || rest[1] == '*'):
		c.at += cCommentEnd(rest)
		return
	case ch == '"' || ch == '\'':
		c.at += cQuoteEnd(rest)
	case ch == '#' && c.startsLine():
		c.directive()
		return
	case nameByte(ch):
		c.at += nameEnd(rest)
	default:
		c.bracket(ch)
		c.at++
	}
	c.last = rest[0]
}

// startsLine reports whether only blanks are before the current byte in its line.
func (c *cConditionals) startsLine() bool {
	before := bytes.TrimRight(c.text[:c.at], " \t")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

func (c *cConditionals) bracket(ch byte) {
	switch ch {
	case '(':
		c.parens++
	case ')':
		c.parens = max(c.parens-1, 0)
	case '{':
		values := c.last == '=' || len(c.braces) > 0 && c.braces[len(c.braces)-1]
		c.braces, c.parens = append(c.braces, values), 0
		c.count(1)
	case '}':
		c.braces, c.parens = c.braces[:max(len(c.braces)-1, 0)], 0
		c.count(-1)
	}
}

// count adds a brace to the current part of the innermost group.
func (c *cConditionals) count(n int) {
	if len(c.groups) > 0 {
		g := &c.groups[len(c.groups)-1]
		g.net += n
		g.least = min(g.least, g.net)
	}
}

// directive reads a line that begins with # and those that continue it.
func (c *cConditionals) directive() {
	start := c.at
	c.at += cLineEnd(c.text[c.at:])
	line := c.text[start:c.at]
	name := bytes.TrimLeft(line[1:], " \t")
	switch argument := name[nameEnd(name):]; string(name[:nameEnd(name)]) {
	case "define":
		c.blankComments(start, line)
	case "if", "ifdef", "ifndef":
		c.groups = append(c.groups, cGroup{
			directives: [][2]int{{start, c.at}}, outside: len(c.braces),
			never:  string(bytes.TrimSpace(argument)) == "0",
			broken: c.parens > 0 || len(c.braces) > 0 && c.braces[len(c.braces)-1],
		})
	case "elif", "else", "elifdef", "elifndef":
		if len(c.groups) > 0 {
			g := &c.groups[len(c.groups)-1]
			g.endPart()
			g.directives = append(g.directives, [2]int{start, c.at})
			c.restoreBraces(g.outside)
		}
	case "endif":
		if len(c.groups) > 0 {
			c.endGroup([2]int{start, c.at})
		}
	}
}

// endPart compares the braces of the part that ends.
func (g *cGroup) endPart() {
	g.broken = g.broken || g.net != 0 || g.least < 0
	g.nets = append(g.nets, g.net)
	g.net, g.least = 0, 0
}

// restoreBraces forgets and adds open braces, so that there are n.
func (c *cConditionals) restoreBraces(n int) {
	c.braces = c.braces[:min(max(n, 0), len(c.braces))]
	for len(c.braces) < n {
		c.braces = append(c.braces, false)
	}
}

// endGroup ends the innermost group. If it is broken, all but one of its parts is blanked out.
func (c *cConditionals) endGroup(end [2]int) {
	g := c.groups[len(c.groups)-1]
	c.groups = c.groups[:len(c.groups)-1]
	g.endPart()
	if !g.broken {
		return
	}
	kept := 0
	if g.never && len(g.nets) > 1 {
		kept = 1
	}
	if len(g.nets) > 1 {
		c.restoreBraces(g.outside + g.nets[kept])
	}
	c.count(g.nets[kept])
	g.directives = append(g.directives, end)
	c.blanks = append(c.blanks, [2]int{g.directives[0][0], g.directives[kept][1]}, [2]int{g.directives[kept+1][0], end[1]})
}

// blankComments blanks out the comments in a definition of several lines, with which it would end.
func (c *cConditionals) blankComments(start int, line []byte) {
	if bytes.IndexByte(line, '\n') < 0 {
		return
	}
	for at := 0; at < len(line); {
		switch {
		case line[at] == '"' || line[at] == '\'':
			at += cQuoteEnd(line[at:])
		case bytes.HasPrefix(line[at:], []byte("/*")):
			end := at + cCommentEnd(line[at:])
			c.blankComment(start+at, line[at:end])
			at = end
		default:
			at++
		}
	}
}

// blankComment blanks out a comment at an offset, but for the backslashes that join its lines. One
// whose lines are not joined so stays.
func (c *cConditionals) blankComment(at int, comment []byte) {
	var parts [][2]int
	for line := range bytes.Lines(comment) {
		text := bytes.TrimRight(line, "\r\n")
		joined := bytes.HasSuffix(text, []byte("\\"))
		if len(text) < len(line) && !joined {
			return
		}
		parts = append(parts, [2]int{at, at + len(bytes.TrimSuffix(text, []byte("\\")))})
		at += len(line)
	}
	c.blanks = append(c.blanks, parts...)
}

// cLineEnd returns the length of a line with those that a backslash or a comment joins to it,
// without the last line end.
func cLineEnd(text []byte) int {
	for at := 0; at < len(text); {
		switch rest := text[at:]; {
		case rest[0] == '\n':
			return at
		case rest[0] == '\\' && len(rest) > 1:
			at += 2
			if rest[1] == '\r' && len(rest) > 2 && rest[2] == '\n' {
				at++
			}
		case bytes.HasPrefix(rest, []byte("/*")):
			at += cCommentEnd(rest)
		case rest[0] == '"':
			at += cQuoteEnd(rest)
		default:
			at++
		}
	}
	return len(text)
}

// cCommentEnd returns the length of a comment, without the line end behind one of a line.
func cCommentEnd(text []byte) int {
	if text[1] == '/' {
		return indexOrEnd(text, "\n")
	}
	if i := bytes.Index(text[2:], []byte("*/")); i >= 0 {
		return 2 + i + 2
	}
	return len(text)
}

// cQuoteEnd returns the length of a text in quotes, which ends with its line at the latest.
func cQuoteEnd(text []byte) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '\n':
			return at
		case text[0]:
			return at + 1
		}
	}
	return len(text)
}
