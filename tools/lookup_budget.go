package tools

import (
	"cmp"
	"math"
	"slices"

	"ploke-lsp/internal/o200k"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

// symbolBudget is how much of symbols a result may show.
type symbolBudget struct {
	bytes, tokens int
	usual         int // tokens of long symbols unless a view is asked for
}

// ofSymbols returns the budget of all symbols of a result.
func (b resultBudget) ofSymbols() symbolBudget {
	all := symbolBudget{b.window(lookupBytes*5/4) * 4 / 5, math.MaxInt, usualTokens}
	if b.limit > 0 {
		all.tokens = b.limit - frameTokens
	}
	return all
}

// share returns the budget of one of so many symbols.
func (b symbolBudget) share(symbols int) symbolBudget {
	return symbolBudget{b.bytes / symbols, b.tokens / symbols, b.usual / symbols}
}

// take deducts what a symbol needs. A short one may take more than its share of what is usual.
func (b *symbolBudget) take(shown lookedUpItem, share symbolBudget) {
	code, _ := wording.SnippetIn(shown.Snippet)
	tokens := o200k.Count(wording.Numbered(code.StartLine, code.Text))
	b.bytes -= len(code.Text)
	for _, m := range shown.Outline {
		b.bytes -= len(m.text())
		tokens += o200k.Count(m.text()) + 1
	}
	b.tokens -= tokens
	b.usual -= min(tokens, share.usual)
}

// showAll shows items in a view, the short ones first: a long one gets what these leave.
func (b resultBudget) showAll(items []*current.Symbol, view lookupView) []lookedUpItem {
	all, left := make([]lookedUpItem, len(items)), b.ofSymbols()
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

// lines returns the beginning of code, as far as the budget has them. first is the number of its first
// line.
func (b *symbolBudget) lines(first int, code string) string {
	code, _ = wording.LeadingLines(code, b.bytes)
	if b.tokens < math.MaxInt {
		code = numberedLinesWithin(first, code, b.tokens)
		b.tokens -= o200k.Count(wording.Numbered(first, code))
	}
	b.bytes -= len(code)
	return code
}

// members returns the first members, as far as the budget has them.
func (b *symbolBudget) members(all []memberLine) []memberLine {
	for i, m := range all {
		if b.bytes -= len(m.text()); b.tokens < math.MaxInt {
			b.tokens -= o200k.Count(m.text()) + 1
		}
		if i == outlineLines || b.bytes < 0 || b.tokens < 0 {
			return all[:i]
		}
	}
	return all
}
