package main

import (
	"fmt"
	"io"
	"sync"

	"ploke-lsp/index"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/terminal"
	"ploke-lsp/project"
	"ploke-lsp/project/indexing"
)

// A progressLine shows progress on one line of a terminal. It writes nothing if the
// output is not a terminal. It is safe for concurrent use.
type progressLine struct {
	mu    sync.Mutex
	out   *screen // nil if it is no terminal, or one that can't erase a line
	shown bool
}

func newProgressLine(env environment, w io.Writer) *progressLine {
	if s, ok := w.(screen); ok && s.file != nil && env.getenv("TERM") != "dumb" {
		return &progressLine{out: &s}
	}
	return &progressLine{}
}

// eraseLine moves the cursor to the start of its line and clears the line.
const eraseLine = "\r\x1b[K"

func (l *progressLine) show(at index.Progress) {
	if at.Files < at.TotalFiles {
		l.print("indexing: %s", project.DescribeProgress(at))
	}
}

// showStatus shows how far the first indexing of an open project is; nil if nothing is being indexed.
func (l *progressLine) showStatus(at *indexing.ScanProgress) {
	if at != nil && at.Files < at.TotalFiles {
		l.print("indexing: %s", at)
	}
}

func (l *progressLine) showVectors(done, total int) {
	l.print("making vectors: %s of %s passages", display.Count(done), display.Count(total))
}

func (l *progressLine) print(format string, args ...any) {
	l.printClipped(fmt.Sprintf(format, args...))
}

// printClipped shows as much of a text as fits the line.
func (l *progressLine) printClipped(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out != nil {
		l.shown = true
		line := terminal.Styled(terminal.Clip(text, l.out.columns()-1), 0)
		io.WriteString(l.out.Writer, eraseLine+line)
	}
}

// erase removes the line until something is shown again.
func (l *progressLine) erase() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown {
		io.WriteString(l.out.Writer, eraseLine)
	}
	l.shown = false
}

// clear removes the line for good: what reports progress may go on, but a command's output follows.
func (l *progressLine) clear() {
	l.erase()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out = nil
}
