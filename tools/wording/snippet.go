package wording

import (
	"strconv"
	"strings"
)

// Snippet writes code in the snippet format. Programs read code in this format. Models read it
// with line numbers (see [NumberedSnippet]), and are told to show code in it, with or without:
//
//	<code="path.go" #START:END>
//	the code
//	</code>
//
// The path is a JSON string without HTML escaping. START is startLine, and END is the last line
// of the code. Both are 1-based and inclusive, so empty code ends before it starts. There is no
// newline after the closing tag.
//
// Each line ends in "\n". If code lacks the final newline, it is added. A "\r" before it
// belongs to the line and is kept. Readers count lines, so code may contain the closing tag.
func Snippet(path string, startLine int, code string) string {
	code = EndLine(code)
	return block(path, startLine, strings.Count(code, "\n"), code)
}

// NumberedSnippet is like [Snippet], with a number in front of each line: see [Numbered]. This is
// what models read.
func NumberedSnippet(path string, startLine int, code string) string {
	numbered := Numbered(startLine, code)
	return block(path, startLine, strings.Count(numbered, "\n"), numbered)
}

// SnippetIn returns the code of a text that is one snippet.
func SnippetIn(text string) (Code, bool) {
	var s Scanner
	if parts := append(s.Write(text), s.Close()...); len(parts) == 1 && parts[0].Code != nil {
		return *parts[0].Code, true
	}
	return Code{}, false
}

// block writes the tags around the lines of a snippet.
func block(path string, startLine, lines int, code string) string {
	endLine := startLine + lines - 1
	quoted, err := Encode(path)
	if err != nil {
		panic("wording: a string has no JSON: " + err.Error())
	}
	place := " #" + strconv.Itoa(startLine) + ":" + strconv.Itoa(endLine) + ">\n"
	var b strings.Builder
	b.Grow(len(Opening) + len(quoted) + len(place) + len(code) + len(closing))
	b.WriteString(Opening)
	b.Write(quoted[1:])
	b.WriteString(place)
	b.WriteString(code)
	b.WriteString(closing)
	return b.String()
}

const (
	Opening = `<code="`
	closing = `</code>`
)

// EndLine adds the final newline to code if it is missing.
func EndLine(code string) string {
	if code == "" || strings.HasSuffix(code, "\n") {
		return code
	}
	return code + "\n"
}

// Part is a piece of a streamed answer: plain text, or a snippet if Code is not nil.
type Part struct {
	Text string
	Code *Code
}

// Code is a snippet. Text has the lines StartLine to EndLine (1-based, inclusive), each with
// its newline. It is empty if EndLine is StartLine-1.
type Code struct {
	Path      string
	StartLine int
	EndLine   int
	Text      string

	AnnouncedEnd int // the last line according to the tag, if it is not EndLine; else 0
}
