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

// Around says how much of a file is wanted around a unit.
type Around struct {
	Before, After int // lines
	Whole         int // bytes of a file that is wanted whole
}

// Part is some of the lines of a file.
type Part struct {
	Text  string
	First int  // the number of the first line
	Whole bool // it is the whole file
}

// around returns what is wanted around a hit that may take as many tokens.
func (h *Hit) around(most int) Around {
	comment := strings.Count(h.Doc, "\n") + 1 + commentMarks
	return Around{Before: comment + 1 + fewBetween, After: 1 + fewBetween, Whole: most * fileBytesPerToken}
}

// withAround returns a hit with all of its code and the most of the lines around it that fit into the tokens, as
// withCode does; nil if none fit.
func (p *Packer) withAround(c *codeOfHit, most int) (item *Item, tokens int, err error) {
	if p.Layout.Named || c.Kind == syntax.KindFile || slices.Contains(c.shown, true) {
		return nil, 0, nil
	}
	file, err := p.surroundings(c, most)
	if file == nil || err != nil {
		return nil, 0, err
	}
	own := window{c.StartLine - 1, c.EndLine}
	wide := []window{file.joined(file.beside(file.withComment(own, c.Doc)))}
	if file.whole && bytesOf(file.lines) <= most*fileBytesPerToken {
		wide = []window{file.all(own), wide[0]}
	}
	for i, w := range wide {
		wide[i] = window{w.start - file.first, w.end - file.first}
	}
	if wide, err = p.withoutPartsOfSecrets(c.Path, file.lines, wide); err != nil {
		return nil, 0, err
	}
	for _, w := range wide {
		more := p.codeOf(c.Hit, file.first+w.start+1, file.lines[w.start:w.end])
		if item, tokens, err = p.inWindows(more, more.unseen(), most); item != nil || err != nil {
			return item, tokens, err
		}
	}
	return nil, 0, nil
}

// surroundings returns the lines around a code that may take as many tokens; nil if the code is no longer in its place.
func (p *Packer) surroundings(c *codeOfHit, most int) (*surroundings, error) {
	file := p.wholes[c.Path]
	if file == nil {
		part, err := p.Texts.Around(p.Ctx, c.Unit, c.around(most))
		if err != nil || part.Text == "" {
			return nil, err
		}
		file = &surroundings{lines: linesOf(part.Text), first: part.First - 1, whole: part.Whole}
		if file.whole {
			p.wholes[c.Path] = file
		}
	}
	start, end := c.StartLine-1-file.first, c.EndLine-file.first
	if end > len(file.lines) || !slices.Equal(file.lines[start:end], c.lines) {
		return nil, nil
	}
	file.shown = p.shown[c.Path]
	return file, nil
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

// surroundings are lines of a file. Windows in it, as lines that are shown, count from the beginning of the file.
type surroundings struct {
	lines []string
	first int // how many lines of the file come before them
	whole bool
	shown map[int]bool // by their numbers
}

// end is the line behind the last one.
func (f *surroundings) end() int { return f.first + len(f.lines) }

// all returns a window with all lines around it up to those that are shown.
func (f *surroundings) all(w window) window {
	for w.start > f.first && !f.shown[w.start] {
		w.start--
	}
	for w.end < f.end() && !f.shown[w.end+1] {
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
	for w.start > max(most, f.first) && !f.shown[w.start] && !f.blank(w.start-1) {
		w.start--
	}
	return w
}

// beside returns a window with the line before and the line after it, if these are not shown.
func (f *surroundings) beside(w window) window {
	if w.start > f.first && !f.shown[w.start] {
		w.start--
	}
	if w.end < f.end() && !f.shown[w.end+1] {
		w.end++
	}
	return w
}

// blank reports whether a line has no word.
func (f *surroundings) blank(line int) bool { return strings.TrimSpace(f.lines[line-f.first]) == "" }

// joined returns a window with the lines up to those that are shown before and after it, if they are few.
func (f *surroundings) joined(w window) window {
	for start := w.start; start >= max(w.start-fewBetween, f.first); start-- {
		if f.shown[start] {
			w.start = start
			break
		}
	}
	for end := w.end; end <= min(w.end+fewBetween, f.end()); end++ {
		if f.shown[end+1] {
			w.end = end
			break
		}
	}
	return w
}

// hasComment reports whether the code of an item begins above the symbol, so that its comment is in it.
func (item *Item) hasComment() bool {
	place, _, _ := strings.Cut(item.Snippet, "\n")
	return firstLine(strings.TrimSuffix(place, ">")) < firstLine(item.ID)
}

// firstLine returns the line at which a place begins.
func firstLine(place string) int {
	_, lines, _ := CutPlace(place)
	start, _, _ := strings.Cut(lines, ":")
	first, _ := strconv.Atoi(start)
	return first
}
