package tools

import (
	"fmt"
	"math"
	"strings"

	"ploke-lsp/internal/o200k"
	"ploke-lsp/internal/syntax"
)

const (
	signatureBytes = 160 // of a signature on a card
	docBytesShown  = 100 // of the doc comment beside a code
	minBodyLines   = 3   // a code of which less fits becomes a card
	bytesEach      = 16  // a token has less in any code worth showing
)

func (h *hit) id() string { return placeID(h.Path, h.StartLine, h.EndLine) }

// card is the hit without its code.
func (h *hit) card() contextItem {
	return contextItem{ID: h.id(), Canon: h.Canon, Kind: h.Kind, Signature: h.heading(), Relation: h.relation}
}

// sibling is the card in a line, for a result that names the file.
func (h *hit) sibling() string {
	line := fmt.Sprintf("%d:%d %s %s", h.StartLine, h.EndLine, h.Canon, h.heading())
	if h.relation != "" {
		line += " (" + h.relation + ")"
	}
	return line
}

// heading is the signature in one line.
func (h *hit) heading() string { return inLine(h.Signature, signatureBytes) }

// weigh is about how many tokens hits take as cards.
func weigh(hits []*hit) (tokens int) {
	files := map[string]bool{}
	for _, h := range hits {
		tokens += h.tokens(!files[h.Path])
		files[h.Path] = true
	}
	return tokens
}

// tokens is about what a hit takes as a card that is the first of its file, or not.
func (h *hit) tokens(first bool) int {
	const comma, list = 1, 5
	switch {
	case first && h.asCard == 0:
		h.asCard = tokensOf(h.card()) + comma + list
	case !first && h.asLine == 0:
		h.asLine = tokensOf(h.sibling()) + comma
	}
	if first {
		return h.asCard
	}
	return h.asLine
}

// withCode is the hit with its code, or the beginning of it, and about how many tokens it
// takes: at most limit. It is nil if too little of the code fits or its text has just changed.
func (p *packer) withCode(h *hit, limit int) (item *contextItem, tokens int, err error) {
	text, err := p.srcs.code(p.ctx, h.Unit)
	switch {
	case err != nil && !gone(err):
		return nil, 0, err
	case text == "":
		return nil, 0, nil
	}
	text = endLine(text)
	const comma = 1
	if len(text) <= limit*bytesEach {
		item = h.shown(text, true)
		if tokens = tokensOf(item) + comma; tokens <= limit {
			return item, tokens, nil
		}
	}
	frame := tokensOf(h.shown("", false)) + comma
	code, tokens := linesWithin(text, limit-frame)
	if strings.Count(code, "\n") < minBodyLines {
		return nil, 0, nil
	}
	return h.shown(code, false), frame + tokens, nil
}

// linesWithin is as many lines from the beginning of text, but not all, as have about
// limit tokens at most in JSON, and how many they have.
func linesWithin(text string, limit int) (lines string, tokens int) {
	end := 0
	for line := range strings.Lines(text) {
		more := tokensWithin(line)
		if tokens+more > limit || end+len(line) == len(text) {
			break
		}
		end, tokens = end+len(line), tokens+more
	}
	return text[:end], tokens
}

// shown is the hit with code, which is the beginning of its text or all of it.
func (h *hit) shown(code string, whole bool) *contextItem {
	item := &contextItem{ID: h.id(), Score: round(h.Score), Canon: h.Canon, Kind: h.Kind,
		Signals: map[string]float64{}, Snippet: Snippet(h.Path, h.StartLine, code)}
	for name, value := range h.Signals {
		item.Signals[name] = round(value)
	}
	if syntax.Plain(h.Canon) != h.Canon {
		item.Hash = h.Hash
	}
	if !strings.Contains(code, h.Doc) {
		item.Doc = inLine(h.Doc, docBytesShown)
	}
	if !whole {
		item.Cut = fmt.Sprintf("goes on to line %d: use read_file", h.EndLine)
	}
	return item
}

// tokensOf is how many tokens the JSON of v has.
func tokensOf(v any) int { return o200k.Count(jsonOf(v)) }

// tokensWithin is how many tokens the JSON of text has between its quotes.
func tokensWithin(text string) int {
	quoted := jsonOf(text)
	return o200k.Count(quoted[1 : len(quoted)-1])
}

func jsonOf(v any) string {
	data, err := encode(v)
	if err != nil {
		panic("tools: a result has no JSON: " + err.Error())
	}
	return string(data)
}

// round keeps two digits behind the point: more says nothing.
func round(x float64) float64 { return math.Round(x*100) / 100 }
