package tools

import (
	"fmt"
	"math"
	"strings"
)

// fill puts as many hits as fit into limit bytes of JSON into the result, the
// best first and so many of them with their code as top_k says. It returns how
// many were left out. One code may take a quarter of the limit, but enough to say
// something, and all of it three quarters, so that cards have room too.
func (r *requestCodeContextResult) fill(hits []hit, limit int) (omitted int, err error) {
	const hint = "ask again with a narrower hint, or look symbols up with code_item_lookup"
	frame := *r
	frame.Omitted, frame.Hint = len(hits), hint
	used, err := encodedSize(frame)
	if err != nil {
		return 0, err
	}
	forCode, forOne, bodies := limit*3/4, max(limit/4, 1500), 0
	for _, h := range hits {
		item := h.card()
		size, err := encodedSize(item)
		if err != nil {
			return 0, err
		}
		if used+size+1 > limit {
			break
		}
		if bodies < r.TopK {
			whole, more, err := h.withCode(item, min(forOne, forCode, limit-used-size-1))
			if err != nil {
				return 0, err
			}
			if more > 0 {
				item, size, forCode, bodies = whole, size+more, forCode-more, bodies+1
			}
		}
		r.Results = append(r.Results, item)
		used += size + 1
	}
	if omitted = len(hits) - len(r.Results); omitted > 0 {
		r.Hint = hint
	}
	return omitted, nil
}

// card is the hit without its code.
func (h hit) card() contextItem {
	signals := make(map[string]float64, len(h.signals))
	for name, value := range h.signals {
		signals[name] = round(value)
	}
	return contextItem{ID: h.id(), Score: round(h.score), Canon: h.canon, Kind: h.kind, Signature: h.signature,
		Doc: cut(h.doc, contextDocBytes), Hash: h.hash, Signals: signals}
}

// withCode is card with the hit's code, or its beginning, and the bytes that
// this adds to its JSON: at most limit, or 0 if too little of the code fits.
func (h hit) withCode(card contextItem, limit int) (item contextItem, added int, err error) {
	const fields = len(`,"snippet":,"cut":`) + len("line 1234567 is not the last: read on with read_file up to line 1234567")
	empty, err := encodedSize(Snippet(h.src.Path, h.startLine, ""))
	if err != nil {
		return card, 0, err
	}
	text := h.text()
	code, err := fitting(text, limit-empty-fields-8) // the line numbers may grow
	if err != nil {
		return card, 0, err
	}
	item = card
	if len(code) < len(text) {
		shown := strings.Count(code, "\n")
		if shown < minBodyLines {
			return card, 0, nil
		}
		item.Cut = fmt.Sprintf("line %d is not the last: read on with read_file up to line %d", h.startLine+shown-1, h.endLine)
	}
	item.Snippet = Snippet(h.src.Path, h.startLine, code)
	before, err := encodedSize(card)
	if err != nil {
		return card, 0, err
	}
	after, err := encodedSize(item)
	return item, after - before, err
}

// fitting is as many whole lines from the beginning of text as have a JSON of at
// most limit bytes.
func fitting(text string, limit int) (string, error) {
	end := 0
	for line := range strings.Lines(text) {
		size, err := encodedSize(line)
		if err != nil {
			return "", err
		}
		if limit -= size - 2; limit < 0 {
			break
		}
		end += len(line)
	}
	return text[:end], nil
}

func encodedSize(v any) (int, error) {
	data, err := encode(v)
	return len(data), err
}

// round keeps four digits behind the point: more says nothing.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }
