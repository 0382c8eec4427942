package packing

import (
	"context"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// Hit is a search result in the text that the turn sees.
type Hit struct {
	index.Hit
	named        bool      // the query names it
	relation     string    // how it was found, if it does not match the query itself
	Proposed     string    // id of the proposal that the text comes from
	code         *Item     // with its code; nil for a card
	implementers *subtypes // of a type; nil for most
	calls        []SymbolPlace
	sent         bool     // the model has read its code
	windows      []window // of the lines of its file, which its code shows
	covered      bool     // hits before it show all of its lines
	InParts      bool     // it is long, and some of its members were found, too
	asCard       *Item    // nil until it is needed
	tokens       int      // as a card; 0 until they are needed
}

// fewNamesakes is how many symbols of one name may all be meant by it. Of more, the one is that was found first.
const fewNamesakes = 3

// WithNamed returns hits behind the symbols that the query names, and these. They may be none of the hits: the words of
// their names may be everywhere.
func WithNamed(namesakes [][]index.Unit, hits []index.Hit) (all []index.Hit, named []index.Unit) {
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

// MarkNamed marks the hits that are one of the symbols that the query names.
func MarkNamed(hits []*Hit, named []index.Unit) {
	for _, h := range hits {
		h.named = slices.ContainsFunc(named, func(u index.Unit) bool { return isSymbol(&h.Unit, &u) })
	}
}

// WithoutPrototypes returns hits without declarations of functions that other hits define: these say the same, and
// where it is done.
func WithoutPrototypes(hits []*Hit) []*Hit {
	return slices.DeleteFunc(slices.Clone(hits), func(h *Hit) bool {
		return h.Kind == syntax.KindFunction && !h.named && slices.ContainsFunc(hits, func(other *Hit) bool {
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

// inFilesOfNamed returns the hits in files with a symbol that the query names.
func inFilesOfNamed(hits []*Hit) (found []*Hit) {
	for _, h := range hits {
		if slices.ContainsFunc(hits, func(other *Hit) bool { return other.named && other.Path == h.Path }) {
			found = append(found, h)
		}
	}
	return found
}

// isSymbol reports whether two units are the same symbol, perhaps in another text of its file.
func isSymbol(a, b *index.Unit) bool {
	return a.Path == b.Path && a.Canon == b.Canon && a.Kind == b.Kind
}

// longContainer is the size in bytes from which a container is not shown whole if some of its
// members were found, too.
const longContainer = 4 << 10

// CoversLater reports whether later hits are members of this one, which is long.
func (h *Hit) CoversLater(later []*Hit) bool {
	if h.EndByte-h.StartByte < longContainer {
		return false
	}
	return slices.ContainsFunc(later, func(other *Hit) bool {
		return other.Path == h.Path && h.StartByte < other.StartByte && other.EndByte <= h.EndByte
	})
}

// overlaps reports whether h shares lines with one of others.
func (h *Hit) overlaps(others []*Hit) bool {
	for _, other := range others {
		if other.Path == h.Path && h.StartLine <= other.EndLine && other.StartLine <= h.EndLine {
			return true
		}
	}
	return false
}

// notOnlyParts returns the hits that h is not only a part of.
func notOnlyParts(h *Hit, hits []*Hit) []*Hit {
	return slices.DeleteFunc(slices.Clone(hits), func(other *Hit) bool {
		return other.StartByte <= h.StartByte && h.EndByte <= other.EndByte &&
			other.EndByte-other.StartByte > h.EndByte-h.StartByte
	})
}

// expandedHits is the number of best hits whose related symbols are shown.
const expandedHits = 3

// RelatedHits returns the related symbols of the best hits in the graph that are not hits
// themselves, and for each hit the types that implement it; nil for most.
func RelatedHits(ctx context.Context, overlay *index.Overlay, hits []*Hit) (r Related, err error) {
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
		h := &Hit{Hit: index.Hit{Unit: n.Unit}, relation: string(n.Relation) + " " + n.To.Canon}
		if n.Relation == index.Implements {
			of := wording.PlaceID(n.To.Path, n.To.StartLine, n.To.EndLine)
			r.implementers[of] = r.implementers[of].with(h, n.Among)
		} else if !h.overlaps(notOnlyParts(h, hits)) && !h.overlaps(r.symbols) {
			r.symbols = append(r.symbols, h)
		}
	}
	return r, nil
}

// Related is what the graph has around the best hits.
type Related struct {
	symbols      []*Hit
	implementers map[string]*subtypes // by the ids of hits
	calls        map[string][]SymbolPlace
}

// with adds a type to the count of them.
func (i *subtypes) with(h *Hit, count int) *subtypes {
	if i == nil {
		i = &subtypes{Count: count}
	}
	i.First = append(i.First, SymbolPlace{ID: h.id(), Canon: h.Canon})
	return i
}
