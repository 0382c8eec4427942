package tools

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/tools/wording"
)

// literal is a text of a message with different lines that have it, the rarest first.
type literal struct {
	Text  string
	Lines []literalLine
	More  int // different lines that are not shown
}

// literalLine is a line, trimmed, and the first place that has it.
type literalLine struct {
	File  string
	Line  int
	Text  string
	Count int // of its places
}

// likeNamed are the symbols of a file whose names have the verb of a name that no symbol has.
type likeNamed struct {
	Name    string
	File    string
	Symbols []symbolPlace
}

// isIn reports whether one of the texts that the model has read shows the lines.
func (l literal) isIn(paths wording.Paths, sent []string) bool {
	w := &wording.Writer{Paths: paths}
	l.write(w)
	return slices.ContainsFunc(sent, func(text string) bool { return strings.Contains(text, w.Out.String()) })
}

// addAlike adds what was found, as far as there is room, and deducts its tokens from limit.
func (p *packer) addAlike(limit *int) {
	for _, a := range p.alike {
		if tokens := p.tokensOf(a.write); tokens <= *limit {
			p.result.Alike = append(p.result.Alike, a)
			*limit -= tokens
		}
	}
}

func (l literal) write(w *wording.Writer) {
	w.Linef("with %s:", wording.JSON(l.Text))
	for _, line := range l.Lines {
		text := fmt.Sprintf("%s:%d: %s", w.Path(line.File), line.Line, line.Text)
		if line.Count > 1 {
			text += fmt.Sprintf(" (%d places)", line.Count)
		}
		w.Line(text)
	}
	if l.More > 0 {
		w.Linef("%d more lines", l.More)
	}
}

func (a likeNamed) write(w *wording.Writer) {
	var all []string
	for _, s := range a.Symbols {
		_, lines, _ := cutPlace(s.ID)
		all = append(all, lines+" "+s.Canon)
	}
	w.Linef("like %s in %s: %s", a.Name, w.Path(a.File), strings.Join(all, ", "))
}
