package packing

import (
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

const (
	// tellingBytes is how long a line is, with its number, that identifies a place: a shorter one, such
	// as a bracket, may be that of another file.
	tellingBytes = 24
	// nameLines is within how many lines the name of a symbol stands, behind its attributes.
	nameLines = 4
)

// markSent marks the lines of a hit that the model has read as shown.
func (p *Packer) markSent(c *codeOfHit) {
	if len(p.Sent) == 0 {
		return
	}
	if p.sentLines == nil {
		p.sentLines = map[string]bool{}
		for _, text := range p.Sent {
			for line := range strings.Lines(text) {
				p.sentLines[line] = len(line) >= tellingBytes
			}
		}
	}
	lines := strings.SplitAfter(wording.Numbered(c.first, c.text), "\n")
	for i := range min(len(c.shown), len(lines)) {
		c.shown[i] = c.shown[i] || p.sentLines[lines[i]]
	}
}

// knows reports whether the model has read the place of a hit: its card, the line with its name, or, of a file, a
// part of it.
func (p *Packer) knows(h *Hit) bool {
	card := *h.card()
	card.Relation = ""
	line := "\n" + card.line()
	return slices.ContainsFunc(p.Sent, func(sent string) bool {
		return strings.Contains(sent, line+"\n") || strings.Contains(sent, line+" (") ||
			strings.Contains(sent, h.Rel) && h.startsIn(sent)
	})
}

// startsIn reports whether a text that names the file of a hit shows the line with its name, or, of a file, any line.
func (h *Hit) startsIn(text string) bool {
	if h.Kind == syntax.KindFile {
		return strings.Contains(text, wording.Opening+h.Rel+`"`) || strings.Contains(text, "\n"+h.Rel+"\n")
	}
	for line := h.StartLine; line <= min(h.EndLine, h.StartLine+nameLines-1); line++ {
		if showsLine(text, line, h.Name) {
			return true
		}
	}
	return false
}

// showsLine reports whether a text has a line of code with this number and this name.
func showsLine(text string, number int, name string) bool {
	mark := strconv.Itoa(number) + wording.AfterNumber
	for before, rest, found := strings.Cut(text, mark); found; before, rest, found = strings.Cut(rest, mark) {
		line, _, _ := strings.Cut(rest, "\n")
		if (before == "" || strings.ContainsAny(before[len(before)-1:], " \n")) && strings.Contains(line, name) {
			return true
		}
	}
	return false
}
