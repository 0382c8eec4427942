package review

import (
	"fmt"
	"path/filepath"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
	"ploke-lsp/lsp/document"
)

const (
	maxQuoted  = 60  // characters of a proposal's title in menus and messages
	maxSummary = 120 // characters of a hunk's summary
)

// quotedTitle returns the title of a proposal for menus and messages.
func quotedTitle(p *edits.Proposal) string {
	title := p.Title
	if title == "" && len(p.Changes) > 0 {
		title = "edits of " + filepath.Base(p.Changes[0].Path)
	}
	return fmt.Sprintf("%q", display.Clip(display.Name(title), maxQuoted))
}

// extent says how much waits in a proposal, such as "3 places, 2 files".
func (w *inReview) extent() string {
	places := 0
	for _, f := range w.files {
		places += len(f.Hunks)
	}
	return count(places, "place") + ", " + count(len(w.files), "file")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// summary says in one line what a hunk does.
func summary(f *edits.Placed, h edits.PlacedHunk) string {
	switch {
	case f.Reason != "":
		return "no longer fits: " + display.Name(f.Reason)
	case h.Stale:
		return "no longer fits, because these lines have changed: reject it, or restore the lines"
	case h.Renames:
		return "rename the file to " + display.Name(filepath.Base(f.To))
	case f.Op == edits.OpCreate:
		return "create the file"
	case f.Op == edits.OpDelete:
		return "delete the file"
	}
	return lineSummary(f.File.Text, h.Edit)
}

// lineSummary says in one line what an edit does to the lines of a text.
func lineSummary(text []byte, e edits.Edit) string {
	start, end := document.WholeLines(text, e.Start, e.End)
	before, after := string(text[start:end]), string(text[start:e.Start])+e.New+string(text[e.End:end])
	if first, more := firstDifference(before, after); first != "" {
		return shortened(first, more)
	}
	if removed, more := firstDifference(after, before); removed != "" {
		return "remove " + shortened(removed, more)
	}
	return "change blank lines"
}

// shortened returns a line for a list, with the number of the lines that follow it.
func shortened(line string, more int) string {
	if more > 0 {
		return fmt.Sprintf("%s … (%s)", display.Clip(line, maxSummary), count(more, "more line"))
	}
	return display.Clip(line, maxSummary)
}

// firstDifference returns the first of the lines that only after has and that is not blank, and how
// many of them follow it.
func firstDifference(before, after string) (first string, more int) {
	old, lines := strings.Split(before, "\n"), strings.Split(after, "\n")
	for len(old) > 0 && len(lines) > 0 && old[0] == lines[0] {
		old, lines = old[1:], lines[1:]
	}
	for len(old) > 0 && len(lines) > 0 && old[len(old)-1] == lines[len(lines)-1] {
		old, lines = old[:len(old)-1], lines[:len(lines)-1]
	}
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			return display.Name(strings.TrimSpace(line)), len(lines) - i - 1
		}
	}
	return "", 0
}
