package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/terminal"
	ploke "ploke-lsp/lsp/protocol"
)

// A liveAnswer shows a turn while it comes: the text on standard output, what else happens on standard error. On a
// screen with colors its Markdown is rendered, and of what the model thinks the latest line is shown until the model
// goes on.
type liveAnswer struct {
	env      environment
	markdown *terminal.Markdown // nil for the text as it is
	screen   screen             // of markdown
	thought  thoughtLine
	held     string // of text as it is: the line that has not ended
}

func newLiveAnswer(env environment) *liveAnswer {
	a := &liveAnswer{env: env, thought: thoughtLine{progress: newProgressLine(env, env.stderr)}}
	if s, ok := env.stdout.(screen); ok && s.colors {
		a.screen, a.markdown = s, &terminal.Markdown{}
	}
	return a
}

// show shows a part.
func (a *liveAnswer) show(part ploke.Part) {
	if part.Type == ploke.PartThought {
		a.thought.add(part.Text)
		return
	}
	if part.Type != ploke.PartMessage || part.Text != "" {
		a.endThought()
	}
	switch {
	case part.Type == ploke.PartMessage && part.Replace:
		a.end()
		fmt.Fprint(a.env.stdout, "\n--- the answer broke off and starts again ---\n\n")
		a.write(part.Text)
	case part.Type == ploke.PartMessage:
		a.write(part.Text)
	case part.Type == ploke.PartNotice:
		a.note(part.Text)
	case part.Type == ploke.PartToolCall && part.State != ploke.ToolCallStarted:
		a.note(clipped(a.env.stderr, part.Tool+": "+part.Summary+timeOf(part), terminal.Width(noteMark)))
	}
}

func (a *liveAnswer) write(text string) {
	if a.markdown == nil {
		a.held += text
		lines := strings.LastIndexByte(a.held, '\n') + 1
		fmt.Fprint(a.env.stdout, withoutFileLinks(a.held[:lines]))
		a.held = a.held[lines:]
		return
	}
	a.markdown.Columns = a.screen.columns()
	io.WriteString(a.screen.Writer, a.markdown.Write(text))
}

// withoutFileLinks returns text for a reader that follows no links: of a link to a file, whose text says the place, the
// text is left.
func withoutFileLinks(text string) string { return fileLink.ReplaceAllString(text, "$1") }

var fileLink = lazyregexp.New(`\[([^\]\n]+)\]\(file://[^)\s]*\)`)

// noteMark stands before what happens besides the answer.
const noteMark = "· "

// note shows what happens besides the answer, in a line of its own.
func (a *liveAnswer) note(text string) {
	if a.markdown != nil && writesToTerminal(a.env.stderr) {
		io.WriteString(a.screen.Writer, a.markdown.Break())
	}
	put(a.env.stderr, terminal.Span{Text: fitting(a.env.stderr, noteMark+text), Style: terminal.Dim})
	fmt.Fprintln(a.env.stderr)
}

// timeOf says how long a call took, if a person has noticed it.
func timeOf(call ploke.Part) string {
	if took := time.Duration(call.DurationMS) * time.Millisecond; took >= time.Second {
		return fmt.Sprintf(" (%v)", took.Round(100*time.Millisecond))
	}
	return ""
}

// end ends the line of the answer.
func (a *liveAnswer) end() {
	a.endThought()
	if a.markdown == nil {
		fmt.Fprintln(a.env.stdout, withoutFileLinks(a.held))
		a.held = ""
		return
	}
	io.WriteString(a.screen.Writer, a.markdown.Close())
}

func (a *liveAnswer) endThought() {
	took, thought := a.thought.end()
	switch {
	case !thought || !writesToTerminal(a.env.stderr):
	case took < time.Second:
		a.note("thought briefly")
	default:
		a.note(fmt.Sprintf("thought for %.0f s", took.Seconds()))
	}
}

// A thoughtLine shows the end of what a model thinks on a line of a terminal.
type thoughtLine struct {
	progress *progressLine
	began    time.Time
	text     string // the line that is being thought
}

// thoughtBytes is how much of a line is kept.
const thoughtBytes = 1 << 10

func (t *thoughtLine) add(text string) {
	if t.began.IsZero() {
		t.began = time.Now()
	}
	text = t.text + text
	if lines := strings.Split(strings.TrimRight(text, "\n"), "\n"); len(lines) > 1 {
		text = strings.TrimRight(lines[len(lines)-1], " ") + text[len(strings.TrimRight(text, "\n")):]
	}
	t.text = text[max(0, len(text)-thoughtBytes):]
	t.progress.printClipped("thinking: " + strings.TrimSpace(strings.ToValidUTF8(t.text, "")))
}

// end removes the line, and returns how long the model has thought.
func (t *thoughtLine) end() (took time.Duration, thought bool) {
	if t.began.IsZero() {
		return 0, false
	}
	took = time.Since(t.began)
	t.progress.erase()
	t.began, t.text = time.Time{}, ""
	return took, true
}
