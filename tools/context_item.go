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

// encoded is the JSON of an item or of a line, with its token count.
type encoded struct {
	json   string
	tokens int            // of the JSON alone
	body   o200k.Measured // the JSON without its last byte, so siblings can be inserted before it
}

func encodedOf(v any) *encoded {
	e := &encoded{json: jsonOf(v)}
	e.body = o200k.Measure(e.open())
	var sum o200k.Sum
	sum.Add(e.body)
	sum.AddText(e.json[len(e.open()):])
	e.tokens = sum.Tokens()
	return e
}

// open returns the JSON without its last byte.
func (e *encoded) open() string { return e.json[:len(e.json)-1] }

// card returns the hit without its code.
func (h *hit) card() *encoded {
	if h.asCard == nil {
		h.asCard = encodedOf(contextItem{ID: h.id(), Canon: h.Canon, Kind: h.Kind, Signature: h.heading(), Relation: h.relation, Proposed: h.proposed})
	}
	return h.asCard
}

// sibling returns the card as one line, for an item that names the file.
func (h *hit) sibling() *encoded {
	if h.asSibling == nil {
		line := fmt.Sprintf("%d:%d %s %s", h.StartLine, h.EndLine, h.Canon, h.heading())
		if h.relation != "" {
			line += " (" + h.relation + ")"
		}
		h.asSibling = encodedOf(line)
	}
	return h.asSibling
}

// heading returns the signature in one line.
func (h *hit) heading() string { return inLine(h.Signature, signatureBytes) }

// cardTokens estimates how many tokens hits take as cards.
func cardTokens(hits []*hit) (tokens int) {
	files := map[string]bool{}
	for _, h := range hits {
		tokens += h.tokens(!files[h.Path])
		files[h.Path] = true
	}
	return tokens
}

const commaTokens = 1 // tokens that an item or line takes in addition

// tokens estimates how many tokens the hit takes as a card. first says whether it is the first
// card of its file.
func (h *hit) tokens(first bool) int {
	const list = 5 // tokens of a list of siblings
	if first {
		return h.card().tokens + commaTokens + list
	}
	return h.sibling().tokens + commaTokens
}

// withCode returns the hit with its code, or with the beginning of it, in about limit tokens at
// most. It returns nil if too little of the code fits, or if the text has just changed.
func (p *packer) withCode(h *hit, limit int) (item *encoded, err error) {
	text := h.Lines
	if text == "" {
		if text, err = p.srcs.code(p.ctx, h.Unit); err != nil && !unavailable(err) {
			return nil, err
		}
	}
	if text == "" {
		return nil, nil
	}
	text = endLine(text)
	if len(text) <= limit*maxBytesPerToken {
		if item = encodedOf(h.shown(text, true)); item.tokens+commaTokens <= limit {
			return item, nil
		}
	}
	frame := encodedOf(h.shown("", false)).tokens + commaTokens
	code := linesWithin(text, limit-frame)
	if strings.Count(code, "\n") < minBodyLines {
		return nil, nil
	}
	return encodedOf(h.shown(code, false)), nil
}

// linesWithin returns as many lines from the beginning of text as take about limit tokens at
// most in JSON, but never all lines.
func linesWithin(text string, limit int) string {
	end, tokens := 0, 0
	for line := range strings.Lines(text) {
		quoted := jsonOf(line)
		tokens += o200k.Count(quoted[1 : len(quoted)-1])
		if tokens > limit || end+len(line) == len(text) {
			break
		}
		end += len(line)
	}
	return text[:end]
}

// shown returns the item for the hit. code is its text or the beginning of it.
func (h *hit) shown(code string, complete bool) *contextItem {
	item := &contextItem{ID: h.id(), Score: round(h.Score), Canon: h.Canon, Kind: h.Kind,
		Signals: map[string]float64{}, Snippet: Snippet(h.Path, h.StartLine, code), Proposed: h.proposed}
	for name, value := range h.Signals {
		item.Signals[name] = round(value)
	}
	if syntax.Plain(h.Canon) != h.Canon {
		item.Hash = h.Hash
	}
	if !strings.Contains(code, h.Doc) {
		item.Doc = inLine(h.Doc, docBytesShown)
	}
	if !complete {
		item.Cut = fmt.Sprintf("goes on to line %d: use read_file", h.EndLine)
	}
	return item
}

func jsonOf(v any) (text string) {
	if err := withJSON(v, func(encoded []byte) { text = string(encoded) }); err != nil {
		panic("tools: a result has no JSON: " + err.Error())
	}
	return text
}

// round rounds to two decimals.
func round(x float64) float64 { return math.Round(x*100) / 100 }
