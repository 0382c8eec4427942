package tools

import (
	"context"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// hit is a search result in the text that the turn sees.
type hit struct {
	index.Hit
	named        bool         // the query names it
	relation     string       // how it was found, if it does not match the query itself
	proposed     string       // id of the proposal that the text comes from
	code         *contextItem // with its code; nil for a card
	implementers *subtypes    // of a type; nil for most
	calls        []symbolPlace
	sent         bool         // the model has read its code
	windows      []window     // of its lines, which its code shows
	covered      bool         // hits before it show all of its lines
	inParts      bool         // it is long, and some of its members were found, too
	asCard       *contextItem // nil until it is needed
	tokens       int          // as a card; 0 until they are needed
}

// fewNamesakes is how many symbols of one name may all be meant by it. Of more, the one is that was found first.
const fewNamesakes = 3

// withNamed returns hits behind the symbols that the query names, and these. They may be none of the hits: the words of
// their names may be everywhere.
func withNamed(namesakes [][]index.Unit, hits []index.Hit) (all []index.Hit, named []index.Unit) {
	for _, group := range namesakes {
		for _, h := range hits {
			if len(group) > fewNamesakes &&
				slices.ContainsFunc(group, func(u index.Unit) bool { return isSymbol(&h.Unit, &u) }) {
				group = []index.Unit{h.Unit}
			}
		}
		if len(group) <= fewNamesakes {
			named = append(named, group...)
		}
	}
	for _, u := range named {
		hit := index.Hit{Unit: u, Signals: map[string]float64{}}
		if at := slices.IndexFunc(hits, func(h index.Hit) bool { return isSymbol(&h.Unit, &u) }); at >= 0 {
			hit = hits[at]
			hits = slices.Delete(slices.Clone(hits), at, at+1)
		}
		all = append(all, hit)
	}
	return append(all, hits...), named
}

// markNamed marks the hits that are one of the symbols that the query names.
func markNamed(hits []*hit, named []index.Unit) {
	for _, h := range hits {
		h.named = slices.ContainsFunc(named, func(u index.Unit) bool { return isSymbol(&h.Unit, &u) })
	}
}

// withoutPrototypes returns hits without declarations of functions that other hits define: these say the same, and
// where it is done.
func withoutPrototypes(hits []*hit) []*hit {
	return slices.DeleteFunc(slices.Clone(hits), func(h *hit) bool {
		return h.Kind == syntax.KindFunction && !h.named && slices.ContainsFunc(hits, func(other *hit) bool {
			return defines(&other.Unit, &h.Unit)
		})
	})
}

// defines reports whether a unit is the definition of a function of which another one is a declaration.
func defines(u, declaration *index.Unit) bool {
	same := u.Canon == declaration.Canon && u.Kind == declaration.Kind && u.Language == declaration.Language
	longer := u.EndLine-u.StartLine > declaration.EndLine-declaration.StartLine
	return same && longer && strings.TrimSuffix(u.Signature, ";") == strings.TrimSuffix(declaration.Signature, ";")
}

// besideNamed returns the hits in files with a symbol that the query names.
func besideNamed(hits []*hit) (beside []*hit) {
	for _, h := range hits {
		if slices.ContainsFunc(hits, func(other *hit) bool { return other.named && other.Path == h.Path }) {
			beside = append(beside, h)
		}
	}
	return beside
}

// isSymbol reports whether two units are the same symbol, perhaps in another text of its file.
func isSymbol(a, b *index.Unit) bool {
	return a.Path == b.Path && a.Canon == b.Canon && a.Kind == b.Kind
}

// longContainer is the size in bytes from which a container is not shown whole if some of its
// members were found, too.
const longContainer = 4 << 10

func (h *hit) coversLater(later []*hit) bool {
	if h.EndByte-h.StartByte < longContainer {
		return false
	}
	for _, other := range later {
		if other.Path == h.Path && h.StartByte < other.StartByte && other.EndByte <= h.EndByte {
			return true
		}
	}
	return false
}

// overlaps reports whether h shares lines with one of others.
func (h *hit) overlaps(others []*hit) bool {
	for _, other := range others {
		if other.Path == h.Path && h.StartLine <= other.EndLine && other.StartLine <= h.EndLine {
			return true
		}
	}
	return false
}

// beside returns the hits that h is not only a part of.
func beside(h *hit, hits []*hit) []*hit {
	return slices.DeleteFunc(slices.Clone(hits), func(other *hit) bool {
		return other.StartByte <= h.StartByte && h.EndByte <= other.EndByte &&
			other.EndByte-other.StartByte > h.EndByte-h.StartByte
	})
}

// expandedHits is the number of best hits whose related symbols are shown.
const expandedHits = 3

// relatedHits returns the related symbols of the best hits in the graph that are not hits
// themselves, and for each hit the types that implement it; nil for most.
func relatedHits(ctx context.Context, overlay *index.Overlay, hits []*hit) (r related, err error) {
	var best []index.Unit
	for _, h := range hits[:min(expandedHits, len(hits))] {
		best = append(best, h.Unit)
	}
	found, err := overlay.RelatedSymbols(ctx, best)
	if err != nil {
		return r, err
	}
	r.implementers = map[string]*subtypes{}
	for _, n := range found {
		h := &hit{Hit: index.Hit{Unit: n.Unit}, relation: string(n.Relation) + " " + n.To.Canon}
		if n.Relation == index.Implements {
			of := wording.PlaceID(n.To.Path, n.To.StartLine, n.To.EndLine)
			r.implementers[of] = r.implementers[of].with(h, n.Among)
		} else if !h.overlaps(beside(h, hits)) && !h.overlaps(r.symbols) {
			r.symbols = append(r.symbols, h)
		}
	}
	return r, nil
}

// related is what the graph has around the best hits.
type related struct {
	symbols      []*hit
	implementers map[string]*subtypes // by the ids of hits
	calls        map[string][]symbolPlace
}

// with adds a type to the count of them.
func (i *subtypes) with(h *hit, count int) *subtypes {
	if i == nil {
		i = &subtypes{Count: count}
	}
	i.First = append(i.First, symbolPlace{ID: h.id(), Canon: h.Canon})
	return i
}
