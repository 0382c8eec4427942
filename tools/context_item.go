package tools

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"ploke-lsp/internal/o200k"
	"ploke-lsp/internal/syntax"
)

const (
	signatureBytes = 160 // of a signature on a card
	docBytesShown  = 160 // of the doc comment beside a code
	minBodyLines   = 3   // a code of which less fits becomes a card
	tokenBytes     = 12  // more than tokens of code have on average
)

func (h hit) id() string { return placeID(h.Path, h.StartLine, h.EndLine) }

// card is the hit without its code.
func (h hit) card() contextItem {
	return contextItem{ID: h.id(), Canon: h.Canon, Kind: h.Kind, Signature: h.heading(), Relation: h.relation}
}

// sibling is the card in a line, for a result that names the file.
func (h hit) sibling() string {
	line := fmt.Sprintf("%d:%d %s %s", h.StartLine, h.EndLine, h.Canon, h.heading())
	if h.relation != "" {
		line += " (" + h.relation + ")"
	}
	return line
}

// heading is the signature in one line.
func (h hit) heading() string { return cut(folded(h.Signature), signatureBytes) }

// cardTokens is about how many tokens the hit takes as a card, or as a sibling of one.
func (h hit) cardTokens(first bool) int {
	const comma, list = 1, 5
	if first {
		return tokensOf(h.card()) + comma + list
	}
	return tokensOf(h.sibling()) + comma
}

// withCode is the hit with its code, or the beginning of it, and how many tokens it takes:
// at most limit, or 0 if too little of the code fits or its text has just changed.
func (p *packer) withCode(h hit, limit int) (item contextItem, tokens int, err error) {
	src, err := p.srcs.at(p.ctx, h.Path)
	switch {
	case err != nil && gone(err):
		return item, 0, nil
	case err != nil:
		return item, 0, err
	case !src.reads(h.Unit):
		return item, 0, nil
	}
	text := string(src.lines(h.StartLine, h.EndLine))
	within, _ := leadingLines(text, max(limit, 0)*tokenBytes)
	lines := strings.SplitAfter(strings.TrimSuffix(within, "\n"), "\n")
	show := func(n int) contextItem { return h.shown(text, strings.Join(lines[:n], "")) }
	n := len(lines)
	if item = show(n); tokensOf(item) > limit {
		n = sort.Search(n, func(n int) bool { return tokensOf(show(n+1)) > limit })
		item = show(n)
	}
	if item.Cut != "" && n < minBodyLines {
		return item, 0, nil
	}
	return item, tokensOf(item) + 1, nil
}

// shown is the hit with the beginning of its text as code.
func (h hit) shown(text, code string) contextItem {
	item := contextItem{ID: h.id(), Score: round(h.Score), Canon: h.Canon, Kind: h.Kind,
		Signals: map[string]float64{}, Snippet: Snippet(h.Path, h.StartLine, code)}
	for name, value := range h.Signals {
		item.Signals[name] = round(value)
	}
	if syntax.Plain(h.Canon) != h.Canon {
		item.Hash = h.Hash
	}
	if !strings.Contains(text, h.Doc) {
		item.Doc = cut(folded(h.Doc), docBytesShown)
	}
	if len(code) < len(strings.TrimSuffix(text, "\n")) {
		item.Cut = fmt.Sprintf("goes on to line %d: use read_file", h.EndLine)
	}
	return item
}

// tokensOf is how many tokens the JSON of v has.
func tokensOf(v any) int {
	data, err := encode(v)
	if err != nil {
		panic("tools: a result has no JSON: " + err.Error())
	}
	return o200k.Count(string(data))
}

// round keeps two digits behind the point: more says nothing.
func round(x float64) float64 { return math.Round(x*100) / 100 }
