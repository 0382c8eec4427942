package chatdoc

import (
	"fmt"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// A Layout lays out an answer piece by piece. Each method returns what to append. The pieces
// give the same text however the answer is cut into them. The zero value begins an answer.
type Layout struct {
	begun  bool
	inText bool   // the last piece was text, not a line
	held   string // text that is not written yet: line breaks, and what may become a heading
	calls  int
}

// Text appends Markdown.
func (l *Layout) Text(markdown string) string {
	text := l.held + markdown
	l.held = ""
	if !l.inText {
		if text = strings.TrimLeft(text, " \t\r\n"); text == "" {
			return ""
		}
		if partOfHeading(text) {
			l.held = text
			return ""
		}
	}
	certain := strings.TrimRight(text, " \t\r\n")
	if last := strings.LastIndexByte(text, '\n') + 1; partOfHeading(text[last:]) && (last > 0 || !l.inText) {
		certain = strings.TrimRight(text[:last], " \t\r\n")
	}
	l.held = text[len(certain):]
	return l.startText(certain)
}

// startText returns text, apart from a line before it.
func (l *Layout) startText(text string) string {
	if text == "" {
		return ""
	}
	start := ""
	if !l.inText {
		start = l.gap("\n\n")
		text = indentFirst(text)
	}
	l.inText = true
	return start + indentHeadings(text)
}

// gap returns the space before a piece, and begins the answer.
func (l *Layout) gap(between string) string {
	if !l.begun {
		l.begun = true
		return ""
	}
	return between
}

// line appends a line of its own. What was held back of the text before it comes first.
func (l *Layout) line(line string) string {
	rest := l.Flush()
	between := "\n"
	if l.inText {
		between = "\n\n"
	}
	l.inText = false
	return rest + l.gap(between) + line
}

// Flush appends what was held back of the text: no more of it follows.
func (l *Layout) Flush() string {
	held := strings.TrimRight(l.held, " \t\r\n")
	l.held = ""
	return l.startText(held)
}

// Call appends the line of the answer's next tool call. summary is one line.
func (l *Layout) Call(tool, summary string, failed bool) string {
	l.calls++
	if failed {
		tool += " failed"
	}
	return l.line(fmt.Sprintf("- ⚙ %d %s: %s", l.calls, tool, oneLine(summary)))
}

// Proposal appends the line of a proposed change.
func (l *Layout) Proposal(title string, files int) string {
	return l.line(fmt.Sprintf("- ✎ %s (%s)", oneLine(title), count(files, "file")))
}

// Evidence appends the line of what is known of the proposal before it.
func (l *Layout) Evidence(source, known string) string {
	return l.line(fmt.Sprintf("  %s: %s", oneLine(source), oneLine(known)))
}

// Ended appends how an answer ended early.
func (l *Layout) Ended(why string) string {
	return l.line("> **" + oneLine(why) + "**")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

var (
	proposalLine = lazyregexp.New(`^- ✎ .*\(\d+ files?\)$`)
	evidenceLine = lazyregexp.New(`^  \S.*: (?:running|passed|failed|unknown|stale|\d+ (?:new problems?|tests?)\b)`)
)

var callLine = lazyregexp.New(`^- ⚙ (\d{1,9}) `)

// CallAt returns the number, from 1, of the tool call that a line of an answer shows.
func CallAt(line string) (number int, ok bool) {
	m := callLine.FindStringSubmatch(line)
	if m == nil {
		return 0, false
	}
	number, err := strconv.Atoi(m[1])
	return number, err == nil
}

// headings are how the headings of turns begin.
var headings = []string{"## You", "## ploke"}

// indentHeadings indents the lines of a text, except the first one, that look like the headings of turns.
func indentHeadings(text string) string {
	for _, h := range headings {
		text = strings.ReplaceAll(text, "\n"+h, "\n "+h)
	}
	return text
}

// indentFirst indents the first line of a text if it looks like the heading of a turn.
func indentFirst(text string) string {
	for _, h := range headings {
		if strings.HasPrefix(text, h) {
			return " " + text
		}
	}
	return text
}

// partOfHeading reports whether a line that has come so far may become the heading of a turn.
func partOfHeading(line string) bool {
	for _, h := range headings {
		if len(line) < len(h) && strings.HasPrefix(h, line) && line != "" {
			return true
		}
	}
	return false
}

// Quote returns a message as it stands in a document.
func Quote(message string) string {
	return indentHeadings(indentFirst(clean(message)))
}
