package main

import (
	"fmt"
	"io"
	"sync"

	"ploke-lsp/index"
	"ploke-lsp/internal/display"
	"ploke-lsp/project"
	"ploke-lsp/project/indexing"
)

// A progressLine shows progress on one line of a terminal. It writes nothing if the
// output is not a terminal. It is safe for concurrent use.
type progressLine struct {
	mu    sync.Mutex
	out   io.Writer // the terminal without escaping of control characters, or nil
	shown bool
}

func newProgressLine(w io.Writer) *progressLine {
	t, ok := w.(terminal)
	if !ok {
		return &progressLine{}
	}
	return &progressLine{out: t.Writer}
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
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out != nil {
		l.shown = true
		fmt.Fprintf(l.out, eraseLine+format, args...)
	}
}

// clear removes the line for good: what reports progress may go on, but a command's output follows.
func (l *progressLine) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown {
		fmt.Fprint(l.out, eraseLine)
	}
	l.out, l.shown = nil, false
}
