package problems

import (
	"bytes"

	"ploke-lsp/internal/syntax"
)

// Python's grammar takes indentation as it comes, while the interpreter refuses a file for it. The
// rules are those of https://docs.python.org/3/reference/lexical_analysis.html#indentation.

// The messages of indentation problems.
const (
	unexpectedIndent = "unexpected indentation"
	noOuterLevel     = "the indentation matches that of no block around"
	mixedIndent      = "tabs and spaces are mixed in the indentation"
)

// IsIndentation reports whether a problem of Python code is one of the indentation.
func IsIndentation(p syntax.Problem) bool {
	return p.Message == unexpectedIndent || p.Message == noOuterLevel || p.Message == mixedIndent
}

// maxIndentationProblems bounds the problems of one file.
const maxIndentationProblems = 100

// indentLevel is the width of an indentation, with tabs that end at each eighth column and with
// tabs of one column. If the two disagree on which of two lines is deeper, Python does not know
// either.
type indentLevel struct{ wide, narrow int }

// indentationProblems returns where the indentation of Python code is wrong. A block without a
// statement is the parser's matter. A template, whose lines may be gone later, has no problems.
func indentationProblems(text []byte) (found []syntax.Problem) {
	if bytes.Contains(text, []byte("{%")) && bytes.Contains(text, []byte("%}")) {
		return nil
	}
	var code pythonLines
	levels, opened := []indentLevel{{}}, false
	for at, line := 0, 1; at < len(text) && len(found) < maxIndentationProblems; line++ {
		end := at + 1 + bytes.IndexByte(text[at:], '\n')
		if end == at {
			end = len(text)
		}
		row := text[at:end]
		inside := code.inside()
		code.read(row)
		if first := bytes.TrimLeft(row, " \t\f"); !inside && len(bytes.TrimSpace(first)) > 0 && first[0] != '#' {
			message := ""
			if levels, message = nest(levels, levelOf(row), opened); message != "" {
				found = append(found,
					syntax.Problem{Start: at, End: at + len(bytes.TrimRight(row, "\r\n")), Line: line, Message: message})
			}
		}
		if !code.inside() && code.last != 0 {
			opened, code.last = code.last == ':', 0
		}
		at = end
	}
	return found
}

// nest returns the levels of the blocks around a statement with an indentation. opened says that the
// statement before it has a body.
func nest(levels []indentLevel, own indentLevel, opened bool) (around []indentLevel, message string) {
	top := levels[len(levels)-1]
	switch {
	case own == top:
		return levels, ""
	case (own.wide > top.wide) != (own.narrow > top.narrow) || (own.wide == top.wide) != (own.narrow == top.narrow):
		return levels, mixedIndent
	case own.wide > top.wide && !opened:
		return append(levels, own), unexpectedIndent
	case own.wide > top.wide:
		return append(levels, own), ""
	}
	for len(levels) > 1 && levels[len(levels)-1].wide > own.wide {
		levels = levels[:len(levels)-1]
	}
	if levels[len(levels)-1] != own {
		return append(levels, own), noOuterLevel
	}
	return levels, ""
}

func levelOf(line []byte) (l indentLevel) {
	const tab = 8
	for _, c := range line {
		switch c {
		case ' ':
			l.wide, l.narrow = l.wide+1, l.narrow+1
		case '\t':
			l.wide, l.narrow = (l.wide/tab+1)*tab, l.narrow+1
		case '\f':
			l = indentLevel{}
		default:
			return l
		}
	}
	return l
}

// pythonLines reads code line by line, and knows whether a statement goes on in the next one.
type pythonLines struct {
	depth     int    // of brackets
	quote     string // that ends the string around the next line
	continued bool   // by a backslash
	last      byte   // of the statement so far, without comments
}

// inside reports whether the next line continues a statement.
func (p *pythonLines) inside() bool { return p.depth > 0 || p.quote != "" || p.continued }

// read reads one line with its end.
func (p *pythonLines) read(line []byte) {
	p.continued = false
	for at := 0; at < len(line); {
		if p.quote != "" {
			at = p.readString(line, at)
			continue
		}
		c := line[at]
		switch c {
		case '#':
			return
		case '(', '[', '{':
			p.depth++
		case ')', ']', '}':
			p.depth = max(p.depth-1, 0)
		case '\\':
			p.continued = len(bytes.TrimRight(line[at+1:], "\r\n")) == 0
		case '"', '\'':
			p.quote = string(line[at : at+1])
			if triple := bytes.Repeat(line[at:at+1], 3); bytes.HasPrefix(line[at:], triple) {
				p.quote = string(triple)
			}
			at += len(p.quote) - 1
		}
		if c > ' ' {
			p.last = c
		}
		at++
	}
}

// readString reads a string up to its end or the end of the line, and returns where that is. A
// string without an end on its line ends there, unless it has three quotes or a backslash.
func (p *pythonLines) readString(line []byte, at int) int {
	for at < len(line) {
		switch {
		case line[at] == '\\':
			if at+2 < len(line) && line[at+1] == '\r' {
				at++
			}
			at += 2
		case bytes.HasPrefix(line[at:], []byte(p.quote)):
			at += len(p.quote)
			p.quote = ""
			return at
		case line[at] == '\n' && len(p.quote) == 1:
			p.quote = ""
			return at
		default:
			at++
		}
	}
	return len(line)
}
