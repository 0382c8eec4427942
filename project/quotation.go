package project

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/internal/notebook"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/wording"
)

const (
	// nearLines is how far any quotation may be moved, in lines.
	nearLines = 5
	// tellingLetters is how many letters and digits tell where a text is from, unlike a brace.
	tellingLetters = 8
	// distinctLetters is how many make it likely that other places with the same text are copies.
	distinctLetters = 24
)

// standing says whether a quotation stands in its file.
type standing int

const (
	unknown standing = iota // it was not looked for, or the file can't be read
	differs                 // the file has other text
	stands
)

// resolve returns a quotation as it is shown, and the place where it stands in the current text
// of its file. The model may have copied the numbers of lines along, its lines may be off, and it may
// have left some out.
func (q *quotations) resolve(ctx context.Context,
	said *wording.Code) (shown *wording.Code, c Citation, found standing) {
	shown = said
	read, err := q.readCited(ctx, said.Path)
	if err != nil {
		return withoutNumbers(said), c, unknown
	}
	file, view := shownAs(read)
	start, ok := findQuotation(file.Text, said.Text, said.StartLine)
	if !ok {
		shown = withoutNumbers(said)
		start, ok = findQuotation(file.Text, shown.Text, shown.StartLine)
	}
	end := start + strings.Count(shown.Text, "\n") - 1
	if !ok {
		start, end = said.StartLine, max(said.EndLine, said.AnnouncedEnd)
		ok = standsThereInPart(file.Text, shown.Text, start, end)
	}
	_, inFile := lineOf(file.Text, max(end, 1))
	if !ok || !inFile || end < start {
		return shown, c, differs
	}
	placed := *shown
	placed.StartLine, placed.EndLine = start, end
	c = citationOf(read, view, start, end)
	if view == nil {
		c.Canon = q.canonAt(ctx, file.Path, start, end)
	}
	return &placed, c, stands
}

// citationOf returns the place of lines in a file, given as a model reads it.
func citationOf(file *workspace.File, view *notebook.View, start, end int) Citation {
	at := fileLines(view, Lines{First: start, Last: end})
	last, _ := lineOf(file.Text, at.Last)
	c := Citation{Path: file.Path, StartLine: at.First, EndLine: at.Last, LastLine: last}
	if view != nil {
		c.Cell, _ = view.CellLine(start)
	}
	return c
}

// withoutNumbers returns a quotation without the numbers that a model has copied along. They say
// where it stands.
func withoutNumbers(code *wording.Code) *wording.Code {
	plain, first, ok := wording.Unnumbered(code.Text)
	if !ok {
		return code
	}
	return &wording.Code{Path: code.Path, StartLine: first, EndLine: first + code.EndLine - code.StartLine, Text: plain}
}

// findQuotation returns the line at which a quotation stands in a text: exactly, else with other
// white space at the ends of lines. Of several places it is the one nearest to the claimed line.
func findQuotation(text []byte, quotation string, claimed int) (start int, found bool) {
	if quotation == "" {
		return 0, false
	}
	in := string(text)
	start, found = nearest(in, quotation, claimed)
	if !found {
		in, quotation = trimLines(in), trimLines(quotation)
		start, found = nearest(in, quotation, claimed)
	}
	far := max(start-claimed, claimed-start) > nearLines
	if n := letters(quotation); far && (n < tellingLetters || n < distinctLetters && strings.Count(in, quotation) > 1) {
		return 0, false
	}
	return start, found
}

// nearest returns the line at which the lines of a quotation stand nearest to the claimed line.
func nearest(text, quotation string, claimed int) (start int, found bool) {
	text, quotation = "\n"+text, "\n"+quotation
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	at := lineOffset(text, claimed)
	before, after := strings.LastIndex(text[:min(len(text), at+len(quotation)-1)], quotation), strings.Index(text[at:],
		quotation)
	beforeLine, afterLine := 0, 0
	if before >= 0 {
		beforeLine = 1 + strings.Count(text[:before], "\n")
	}
	if after >= 0 {
		afterLine = 1 + strings.Count(text[:at+after], "\n")
	}
	switch {
	case before < 0 && after < 0:
		return 0, false
	case after < 0, before >= 0 && claimed-beforeLine <= afterLine-claimed:
		return beforeLine, true
	}
	return afterLine, true
}

// lineOffset returns the offset of the line break before a 1-based line of a text that begins with
// a line break; the text's length if it has no such line.
func lineOffset(text string, line int) int {
	at := 0
	for range line - 1 {
		next := strings.IndexByte(text[at+1:], '\n')
		if next < 0 {
			return len(text)
		}
		at += 1 + next
	}
	return at
}

// trimLines removes the white space at the ends of lines.
func trimLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRightFunc(line, unicode.IsSpace) + "\n")
	}
	return b.String()
}

// standsThereInPart reports whether a line of a quotation that tells where it is from stands in the
// lines start to end of a text, or begins one of them. The others may be left out or written in
// another way.
func standsThereInPart(text []byte, quotation string, start, end int) bool {
	var said []string
	for line := range strings.Lines(quotation) {
		if letters(line) >= tellingLetters {
			said = append(said, strings.TrimSpace(line))
		}
	}
	at := 0
	for line := range strings.Lines(string(text)) {
		if at++; at < start || at > end {
			continue
		}
		line = strings.TrimSpace(line)
		if slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(line, s) }) {
			return true
		}
	}
	return false
}

// letters counts the letters and digits of a text.
func letters(text string) (n int) {
	for _, c := range text {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			n++
		}
	}
	return n
}

// citeProposed returns a quotation as it is shown, and the place where it stands in a proposal that
// waits in the conversation. proposed is false if the quotation stands in its file already, or in no
// such proposal.
func (q *quotations) citeProposed(ctx context.Context, conversationID string,
	said *wording.Code) (shown *wording.Code, c Citation, proposed bool) {
	plain := *said
	if text, first, numbered := wording.Unnumbered(said.Text); numbered {
		plain.Text, plain.StartLine = text, first
	}
	if saved, err := q.readCited(ctx, said.Path); err == nil {
		saved, _ = shownAs(saved)
		if _, found := findQuotation(saved.Text, plain.Text, plain.StartLine); found {
			return said, c, false
		}
	}
	texts, err := q.edits.Staging.ProposedTexts(ctx, conversationID, said.Path)
	if err != nil {
		q.log.Warn("a quotation was not looked for in proposals", "error", err)
		return said, c, false
	}
	for _, t := range texts {
		file, view := shownAs(t.File)
		start, found := findQuotation(file.Text, plain.Text, plain.StartLine)
		if !found {
			continue
		}
		plain.StartLine, plain.EndLine = start, start+strings.Count(plain.Text, "\n")-1
		c = citationOf(t.File, view, plain.StartLine, plain.EndLine)
		c.Proposal, c.Changes = t.ProposalID, t.Changes
		return &plain, c, true
	}
	return said, c, false
}
