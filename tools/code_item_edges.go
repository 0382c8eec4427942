package tools

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/index"
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
	File      string    `json:"file,omitempty" jsonschema:"path of the file that declares it" secrets:"named"`
	Kind      string    `json:"kind,omitempty" jsonschema:"tells namesakes apart"`
	Direction direction `json:"direction,omitempty"`
	Limit     int       `json:"limit,omitempty" jsonschema:"edges, default 100, at most 1000"`
}

// edge is one place that is connected to the symbol.
type edge struct {
	Kind       string      `json:"kind"` // call, type, inherit, import, use; occurrence, doc; contains
	Name       string      `json:"name,omitempty"`
	Target     *edgeTarget `json:"target,omitempty"` // the symbol that is called or named there, or that implements
	Confidence float64     `json:"confidence,omitempty"`
	File       string      `json:"file"`
	Line       int         `json:"line"`
	StartByte  int         `json:"start_byte"`
	EndByte    int         `json:"end_byte"`
	From       string      `json:"from"` // canon of the enclosing symbol; "" for the file
	FileHash   string      `json:"file_hash"`
	Text       string      `json:"text"` // the line
}

// edgeTarget is a symbol and its declaration's place.
type edgeTarget struct {
	Canon string `json:"canon"`
	File  string `json:"file"`
	Line  int    `json:"line"`
}

type codeItemEdgesResult struct {
	OK        bool      `json:"ok"`
	Canon     string    `json:"canon"`
	Direction direction `json:"direction"`
	Edges     []edge    `json:"edges"`
	Omitted   int       `json:"omitted"`
	Unlikely  int       `json:"unlikely,omitempty"` // count of further places with that name that hardly mean this symbol
	Partial   bool      `json:"partial,omitempty"`
	Hint      string    `json:"hint,omitempty"`
}

func (d Deps) codeItemEdges(ctx context.Context, env Env, args codeItemEdgesArgs) (Result, error) {
	srcs := d.sources(env)
	found, nearest, err := d.lookup(ctx, env, srcs, args.Canon, args.File, args.Kind)
	if err != nil {
		return Result{}, err
	}
	if len(found) == 0 {
		return Result{}, d.noSuchSymbol("canon", args.Canon, nearest)
	}
	limit, err := amount("limit", args.Limit, edgeCount, maxEdgeCount)
	if err != nil {
		return Result{}, err
	}
	result := codeItemEdgesResult{OK: true, Canon: args.Canon, Direction: args.Direction, Partial: d.Index.Incomplete()}
	if args.Direction == "" {
		result.Direction = callers
	}
	if len(found) == 1 {
		result.Canon = found[0].canon
	}
	overlay, err := d.overlay(ctx, env, srcs)
	if err != nil {
		return Result{}, err
	}
	if err := result.fill(ctx, srcs, overlay, found, limit); err != nil {
		return Result{}, err
	}
	if result.Omitted > 0 {
		result.Hint = "raise limit, or search_text in some of the files"
	}
	places := plural(len(result.Edges)+result.Omitted, "place")
	return OK(result, fmt.Sprintf("looked for %s of %s: %s", result.Direction, result.Canon, places))
}

// fill sets the edges of the found symbols.
func (r *codeItemEdgesResult) fill(ctx context.Context, srcs *sources, overlay *index.Overlay, found []*codeItem, limit int) (err error) {
	if (r.Direction == callees || r.Direction == containers) && len(found) > 1 {
		return whichSymbol(found)
	}
	switch r.Direction {
	case containers:
		r.keep(containing(found[0]), limit)
		return nil
	case occurrences:
		edges, err := srcs.occurrences(ctx, overlay, found)
		r.keep(edges, limit)
		return err
	}
	edges, err := edgesOf(ctx, overlay, found, r.Direction)
	if err != nil {
		return err
	}
	if r.Direction != callees {
		likely := slices.DeleteFunc(slices.Clone(edges), func(e index.Edge) bool { return e.Confidence < minConfidence })
		r.Unlikely, edges = len(edges)-len(likely), likely
	}
	r.Omitted = max(0, len(edges)-limit)
	r.Edges, err = srcs.edgesFrom(ctx, edges[:len(edges)-r.Omitted], r.Direction == callees || r.Direction == implementers)
	return err
}

// keep sets the first limit edges, and the count of the others.
func (r *codeItemEdgesResult) keep(edges []edge, limit int) {
	r.Omitted = max(0, len(edges)-limit)
	r.Edges = edges[:len(edges)-r.Omitted]
}

// Text writes a line for each place, under a heading for each file.
func (r codeItemEdgesResult) Text(w *TextWriter) {
	w.Linef("%s of %s: %s", r.Direction, r.Canon, plural(len(r.Edges)+r.Omitted, "place"))
	file := ""
	for _, e := range r.Edges {
		if e.File != file {
			file = e.File
			w.Line(w.Path(file))
		}
		w.Linef("%d: %s", e.Line, strings.TrimSpace(e.Text))
		if e.Target != nil {
			w.Linef("  %s %s at %s:%d", e.Kind, e.Target.Canon, w.Path(e.Target.File), e.Target.Line)
		}
	}
	if r.Omitted > 0 {
		w.Linef("%s more: %s", plural(r.Omitted, "place"), r.Hint)
	}
	if r.Unlikely > 0 {
		w.Linef("%s with that name that hardly mean this symbol", plural(r.Unlikely, "place"))
	}
	if r.Partial {
		w.Line("the index is still being built")
	}
}
