package tools

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/index"
	"ploke-lsp/index/traits"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/packing"
	"ploke-lsp/tools/wording"
)

// edgesOf returns the edges of items in one direction, without duplicates, and the places with their
// name that could not be resolved. They are sorted, see sortEdges.
func edgesOf(ctx context.Context, overlay *index.Overlay, items []*current.Symbol,
	want direction) ([]index.Edge, []index.ReferencePlace, error) {
	best := make(map[location]index.Edge)
	unresolved := make(map[location]index.ReferencePlace)
	for _, it := range items {
		uses, err := find(ctx, overlay, it, want)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range uses.Edges {
			at := location{e.Path, e.StartByte}
			if known, ok := best[at]; selects(want, e.Kind) && (!ok || known.Confidence < e.Confidence) {
				best[at] = e
			}
		}
		for _, p := range uses.Unresolved {
			if selects(want, p.Kind) && (want != implementers || p.Kind == syntax.RefInherit) {
				unresolved[location{p.Path, p.Start}] = p
			}
		}
	}
	edges := make([]index.Edge, 0, len(best))
	for at, e := range best {
		edges = append(edges, e)
		delete(unresolved, at) // it is one of a namesake among the items
	}
	sortEdges(edges, want)
	others := slices.SortedFunc(maps.Values(unresolved), func(a, b index.ReferencePlace) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
	})
	return edges, others, nil
}

// sortEdges sorts the edges of one direction. Those of callees are in the order of the text. Of the others the likely
// ones come first, of these calls, of these those in source files.
func sortEdges(edges []index.Edge, want direction) {
	rank := map[string]int{}
	for _, e := range edges {
		rank[e.Path] = int(traits.PrecedenceOf(e.Rel, nil))
	}
	slices.SortFunc(edges, func(a, b index.Edge) int {
		byPlace := cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartByte, b.StartByte))
		if want == callees {
			return byPlace
		}
		return cmp.Or(trueFirst(a.Confidence >= packing.Likely, b.Confidence >= packing.Likely),
			trueFirst(a.Kind == syntax.RefCall, b.Kind == syntax.RefCall),
			cmp.Compare(rank[a.Path], rank[b.Path]), byPlace)
	})
}

// find returns the edges of an item in one direction, and the places that may be some.
func find(ctx context.Context, overlay *index.Overlay, it *current.Symbol,
	want direction) (found index.References, err error) {
	switch want {
	case callees:
		found.Edges, err = overlay.Outgoing(ctx, it.Unit())
		return found, err
	case implementers:
		if found, err = overlay.References(ctx, it.Unit()); err == nil {
			found.Edges, err = overlay.Implementers(ctx, it.Unit())
		}
		return found, err
	}
	if found, err = overlay.References(ctx, it.Unit()); err != nil {
		return found, err
	}
	through, err := overlay.ThroughInterfaces(ctx, it.Unit())
	found.Edges = append(found.Edges, through...)
	return found, err
}

// trueFirst compares so that true comes before false.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

type location struct {
	path string
	at   int
}

// selects reports whether the direction includes references of this kind.
func selects(want direction, kind syntax.RefKind) bool {
	switch want {
	case callers:
		return kind == syntax.RefCall
	case callees:
		return kind == syntax.RefCall || kind == syntax.RefType || kind == syntax.RefInherit
	}
	return true
}

// edgesFrom converts edges to the form that the model reads. If outward is set, they include
// their targets.
func edgesFrom(ctx context.Context, srcs *current.Files, found []index.Edge, outward bool) ([]edgeRef, error) {
	edges := []edgeRef{}
	for _, f := range found {
		e, err := edgeFrom(ctx, srcs, f.Reference)
		if err != nil {
			return nil, err
		}
		if !outward {
			e.Name = ""
		}
		e.Confidence, e.Through = math.Round(f.Confidence*100)/100, f.Through
		if f.Target != nil && outward {
			e.Target = &edgeTarget{Canon: f.Target.Canon, File: f.Target.Path, Line: f.Target.StartLine,
				Signature: f.Target.Signature}
		}
		edges = append(edges, e)
	}
	return edges, nil
}

func edgeFrom(ctx context.Context, srcs *current.Files, r index.Reference) (edgeRef, error) {
	e := edgeRef{Kind: string(r.Kind), File: r.Path, Line: r.Line, StartByte: r.StartByte, EndByte: r.EndByte,
		From: r.From, FromLine: r.FromLine, FileHash: r.FileHash, Text: wording.Cut(r.LineText, 200)}
	src, err := srcs.At(ctx, r.Path)
	switch {
	case err == nil && src.Hash == r.FileHash:
		e.Name = string(src.Text[r.StartByte:r.EndByte])
		e.Text, e.Proposed = src.LineText(r.StartByte), src.Proposed
		if r.Kind == syntax.RefCall {
			line := e.Text
			e.Text = src.CallText(r.StartByte, r.EndByte)
			e.Joined = e.Text != line
		}
	case err != nil && !current.Unavailable(err):
		return edgeRef{}, err
	}
	return e, nil
}

