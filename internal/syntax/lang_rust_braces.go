package syntax

import (
	"bytes"
	"unicode/utf8"
)

// rustBraces is a pair of braces.
type rustBraces struct {
	start, end int // offsets of the two; end is -1 without a closing one
	// mark is the offset of the exclamation mark of a macro that is called with the braces where items may be, else -1.
	mark  int
	depth int  // how many such calls are around it
	code  bool // whether there are statements in it
}

// pairRustBraces returns the braces of text in the order of their beginnings. Those in comments and in quotes are none.
func pairRustBraces(text []byte) (braces []rustBraces) {
	var open []int
	code := false // whether the next braces hold statements
	for at := 0; at < len(text); {
		if end := rustSkip(text, at); end > at {
			at = end
			continue
		}
		switch c := text[at]; {
		case c == '{':
			b := rustBraces{start: at, end: -1, mark: -1, code: code}
			if len(open) > 0 {
				outer := braces[open[len(open)-1]]
				b.depth, b.code = outer.depth, code || outer.code
			}
			if mark := rustMacroMark(text, at); mark >= 0 && !b.code {
				b.mark, b.depth = mark, b.depth+1
			}
			open, braces, code = append(open, len(braces)), append(braces, b), false
		case c == '}' && len(open) > 0:
			braces[open[len(open)-1]].end = at
			open, code = open[:len(open)-1], false
		case c == ';':
			code = false
		case c == '=':
			code = true
		case nameByte(c):
			n := nameEnd(text[at:])
			code = code || string(text[at:at+n]) == "fn"
			at += n
			continue
		}
		at++
	}
	return braces
}

// rustMacroMark returns the offset of the exclamation mark before the brace at an offset, if the name before it is the
// first thing in its line, or -1.
func rustMacroMark(text []byte, brace int) int {
	line := text[bytes.LastIndexByte(text[:brace], '\n')+1 : brace]
	mark := len(bytes.TrimRight(line, " \t")) - 1
	if mark < 1 || line[mark] != '!' {
		return -1
	}
	for _, c := range bytes.TrimLeft(line[:mark], " \t") {
		if !nameByte(c) && c != ':' {
			return -1
		}
	}
	return brace - len(line) + mark
}

// rustSkip returns the offset behind the comment or the literal of characters that begins at an
// offset, or the offset itself if there is none.
func rustSkip(text []byte, at int) int {
	rest := text[at:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		return at + indexOrEnd(rest, "\n")
	case bytes.HasPrefix(rest, []byte("/*")):
		return at + rustCommentEnd(rest)
	case rest[0] == '"':
		return at + rustStringEnd(rest)
	case rest[0] == 'r':
		return at + rustRawEnd(rest)
	case bytes.HasPrefix(rest, []byte("br")) || bytes.HasPrefix(rest, []byte("cr")):
		if n := rustRawEnd(rest[1:]); n > 0 {
			return at + 1 + n
		}
	case rest[0] == '\'':
		return at + rustCharacterEnd(rest)
	}
	return at
}

// indexOrEnd returns the offset of mark in text, or its length.
func indexOrEnd(text []byte, mark string) int {
	if i := bytes.Index(text, []byte(mark)); i >= 0 {
		return i
	}
	return len(text)
}

// rustCommentEnd returns the length of a comment, in which others may lie.
func rustCommentEnd(text []byte) int {
	depth := 0
	for at := 0; at+1 < len(text); at++ {
		switch string(text[at : at+2]) {
		case "/*":
			depth++
			at++
		case "*/":
			depth--
			at++
		}
		if depth == 0 {
			return at + 1
		}
	}
	return len(text)
}

func rustStringEnd(text []byte) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(text)
}

// rustRawEnd returns the length of a raw string, or 0.
func rustRawEnd(text []byte) int {
	hashes := 1
	for hashes < len(text) && text[hashes] == '#' {
		hashes++
	}
	if hashes == len(text) || text[hashes] != '"' {
		return 0
	}
	end := append([]byte{'"'}, text[1:hashes]...)
	body := text[hashes+1:]
	if i := bytes.Index(body, end); i >= 0 {
		return hashes + 1 + i + len(end)
	}
	return len(text)
}

// rustCharacterEnd returns the length of a character in quotes, or 0 for the name of a lifetime.
func rustCharacterEnd(text []byte) int {
	if len(text) > 1 && text[1] == '\\' {
		if i := bytes.IndexByte(text[min(3, len(text)):], '\''); i >= 0 {
			return 3 + i + 1
		}
		return len(text)
	}
	_, size := utf8.DecodeRune(text[1:])
	if end := 1 + size; end < len(text) && text[end] == '\'' {
		return end + 1
	}
	return 0
}
