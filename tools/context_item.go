package tools

import (
	"fmt"
	"math"
	"strings"

	"ploke-lsp/internal/o200k"
	"ploke-lsp/internal/syntax"
)

const (
	signatureBytes   = 160 // of a signature on a card
	docBytesShown    = 100 // of the doc comment beside a snippet
	minBodyLines     = 3   // if fewer lines of a code fit, it becomes a card
	maxBytesPerToken = 8   // code worth showing has fewer bytes per token
)

func (h *hit) id() string { return placeID(h.Path, h.StartLine, h.EndLine) }

// card returns the hit without its code.
func (h *hit) card() *contextItem {
	if h.asCard == nil {
		h.asCard = &contextItem{ID: h.id(), Canon: h.Canon, Kind: h.Kind, Signature: inLine(h.Signature, signatureBytes), Relation: h.relation, Proposed: h.proposed}
	}
	return h.asCard
}

// cardTokens returns how many tokens the hit takes as a card, without the heading of its file.
func (h *hit) cardTokens() int {
	if h.tokens == 0 {
		h.tokens = o200k.Count(h.card().line() + "\n")
	}
	return h.tokens
}

// tokensOf returns how many tokens a part of the text takes.
func (p *packer) tokensOf(write func(w *TextWriter)) int { return o200k.Count(p.textOf(write)) }

func (p *packer) textOf(write func(w *TextWriter)) string {
	w := &TextWriter{paths: p.srcs.deps.Workspace}
	write(w)
	return w.out.String()
}

// withCode returns the hit with its code, or with the beginning of it, in limit tokens at most, and
// how many tokens it takes. It returns nil if too little of the code fits, or if the text
// has just changed.
func (p *packer) withCode(h *hit, limit int) (item *contextItem, tokens int, err error) {
	text := h.Lines
	if text == "" {
		if text, err = p.srcs.code(p.ctx, h.Unit); err != nil && !unavailable(err) {
			return nil, 0, err
		}
	}
	if text == "" {
		return nil, 0, nil
	}
	text = endLine(text)
	if len(text) <= limit*maxBytesPerToken {
		item = h.shown(text, true)
		if tokens = p.tokensOf(item.write); tokens <= limit {
			return item, tokens, nil
		}
	}
	frame := h.shown("", false)
	withoutLast := text[:strings.LastIndexByte(text[:len(text)-1], '\n')+1]
	code := numberedLinesWithin(h.StartLine, withoutLast, limit-p.tokensOf(frame.write))
	if strings.Count(code, "\n") < minBodyLines {
		return nil, 0, nil
	}
	item = h.shown(code, false)
	return item, p.tokensOf(item.write), nil
}

// shown returns the item for the hit. code is its text or the beginning of it. Without the whole
// text there is no hash, which would let the model replace lines that it has not seen.
func (h *hit) shown(code string, complete bool) *contextItem {
	item := &contextItem{ID: h.id(), Score: round(h.Score), Canon: h.Canon, Kind: h.Kind,
		Signals: map[string]float64{}, Snippet: Snippet(h.Path, h.StartLine, code), Proposed: h.proposed}
	for name, value := range h.Signals {
		item.Signals[name] = round(value)
	}
	if complete && syntax.Plain(h.Canon) != h.Canon {
		item.Hash = h.Hash
	}
	if !strings.Contains(code, h.Doc) {
		item.Doc = inLine(h.Doc, docBytesShown)
	}
	if !complete {
		missing := h.StartLine + strings.Count(code, "\n")
		item.Cut = fmt.Sprintf("cut: lines %d to %d of %s are not shown; read_file shows them with start_line %d", missing, h.EndLine, h.Canon, missing)
	}
	return item
}

// round rounds to two decimals.
func round(x float64) float64 { return math.Round(x*100) / 100 }
