package packing

import (
	"fmt"
	"math"
	"slices"

	"ploke-lsp/index"
	"ploke-lsp/tools/wording"
)

const (
	headLines    = 2  // of a symbol, which are always shown
	aroundMatch  = 4  // lines shown before and after a line that matches
	joinedGap    = 3  // windows with fewer lines between them become one
	maxWindows   = 8  // of a symbol
	windowTokens = 25 // of the tags around a window, more or less
)

// window is a range of lines, 0-based; end is exclusive.
type window struct{ start, end int }

// windowsOf chooses the lines of a long symbol that are shown: its head, and the lines around those
// that match the terms best. A term counts less the more lines have it, and the more often it is
// shown already. tokens returns those of a line; limit bounds their sum. Without a match, it is
// the head as far as it fits, and nothing if less does. Lines that are shown already are left out.
// The windows are in the order of the text.
func windowsOf(lines []string, shown []bool, terms index.TermWeights, tokens func(line int) int, limit int) []window {
	c := &windowChoice{tokens: tokens, shown: slices.Clone(shown), left: limit, matches: matchesOf(lines, terms)}
	if !c.show(0, min(headLines, len(lines))) {
		return nil
	}
	if !c.showsAnyMatch() {
		for at := headLines; at < len(lines) && c.show(at, at+1); at++ {
		}
	}
	for i := range shown {
		c.shown[i] = c.shown[i] && !shown[i]
	}
	return rangesOf(c.shown)
}

// windowChoice collects the lines that are shown.
type windowChoice struct {
	tokens  func(line int) int
	shown   []bool
	left    int
	matches [][]*match // by line
}

// match is a term that a text has.
type match struct {
	query float64 // its weight in the query
	lines int     // that have it
	shown float64 // how many windows were chosen with it
	total int     // number of all lines
}

func (m *match) weight() float64 {
	return m.query * math.Log(1+float64(m.total)/float64(m.lines)) / (1 + m.shown)
}

// matchesOf returns for each line the terms in it.
func matchesOf(lines []string, terms index.TermWeights) [][]*match {
	all := map[string]*match{}
	for term, weight := range terms.All() {
		all[term] = &match{query: weight, total: len(lines)}
	}
	found := make([][]*match, len(lines))
	for i, line := range lines {
		for _, term := range terms.In(line) {
			all[term].lines++
			found[i] = append(found[i], all[term])
		}
	}
	return found
}

// showsAnyMatch shows the lines around the best matches, and reports whether there are any.
func (c *windowChoice) showsAnyMatch() (any bool) {
	for range maxWindows {
		best, score := -1, 0.0
		for i, matches := range c.matches {
			sum := 0.0
			for _, m := range matches {
				sum += m.weight()
			}
			if !c.shown[i] && sum > score {
				best, score = i, sum
			}
		}
		if best < 0 || !c.show(max(best-aroundMatch, 0), min(best+aroundMatch+1, len(c.shown))) {
			break
		}
		any = true
		for _, m := range c.matches[best] {
			m.shown++
		}
	}
	return any
}

// show shows lines if they fit.
func (c *windowChoice) show(start, end int) bool {
	start, end = c.joined(start, end)
	cost := 0
	if start > 0 && !c.shown[start-1] && end-start > 1 {
		cost = windowTokens
	}
	for i := start; i < end; i++ {
		if !c.shown[i] {
			cost += c.tokens(i)
		}
	}
	if cost > c.left {
		return false
	}
	c.left -= cost
	for i := start; i < end; i++ {
		c.shown[i] = true
	}
	return true
}

// joined returns the range with the short gaps to the lines before and after it that are shown.
func (c *windowChoice) joined(start, end int) (from, to int) {
	from, to = start, end
	for i := max(start-joinedGap, 0); i < start; i++ {
		if c.shown[i] {
			from = i + 1
			break
		}
	}
	for i := min(end+joinedGap, len(c.shown)) - 1; i >= end; i-- {
		if c.shown[i] {
			to = i
			break
		}
	}
	return from, to
}

// rangesOf returns the ranges of the lines that are set.
func rangesOf(set []bool) (ranges []window) {
	for i, on := range set {
		switch {
		case on && (i == 0 || !set[i-1]):
			ranges = append(ranges, window{i, i + 1})
		case on:
			ranges[len(ranges)-1].end = i + 1
		}
	}
	return ranges
}

// linesCut returns the ranges of lines that are neither in windows nor shown already.
func linesCut(windows []window, shown []bool) []window {
	set := slices.Clone(shown)
	for _, w := range windows {
		for i := w.start; i < w.end; i++ {
			set[i] = true
		}
	}
	return linesBeside(rangesOf(set), len(set))
}

// linesBeside returns the ranges of n lines between and after windows.
func linesBeside(windows []window, n int) (missing []window) {
	set := slices.Repeat([]bool{true}, n)
	for _, w := range windows {
		for i := w.start; i < w.end; i++ {
			set[i] = false
		}
	}
	return rangesOf(set)
}

// cutNote says which lines of a symbol are not shown. first is its first line.
func cutNote(first int, missing []window, canon string) string {
	var all []string
	for _, r := range missing {
		all = append(all, wording.LineRange(first+r.start, first+r.end-1))
	}
	return fmt.Sprintf("cut: %s of %s", wording.ListOfLines(all...), canon)
}

// withoutLast returns windows without some of the last lines.
func withoutLast(windows []window) []window {
	last := &windows[len(windows)-1]
	if last.end -= max(1, (last.end-last.start)/8); last.end > last.start {
		return windows
	}
	return windows[:len(windows)-1]
}
