package tools

import (
	"strconv"
	"strings"
)

// Snippet writes code in the format in which code is shown to a model, and in
// which a model is asked to show it:
//
//	<code="/absolute/path.go" #START:END>
//	the code
//	</code>
//
// The path is a JSON string without HTML escaping. START is startLine, END the
// last line that code holds; both are 1-based and inclusive, so that an empty
// code ends before it starts. There is no newline after the last tag.
//
// A line ends in "\n", and every line that is shown does: code without a final
// newline is written as if it had one, code that has one gets no other. A "\r"
// before it belongs to its line and is kept. As the reader goes by the number of
// lines, code may contain the closing tag.
func Snippet(path string, startLine int, code string) string {
	code = endLine(code)
	endLine := startLine + strings.Count(code, "\n") - 1
	quoted, err := encode(path)
	if err != nil {
		panic("tools: a string has no JSON: " + err.Error())
	}
	var b strings.Builder
	b.WriteString(opening)
	b.Write(quoted[1:])
	b.WriteString(" #" + strconv.Itoa(startLine) + ":" + strconv.Itoa(endLine) + ">\n")
	b.WriteString(code)
	b.WriteString(closing)
	return b.String()
}

const (
	opening = `<code="`
	closing = `</code>`
)

// endLine gives the last line of code its newline, if it lacks it.
func endLine(code string) string {
	if code == "" || strings.HasSuffix(code, "\n") {
		return code
	}
	return code + "\n"
}

// Part is a piece of a streamed answer: plain text, or a snippet if Code isn't nil.
type Part struct {
	Text string
	Code *Code
}

// Code is a snippet. Text holds the lines StartLine to EndLine (1-based,
// inclusive), each with its newline; it is empty if EndLine is StartLine-1.
type Code struct {
	Path      string
	StartLine int
	EndLine   int
	Text      string
}