// occurrencesOf returns the identifiers that equal the items' name, and the words in the items'
// own doc comments that do, sorted by path and offset.
func occurrencesOf(ctx context.Context, srcs *current.Files, overlay *index.Overlay,
	items []*current.Symbol) ([]edgeRef, error) {
	refs, err := overlay.Occurrences(ctx, items[0].Name)
	if err != nil {
		return nil, err
	}
	var found []edgeRef
	for _, r := range refs {
		e, err := edgeFrom(ctx, srcs, r)
		if err != nil {
			return nil, err
		}
		e.Kind, e.Name = "occurrence", ""
		found = append(found, e)
	}
	for _, it := range items {
		found = append(found, namedInDoc(it)...)
	}
	slices.SortStableFunc(found, func(a, b edgeRef) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.StartByte, b.StartByte))
	})
	return found, nil
}

// namedInDoc returns the words of the item's doc comment that equal its name.
func namedInDoc(it *current.Symbol) []edgeRef {
	var found []edgeRef
	for _, sym := range it.File.Syntax().Symbols {
		if sym.Start != it.StartByte || sym.Canon != it.Canon || sym.Kind != it.Kind {
			continue
		}
		for _, at := range wordOffsets(it.File.Text[sym.DocStart:sym.DocEnd], it.Name) {
			start := sym.DocStart + at
			found = append(found, edgeIn(it.File, "doc", it.File.CanonOf(it.File.Enclosing(start)), start, start+len(it.Name)))
		}
	}
	return found
}

// wordOffsets returns the offsets at which word occurs in text as a complete word.
func wordOffsets(text []byte, word string) []int {
	var found []int
	for at := 0; ; at += len(word) {
		i := bytes.Index(text[at:], []byte(word))
		if i < 0 {
			return found
		}
		at += i
		before, _ := utf8.DecodeLastRune(text[:at])
		after, _ := utf8.DecodeRune(text[at+len(word):])
		if !inWord(before) && !inWord(after) {
			found = append(found, at)
		}
	}
}

func inWord(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// edgeIn returns an edge for a place of a file.
func edgeIn(s *current.File, kind, from string, start, end int) edgeRef {
	return edgeRef{Kind: kind, File: s.Path, Line: s.LineOf(start), StartByte: start, EndByte: end,
		From: from, FileHash: s.Hash, Text: s.LineText(start), Proposed: s.Proposed}
}

// containing returns the symbols that enclose an item, innermost first.
func containing(it *current.Symbol) []edgeRef {
	src := it.File
	found := []edgeRef{}
	symbols := src.Syntax().Symbols
	for i, sym := range symbols {
		if sym.Start != it.StartByte || sym.Canon != it.Canon {
			continue
		}
		for i = sym.Parent; i >= 0; i = symbols[i].Parent {
			e := edgeIn(src, "contains", src.CanonOf(symbols[i].Parent), symbols[i].NameStart, symbols[i].NameEnd)
			e.Name = symbols[i].Canon
			found = append(found, e)
		}
	}
	return found
}

// othersShown is how many places of the same name a result names.
const othersShown = 3

// otherPlaces are places with a symbol's name that could not be resolved to it.
type otherPlaces struct {
	Name  string      `json:"name"`
	Count int         `json:"count"`
	First []edgePlace `json:"first,omitempty"`
}

// edgePlace is a line of a file.
type edgePlace struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// othersNamed returns places that have a symbol's name, nil if there are none.
func othersNamed(ctx context.Context, srcs *current.Files, name string,
	places []index.ReferencePlace) (*otherPlaces, error) {
	if len(places) == 0 {
		return nil, nil
	}
	o := &otherPlaces{Name: name, Count: len(places)}
	for _, p := range places {
		if len(o.First) == othersShown {
			break
		}
		src, err := srcs.At(ctx, p.Path)
		switch {
		case err == nil && p.Start <= len(src.Text):
			o.First = append(o.First, edgePlace{p.Path, src.LineOf(p.Start)})
		case err != nil && !current.Unavailable(err):
			return nil, err
		}
	}
	return o, nil
}

// line says how many other places there are, where the first ones are, and what finds them all; "" without any.
func (o *otherPlaces) line(w *wording.Writer) string {
	if o == nil {
		return ""
	}
	var first []string
	for _, p := range o.First {
		first = append(first, fmt.Sprintf("%s:%d", w.Path(p.File), p.Line))
	}
	if o.Count > len(first) {
		first = append(first, "…")
	}
	return fmt.Sprintf("%s with that name could not be resolved (%s): %s", wording.Plural(o.Count, "other place"),
		strings.Join(first, ", "), findOthers(o.Name))
}

// findOthers says how the places of a name are found that are not known to mean a symbol.
func findOthers(name string) string { return "search_text for " + name + " finds them" }

// leftByRename says how many places a rename has left because they could not be resolved to the symbol, or mean
// another one.
func leftByRename(name string, count int) string {
	return fmt.Sprintf("left %s with that name that could not be resolved to it: %s", wording.Plural(count, "other place"),
		findOthers(name))
}
