package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ploke-lsp/index/records"
	"ploke-lsp/index/shards"
	"ploke-lsp/index/traits"
	"ploke-lsp/internal/syntax"
)

// Edge is a reference with its target.
type Edge struct {
	Reference
	// Target is the referenced symbol. It is nil if the workspace does not declare it, or
	// if too many symbols have that name.
	Target *shards.Unit
	// Confidence is how certain Target is, from 0 to 1: Proven, Imported and so on,
	// divided by Candidates.
	Confidence float64
	// Candidates is the number of equally likely symbols. Overloads, variants for other
	// platforms, and a declaration with its definition count as one.
	Candidates int
	// Through is the interface whose method is named there, see [Overlay.ThroughInterfaces].
	Through string
}

// Edges below unlikely are shown only where there are no others, and those below hardly never.
const (
	unlikely = 0.15
	hardly   = 0.05
)

// LeastConfidence returns the confidence from which edges of one symbol are worth to be shown.
func LeastConfidence(edges []Edge) float64 {
	if slices.ContainsFunc(edges, func(e Edge) bool { return e.Confidence >= unlikely }) {
		return unlikely
	}
	return hardly
}

// resolvedRef is a reference in a module with its resolution.
type resolvedRef struct {
	ref syntax.Ref
	resolution
}

func sortEdges(edges []Edge) {
	slices.SortStableFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.StartByte, b.StartByte))
	})
}

// Outgoing returns the references in a symbol's own text, in their order, with their
// targets.
func (o *Overlay) Outgoing(ctx context.Context, of shards.Unit) ([]Edge, error) {
	var edges []Edge
	err := o.resolving(ctx, func(r *resolver) {
		edges = nil
		if m, src := r.at(of.Path); src != nil {
			edges = r.outgoing(m, src, of)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("looking for what %s refers to: %w", of.Canon, err)
	}
	return edges, nil
}

func (r *resolver) outgoing(m *Module, src *shards.CurrentText, of shards.Unit) (edges []Edge) {
	start, end := 0, len(src.Text)
	if of.Kind != syntax.KindFile {
		self, ok := r.find(of)
		if !ok {
			return nil
		}
		start, end = self.full().Start, self.full().End
	}
	lines := records.LineCounter{Text: src.Text}
	var targets []symbol // of the edges; without a module: none
	for _, ref := range m.references().InRange(start, end) {
		v := r.resolve(m, ref)
		if v.foreign {
			v = resolution{}
		}
		target, _ := v.best(m)
		targets = append(targets, target)
		edges = append(edges,
			Edge{Reference: m.reference(src, &lines, ref), Candidates: v.candidates(), Confidence: v.confidence()})
	}
	units := r.unitsOf(targets)
	for i, target := range targets {
		edges[i].Target = units[target]
	}
	return edges
}

// unitsOf describes the symbols whose texts still exist.
func (l *loader) unitsOf(symbols []symbol) map[symbol]*shards.Unit {
	units := map[symbol]*shards.Unit{}
	files := map[*Module]*shards.Selection{}
	for _, s := range symbols {
		if _, known := units[s]; known || s.Module == nil {
			continue
		}
		units[s] = nil
		if files[s.Module] == nil {
			files[s.Module] = &shards.Selection{Shard: s.Shard, Row: s.Module.row}
		}
		files[s.Module].Symbols = append(files[s.Module].Symbols, records.SelectedSymbol{Ordinal: s.at, Symbol: *s.full()})
	}
	for m, selected := range files {
		described, err := l.describeIn(m, *selected)
		l.err = cmp.Or(l.err, err)
		for ordinal, u := range described {
			units[symbol{m, ordinal}] = &u
		}
	}
	return units
}

// describeIn describes symbols of a module, by ordinal.
func (l *loader) describeIn(m *Module, selected shards.Selection) (map[int]shards.Unit, error) {
	if m.source == nil {
		return l.CurrentTexts.Describe(l.ctx, selected)
	}
	return m.source.Units(selected), nil
}

// best returns the most likely symbol for a reference in a module: a definition before a
// declaration, then the nearest.
func (v resolution) best(from *Module) (symbol, bool) {
	if len(v.symbols) == 0 {
		return symbol{}, false
	}
	return slices.MinFunc(v.symbols, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(declares(a), declares(b)), cmp.Compare(distance(from, a), distance(from, b)),
			cmp.Compare(a.Rel, b.Rel), cmp.Compare(a.at, b.at))
	}), true
}

func declares(s symbol) int {
	if s.full().Detail == "declaration" {
		return 1
	}
	return 0
}

// distance counts the folders between two files, and adds more for a test.
func distance(from *Module, to symbol) int {
	if from == to.Module {
		return 0
	}
	n := 1 + folderDistance(from.Rel, to.Rel)
	if traits.IsTest(to.Rel) && !traits.IsTest(from.Rel) {
		n += 100
	}
	return n
}

// folderDistance counts the folders between two files.
func folderDistance(a, b string) int {
	n, common := 0, 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			common = i + 1
		}
	}
	for _, rest := range []string{a[common:], b[common:]} {
		for _, c := range rest {
			if c == '/' {
				n++
			}
		}
	}
	return n
}
