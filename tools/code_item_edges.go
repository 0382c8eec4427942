package tools

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"ploke-lsp/index"
	"ploke-lsp/tools/ahead"
	"ploke-lsp/tools/compiled"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

//go:embed code_item_edges.md
var codeItemEdgesDescription string

// direction selects which edges of a symbol are listed.
type direction string

const (
	callers      direction = "callers"
	callees      direction = "callees"
	references   direction = "references"
	implementers direction = "implementers"
	occurrences  direction = "occurrences"
	containers   direction = "containers"
)

const (
	edgeCount    = 100
	maxEdgeCount = 1000
)

type codeItemEdgesArgs struct {
	Canon     string    `json:"canon" jsonschema:"name, or address in the file" secrets:"named"`
	File      string    `json:"file,omitempty" jsonschema:"that declares it" secrets:"named"`
	Kind      string    `json:"kind,omitempty" jsonschema:"tells namesakes apart"`
	Direction direction `json:"direction,omitempty"`
	Limit     int       `json:"limit,omitempty" jsonschema:"default 100"`
}

// edgeRef is one place that is connected to the symbol.
type edgeRef struct {
	Kind       string      `json:"kind"` // call, type, inherit, import, use; occurrence, doc; contains
	Name       string      `json:"name,omitempty"`
	Target     *edgeTarget `json:"target,omitempty"` // the symbol that is called or named there, or that implements
	Confidence float64     `json:"confidence,omitempty"`
	Through    string      `json:"through,omitempty"` // the interface whose method is named there
	File       string      `json:"file"`
	Line       int         `json:"line"`
	StartByte  int         `json:"start_byte"`
	EndByte    int         `json:"end_byte"`
	From       string      `json:"from"`                // canon of the enclosing symbol; "" for the file
	FromLine   int         `json:"from_line,omitempty"` // where that begins
	FileHash   string      `json:"file_hash"`
	Text       string      `json:"text"`               // the line; of a call all of its lines, if they are short
	Joined     bool        `json:"joined,omitempty"`   // Text is of several lines
	Proposed   string      `json:"proposed,omitempty"` // id of the proposal that the text comes from
}

