package tools

import (
	"cmp"
	"math"
	"slices"

	"ploke-lsp/internal/o200k"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

// room is how much of symbols a result may show.
type room struct {
	bytes, tokens int
	usual         int // tokens of long symbols unless a view is asked for
}

// room returns the room of all symbols of a result.
func (d Deps) room() room {
	r := room{d.inRoom(lookupBytes*5/4) * 4 / 5, math.MaxInt, usualTokens}
	if limit := d.resultLimit(); limit > 0 {
		r.tokens = limit - frameTokens
	}
	return r
}

// share returns the room of one of so many symbols.
func (r room) share(symbols int) room {
	return room{r.bytes / symbols, r.tokens / symbols, r.usual / symbols}
}

// take takes what a symbol takes of the room. A short one may take more than its share of what is usual.
func (r *room) take(shown lookedUpItem, share room) {
	code, _ := wording.SnippetIn(shown.Snippet)
	tokens := o200k.Count(wording.Numbered(code.StartLine, code.Text))
	r.bytes -= len(code.Text)
	for _, m := range shown.Outline {
		r.bytes -= len(m.text())
		tokens += o200k.Count(m.text()) + 1
	}
	r.tokens -= tokens
	r.usual -= min(tokens, share.usual)
}

// showAll shows items in a view, the short ones first: a long one gets what these leave.
func (d Deps) showAll(items []*current.Symbol, view lookupView) []lookedUpItem {
	all, left := make([]lookedUpItem, len(items)), d.room()
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(items[a].EndByte-items[a].StartByte, items[b].EndByte-items[b].StartByte)
	})
	for n, i := range order {
		share := left.share(len(items) - n)
		all[i] = itemView{items[i]}.show(view, share)
		left.take(all[i], share)
	}
	return all
}

// lines returns the beginning of code, as far as there is room. first is the number of its first
// line.
func (r *room) lines(first int, code string) string {
	code, _ = wording.LeadingLines(code, r.bytes)
	if r.tokens < math.MaxInt {
		code = numberedLinesWithin(first, code, r.tokens)
		r.tokens -= o200k.Count(wording.Numbered(first, code))
	}
	r.bytes -= len(code)
	return code
}

// members returns the first members, as far as there is room.
func (r *room) members(all []memberLine) []memberLine {
	for i, m := range all {
		if r.bytes -= len(m.text()); r.tokens < math.MaxInt {
			r.tokens -= o200k.Count(m.text()) + 1
		}
		if i == outlineLines || r.bytes < 0 || r.tokens < 0 {
			return all[:i]
		}
	}
	return all
}
