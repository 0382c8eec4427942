package packing

import (
	"context"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/index/traits"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// A question is mostly about a flow: what the best results call is a part of its answer, whatever words it has.

const (
	flowSymbols = 2 // of which the calls are named
	flowCalls   = 6 // of each
	flowFar     = 3 // of these, in other files
)

var questionWord = lazyregexp.New(`(?i)^\W*(?:how|why|where|when|what|which|who|explain|describe|trace)\b`)

// Asks reports whether a message is a question.
func Asks(text string) bool {
	return strings.ContainsAny(text, "?？") || questionWord.MatchString(text)
}

// Flow adds what the best of the hits that run call, by the ids of these.
func (r *Related) Flow(ctx context.Context, x *index.Index, overlay *index.Overlay, hits []*Hit) error {
	r.calls = map[string][]SymbolPlace{}
	for _, h := range hits {
		if len(r.calls) == flowSymbols {
			return nil
		}
		if !Runs(h.Kind) || traits.PrecedenceOf(h.Rel, nil) != traits.Source {
			continue
		}
		edges, err := overlay.Outgoing(ctx, h.Unit)
		if err != nil {
			return err
		}
		if r.calls[h.id()], err = definitions(ctx, x, h.callsOf(edges)); err != nil {
			return err
		}
	}
	return nil
}

// definitions returns functions, and instead of prototypes their definitions.
func definitions(ctx context.Context, x *index.Index, calls []index.Unit) (places []SymbolPlace, err error) {
	for _, u := range calls {
		namesakes := []index.Unit{u}
		if u.StartLine == u.EndLine {
			if namesakes, _, err = x.Lookup(ctx, index.LookupQuery{Name: u.Canon, Kind: u.Kind}); err != nil {
				return nil, err
			}
		}
		for _, other := range namesakes {
			if defines(&other, &u) {
				u = other
			}
		}
		places = append(places,
			SymbolPlace{ID: wording.PlaceID(u.Path, u.StartLine, u.EndLine), Canon: syntax.Plain(u.Canon)})
	}
	return places, nil
}

// callsOf returns the symbols that the hit calls, those of its own file first, without those inside of it.
func (h *Hit) callsOf(edges []index.Edge) []index.Unit {
	var near, far []index.Unit
	isNew := func(all []index.Unit, u *index.Unit) bool {
		return !slices.ContainsFunc(all, func(other index.Unit) bool { return isSymbol(&other, u) })
	}
	for _, e := range edges {
		to := e.Target
		if e.Kind != syntax.RefCall || to == nil || e.Confidence < Likely || !Runs(to.Kind) {
			continue
		}
		switch own := to.Path == h.Path; {
		case own && h.StartByte <= to.StartByte && to.EndByte <= h.EndByte:
		case own && isNew(near, to):
			near = append(near, *to)
		case !own && isNew(far, to):
			far = append(far, *to)
		}
	}
	all := append(near, far[:min(len(far), flowFar)]...)
	return all[:min(len(all), flowCalls)]
}

// addCalls says what the best hits call, as far as there is room, and returns how many tokens it takes.
func (p *Packer) addCalls(hits []*Hit, found Related, room int) (used int) {
	if len(found.calls) == 0 {
		return 0
	}
	for _, h := range hits {
		calls := found.calls[h.id()]
		if len(calls) == 0 || h.sent {
			continue
		}
		tokens := p.tokensOf(func(w *wording.Writer) { writeCalls(w, h.Path, calls) })
		if used+tokens <= room {
			h.calls, used = calls, used+tokens
		}
	}
	return used
}

// writeCalls writes the calls of a symbol, those of its file without the path.
func writeCalls(w *wording.Writer, file string, calls []SymbolPlace) {
	var all []string
	for _, c := range calls {
		path, lines, _ := CutPlace(c.ID)
		if path == file {
			all = append(all, lines+" "+c.Canon)
		} else {
			all = append(all, w.Place(c.ID)+" "+c.Canon)
		}
	}
	if len(all) > 0 {
		w.Line("calls " + strings.Join(all, ", "))
	}
}

// Likely is the confidence from which an edge is one for a model, without a word of doubt.
const Likely = 0.5

// Runs reports whether a symbol is what runs, such as a function: its members are parts of how it does.
func Runs(kind syntax.Kind) bool {
	switch kind {
	case syntax.KindFunction, syntax.KindMethod, syntax.KindConstructor, syntax.KindTest, syntax.KindMacro:
		return true
	}
	return false
}