// edgeTarget is a symbol and its declaration's place.
type edgeTarget struct {
	Canon     string `json:"canon"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Signature string `json:"signature,omitempty"` // of what is called or named
}

// otherEdges are the places that a symbol has in another direction.
type otherEdges struct {
	Direction direction      `json:"direction"`
	Count     int            `json:"count"`
	Kinds     map[string]int `json:"kinds"`
}

// provenance says what has found the places of a result.
type provenance struct {
	By          string `json:"by,omitempty"`            // if a compiler was asked: its name, or "name"
	ByNameSince string `json:"by_name_since,omitempty"` // why it is "name"
	// OutsideBuild are files with declarations that the compiler does not build, such as those of another system.
	OutsideBuild []string             `json:"outside_build,omitempty"`
	Compared     *compiled.Difference `json:"compared,omitempty"`
	ByNamePlaces int                  `json:"by_name_places,omitempty"` // of which the compiler knows nothing
	changed      bool                 // a text has changed while the compiler answered
}

type codeItemEdgesResult struct {
	OK        bool         `json:"ok"`
	Canon     string       `json:"canon"`
	Of        []edgeTarget `json:"of,omitempty"` // if several symbols have that name: the first of them
	Namesakes int          `json:"namesakes,omitempty"`
	Direction direction    `json:"direction"`
	Edges     []edgeRef    `json:"edges"`
	leftOut
	Instead  *otherEdges  `json:"instead,omitempty"`  // what there is if there are no edges
	Unlikely int          `json:"unlikely,omitempty"` // count of further places of that name, hardly of this symbol
	Others   *otherPlaces `json:"others,omitempty"`   // further places with that name, whose meaning is not known
	Partial  bool         `json:"partial,omitempty"`
	provenance
	Hint string `json:"hint,omitempty"`
}

// codeItemEdges lists edges. If a text changes while a compiler answers, it does so once more.
func (d Deps) codeItemEdges(ctx context.Context, env Env, args codeItemEdgesArgs) (Result, error) {
	result, err := edgesAsOfNow(ctx, d, env, args)
	if err == nil && result.changed {
		result, err = edgesAsOfNow(ctx, d, env, args)
	}
	if err != nil {
		return Result{}, err
	}
	places := wording.Plural(len(result.Edges)+result.Omitted, "place")
	return OK(*result, fmt.Sprintf("looked for %s of %s: %s", result.Direction, result.Canon, places))
}

func edgesAsOfNow(ctx context.Context, d Deps, env Env, args codeItemEdgesArgs) (*codeItemEdgesResult, error) {
	srcs := d.sources(env)
	found, nearest, err := srcs.Lookup(ctx, args.Canon, args.File, args.Kind)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, d.noSuchSymbol("canon", args.Canon, nearest)
	}
	limit, err := amount("limit", args.Limit, edgeCount, maxEdgeCount)
	if err != nil {
		return nil, err
	}
	result := &codeItemEdgesResult{OK: true, Canon: args.Canon, Direction: args.Direction, Partial: d.Index.Incomplete()}
	if args.Direction == "" {
		result.Direction = callers
	}
	result.meant(found)
	overlay, err := srcs.Overlay(ctx)
	if err != nil {
		return nil, err
	}
	if err := result.fill(ctx, d, srcs, overlay, found, limit); err != nil {
		return nil, err
	}
	switch {
	case result.Omitted > 0:
		result.Hint = "raise limit, or search_text in some of the files"
	case len(result.Edges) == 0:
		if err := result.lookElsewhere(ctx, srcs, overlay, found); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// fill sets the edges of the found symbols.
func (r *codeItemEdgesResult) fill(ctx context.Context, d Deps, srcs *current.Files, overlay *index.Overlay,
	found []*current.Symbol, limit int) (err error) {
	if (r.Direction == callees || r.Direction == containers) && len(found) > 1 {
		return current.WhichSymbol(found)
	}
	switch r.Direction {
	case containers:
		r.keep(containing(found[0]), limit)
		return nil
	case occurrences:
		edges, err := occurrencesOf(ctx, srcs, overlay, found)
		r.keep(edges, limit)
		return err
	}
	if at, ok := nameOf(found[0]); ok && d.Compiler != nil && (r.Direction == callers || r.Direction == references ||
		r.Direction == implementers && abstract(found[0])) {
		asked, end := ahead.Ask(ctx, d.Compiler, at, r.Direction == implementers)
		defer end()
		d.Compiler = asked
	}
	edges, unresolved, err := edgesOf(ctx, overlay, found, r.Direction)
	if err != nil {
		return err
	}
	known := false
	if r.Direction != callees {
		if edges, known, err = r.compile(ctx, d, srcs, found, edges); err != nil {
			return err
		}
	}
	if !known {
		if r.Others, err = othersNamed(ctx, srcs, found[0].Name, unresolved); err != nil {
			return err
		}
	}
	if r.Direction != callees && !known {
		least := index.LeastConfidence(edges)
		likely := slices.DeleteFunc(slices.Clone(edges), func(e index.Edge) bool { return e.Confidence < least })
		r.Unlikely, edges = len(edges)-len(likely), likely
	}
	for _, e := range edges[min(limit, len(edges)):] {
		r.leftOut.add(e.Path, 1)
	}
	outward := r.Direction == callees || r.Direction == implementers
	r.Edges, err = edgesFrom(ctx, srcs, edges[:len(edges)-r.Omitted], outward)
	return err
}

// keep sets the first limit edges, and counts the others.
func (r *codeItemEdgesResult) keep(edges []edgeRef, limit int) {
	for _, e := range edges[min(limit, len(edges)):] {
		r.leftOut.add(e.File, 1)
	}
	r.Edges = edges[:len(edges)-r.Omitted]
}

// shownSymbols is how many symbols of one name a result names.
const shownSymbols = 8

// meant names the symbols whose edges are listed.
func (r *codeItemEdgesResult) meant(found []*current.Symbol) {
	if len(found) == 1 {
		r.Canon = found[0].Canon
		return
	}
	r.Namesakes = len(found)
	for _, it := range found[:min(len(found), shownSymbols)] {
		r.Of = append(r.Of, edgeTarget{Canon: it.Canon, File: it.File.Path, Line: it.StartLine})
	}
}

// lookElsewhere sets what there is instead of edges.
func (r *codeItemEdgesResult) lookElsewhere(ctx context.Context, srcs *current.Files, overlay *index.Overlay,
	found []*current.Symbol) error {
	if r.Direction != callers && r.Direction != implementers && r.Direction != references {
		return nil
	}
	other := otherEdges{Direction: references, Kinds: map[string]int{}}
	edges, _, err := edgesOf(ctx, overlay, found, references)
	if err != nil {
		return err
	}
	least := index.LeastConfidence(edges)
	for _, e := range edges {
		if e.Confidence >= least {
			other.Count++
			other.Kinds[string(e.Kind)]++
		}
	}
	// a compiler knows that occurrences mean something else
	if byCompiler := r.By != "" && r.By != byName; other.Count == 0 && !byCompiler {
		places, err := occurrencesOf(ctx, srcs, overlay, found)
		if err != nil {
			return err
		}
		places = slices.DeleteFunc(places, func(e edgeRef) bool {
			return slices.ContainsFunc(found, func(it *current.Symbol) bool {
				return e.File == it.File.Path && it.StartLine <= e.Line && e.Line <= it.EndLine
			})
		})
		other = otherEdges{occurrences, len(places), nil}
	}
	if other.Count > 0 {
		r.Instead = &other
	}
	return nil
}
