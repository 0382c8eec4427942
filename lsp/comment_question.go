package lsp

import (
	"bytes"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// A commentQuestion is a comment that asks the assistant for something: one that begins with "ploke:", or a line
// that ends in "AI!" or "AI?".
type commentQuestion struct {
	text       string
	answerOnly bool // it ends in a question mark: nothing is to be changed
	// start and end are what is deleted with the comment, in bytes: whole lines, or the comment with the space
	// before it if code stands in its line.
	start, end int
	last       int // where its last line begins
}

// maxCommentLines is how many lines of a comment may follow its first one.
const maxCommentLines = 50

// The comments of all languages are told by how they begin. The characters of the second form also begin other
// things than comments, so only "ploke:" may follow them.
var (
	pleaComment = lazyregexp.New(`(?:^|\s)(//+!?|#+!?|--+|;+|%+|/\*+|<!--|\(\*|\{-|"""|'''|['"!]|REM\b|rem\b|dnl\b)` +
		`[ \t]*ploke:[ \t]*(.*)$`)
	aiComment = lazyregexp.New(`(?:^|\s)(//+!?|#+!?|--+|;+|%+|/\*+|<!--|\(\*|\{-|REM\b|rem\b|dnl\b)` +
		`[ \t]*(.*?[ \t]|)AI([!?])[ \t]*(?:\*/|-->|\*\)|-\})?[ \t]*$`)
	blockClosers = map[string]string{"/*": "*/", "<!--": "-->", "(*": "*)", "{-": "-}", `"""`: `"""`, "'''": "'''"}
)

// commentLine is a line of a text, without its line break.
type commentLine struct {
	text       string
	start, end int // with its line break
}

// commentQuestionAt returns the question in the comment at a byte offset of a text in any language.
func commentQuestionAt(text []byte, offset int) (q commentQuestion, ok bool) {
	lines, at := linesAround(text, offset)
	for i := at; i >= 0; i-- {
		if q, ok := questionFrom(lines, i); ok {
			return q, lines[at].start <= q.last
		}
	}
	return q, false
}

// linesAround returns the lines that a comment at an offset may have, and which of them the offset is in.
func linesAround(text []byte, offset int) (lines []commentLine, at int) {
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	for at < maxCommentLines && start > 0 {
		start = bytes.LastIndexByte(text[:start-1], '\n') + 1
		at++
	}
	for start < len(text) && len(lines) <= at+maxCommentLines {
		end := len(text)
		if i := bytes.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		lines = append(lines, commentLine{strings.TrimRight(string(text[start:end]), "\r\n"), start, end})
		start = end
	}
	return lines, min(at, len(lines)-1)
}

// questionFrom returns the question whose comment begins in a line.
func questionFrom(lines []commentLine, i int) (q commentQuestion, ok bool) {
	line := lines[i]
	if !strings.Contains(line.text, "ploke:") {
		return aiQuestion(line)
	}
	m := pleaComment.FindStringSubmatchIndex(line.text)
	if m == nil {
		return q, false
	}
	opener, first := line.text[m[2]:m[3]], line.text[m[4]:m[5]]
	last, closer := line, closerOf(opener)
	switch {
	case closer != "":
		q.text, last = blockQuestion(lines[i:], first, closer)
	case strings.TrimSpace(line.text[:m[2]]) == "":
		q.text, last = lineQuestion(lines[i:], first, line.text[:m[3]])
	default:
		q.text = first
	}
	q.text = strings.TrimSpace(q.text)
	q.answerOnly = strings.HasSuffix(q.text, "?")
	q.start, q.end = deletion(line, m[2], last)
	q.last = last.start
	if closer != "" && last == line { // code may follow
		closed := m[4] + strings.Index(first+closer, closer) + len(closer)
		if closed < len(line.text) && strings.TrimSpace(line.text[closed:]) != "" {
			q.start, q.end = line.start+m[2], line.start+closed
		}
	}
	return q, q.text != ""
}

// aiQuestion returns the question of a line that ends in "AI!" or "AI?". A menu asks for the lines around it, and
// the pattern takes a hundred times as long as to see that a line has neither.
func aiQuestion(line commentLine) (q commentQuestion, ok bool) {
	if !strings.Contains(line.text, "AI!") && !strings.Contains(line.text, "AI?") {
		return q, false
	}
	m := aiComment.FindStringSubmatchIndex(line.text)
	if m == nil {
		return q, false
	}
	q.text = strings.TrimSpace(line.text[m[4]:m[5]])
	q.answerOnly = line.text[m[6]:m[7]] == "?"
	q.start, q.end = deletion(line, m[2], line)
	q.last = line.start
	return q, q.text != ""
}

// closerOf returns how a comment ends that begins with opener; "" if it ends with its line.
func closerOf(opener string) string {
	if strings.HasPrefix(opener, "/*") {
		opener = "/*" // of any number of stars
	}
	return blockClosers[opener]
}

// blockQuestion returns the text of a comment that goes on to its closer, and its last line.
func blockQuestion(lines []commentLine, first, closer string) (text string, last commentLine) {
	rest := first
	for i, line := range lines {
		if i > 0 {
			rest = strings.TrimPrefix(strings.TrimSpace(line.text), "* ")
			text += "\n"
		}
		before, _, closed := strings.Cut(rest, closer)
		text += strings.TrimSpace(before)
		if closed {
			return text, line
		}
	}
	return first, lines[0] // it is never closed
}

// lineQuestion returns the text of a comment whose lines all begin alike, and its last line.
func lineQuestion(lines []commentLine, first, prefix string) (text string, last commentLine) {
	text, last = first, lines[0]
	for i := 1; i < len(lines); i++ {
		rest, ok := strings.CutPrefix(lines[i].text, prefix)
		_, another := questionFrom(lines, i)
		if !ok || another || strings.TrimSpace(rest) == "" ||
			!strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "\t") {
			break
		}
		text, last = text+"\n"+strings.TrimSpace(rest), lines[i]
	}
	return text, last
}

// deletion returns what goes away with a comment that begins at a byte of its first line.
func deletion(first commentLine, at int, last commentLine) (start, end int) {
	code := strings.TrimRight(first.text[:at], " \t")
	if code == "" {
		return first.start, last.end
	}
	return first.start + len(code), last.start + len(last.text)
}
