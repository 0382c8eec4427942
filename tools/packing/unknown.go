package packing

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/tools/wording"
)

// Literal is a text of a message with different lines that have it, the rarest first.
type Literal struct {
	Text  string
	Lines []LiteralLine
	More  int // different lines that are not shown
}

// LiteralLine is a line, trimmed, and the first place that has it.
type LiteralLine struct {
	File  string
	Line  int
	Text  string
	Count int // of its places
}

// LikeNamed are the symbols of a file whose names have the verb of a name that no symbol has.
type LikeNamed struct {
	Name    string
	File    string
	Symbols []SymbolPlace
}

// IsIn reports whether one of the texts that the model has read shows the lines.
func (l Literal) IsIn(paths wording.Paths, sent []string) bool {
	w := &wording.Writer{Paths: paths}
	l.write(w)
	return slices.ContainsFunc(sent, func(text string) bool { return strings.Contains(text, w.Out.String()) })
}

// addAlike adds what was found, as far as there is room, and deducts its tokens from limit.
func (p *Packer) addAlike(limit *int) {
	for _, a := range p.Alike {
		if tokens := p.tokensOf(a.write); tokens <= *limit {
			p.Result.Alike = append(p.Result.Alike, a)
			*limit -= tokens
		}
	}
}

func (l Literal) write(w *wording.Writer) {
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

func (a LikeNamed) write(w *wording.Writer) {
	var all []string
	for _, s := range a.Symbols {
		_, lines, _ := CutPlace(s.ID)
		all = append(all, lines+" "+s.Canon)
	}
	w.Linef("like %s in %s: %s", a.Name, w.Path(a.File), strings.Join(all, ", "))
}
