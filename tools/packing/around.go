package packing

import (
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// Half of what a change needs in a file that is shown stands beside the code that was found: a new function is inserted
// behind another one, a comment is kept true, an import is added. So code comes with what is around it.

const (
	fileBytesPerToken = 3 // a file with fewer bytes per token may fit
	commentMarks      = 2 // lines of a comment that have no text of it
	fewBetween        = 5 // lines between two shown symbols that are shown, too
)

// withAround returns a hit with all of its code and the most of the lines around it that fit into the tokens, as
// withCode does; nil if none fit.
func (p *Packer) withAround(c *codeOfHit, most int) (item *Item, tokens int, err error) {
	if p.Layout.Named || c.Kind == syntax.KindFile || slices.Contains(c.shown, true) {
		return nil, 0, nil
	}
	lines, err := p.linesAround(c)
	if lines == nil || err != nil {
		return nil, 0, err
	}
	file := surroundings{lines, p.shown[c.Path]}
	own := window{c.StartLine - 1, c.EndLine}
	wide := []window{file.joined(file.beside(file.withComment(own, c.Doc)))}
	if bytesOf(lines) <= most*fileBytesPerToken {
		wide = []window{file.all(own), wide[0]}
	}
	if wide, err = p.withoutPartsOfSecrets(c.Path, lines, wide); err != nil {
		return nil, 0, err
	}
	for _, w := range wide {
		more := p.codeOf(c.Hit, w.start+1, file.lines[w.start:w.end])
		if item, tokens, err = p.inWindows(more, more.unseen(), most); item != nil || err != nil {
			return item, tokens, err
		}
	}
	return nil, 0, nil
}

// linesAround returns the lines of the file of a code; nil if the code is no longer in its place there.
func (p *Packer) linesAround(c *codeOfHit) ([]string, error) {
	lines, known := p.lines[c.Path]
	if !known {
		text, err := p.Texts.Whole(p.Ctx, c.Path)
		if err != nil {
			return nil, err
		}
		lines = linesOf(text)
		p.lines[c.Path] = lines
	}
	if c.EndLine > len(lines) || !slices.Equal(lines[c.StartLine-1:c.EndLine], c.lines) {
		return nil, nil
	}
	return lines, nil
}

func bytesOf(lines []string) (n int) {
	for _, line := range lines {
		n += len(line)
	}
	return n
}

// linesOf returns the lines of a text, each with its end.
func linesOf(text string) []string {
	lines := strings.SplitAfter(wording.EndLine(text), "\n")
	return lines[:len(lines)-1]
}

// surroundings are the lines of a file, and by their numbers which of them are shown.
type surroundings struct {
	lines []string
	shown map[int]bool
}

// all returns a window with all lines around it up to those that are shown.
func (f *surroundings) all(w window) window {
	for w.start > 0 && !f.shown[w.start] {
		w.start--
	}
	for w.end < len(f.lines) && !f.shown[w.end+1] {
		w.end++
	}
	return w
}

// withComment returns a window with the comment before it, in which a text stands.
func (f *surroundings) withComment(w window, text string) window {
	if text == "" {
		return w
	}
	most := w.start - strings.Count(text, "\n") - 1 - commentMarks
	for w.start > max(most, 0) && !f.shown[w.start] && !f.blank(w.start-1) {
		w.start--
	}
	return w
}

// beside returns a window with the line before and the line after it, if these are not shown.
func (f *surroundings) beside(w window) window {
	if w.start > 0 && !f.shown[w.start] {
		w.start--
	}
	if w.end < len(f.lines) && !f.shown[w.end+1] {
		w.end++
	}
	return w
}

// blank reports whether a line has no word.
func (f *surroundings) blank(line int) bool { return strings.TrimSpace(f.lines[line]) == "" }

// joined returns a window with the lines up to those that are shown before and after it, if they are few.
func (f *surroundings) joined(w window) window {
	for start := w.start; start >= max(w.start-fewBetween, 1); start-- {
		if f.shown[start] {
			w.start = start
			break
		}
	}
	for end := w.end; end <= min(w.end+fewBetween, len(f.lines)-1); end++ {
		if f.shown[end+1] {
			w.end = end
			break
		}
	}
	return w
}

// hasComment reports whether the code of an item begins above the symbol, so that its comment is in it.
func (item *Item) hasComment() bool {
	_, lines, _ := CutPlace(item.ID)
	start, _, _ := strings.Cut(lines, ":")
	first, err := strconv.Atoi(start)
	code, ok := wording.SnippetIn(item.Snippet)
	return err == nil && ok && code.StartLine < first
}
