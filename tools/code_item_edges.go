package tools

import (
	"context"
	_ "embed"
	"fmt"

	"ploke-lsp/index"
)

//go:embed code_item_edges.md
var codeItemEdgesWords string

// direction says which edges of a symbol are meant.
type direction string

const (
	callers     direction = "callers"
	callees     direction = "callees"
	references  direction = "references"
	occurrences direction = "occurrences"
	containers  direction = "containers"
)

const (
	edgeCount    = 100
	maxEdgeCount = 1000
)

type codeItemEdgesArgs struct {
	Canon     string    `json:"canon" jsonschema:"name, or address in the file"`
	File      string    `json:"file,omitempty" jsonschema:"path of the file that declares it"`
	Kind      string    `json:"kind,omitempty" jsonschema:"tells namesakes apart"`
	Direction direction `json:"direction,omitempty"`
	Limit     int       `json:"limit,omitempty" jsonschema:"edges, default 100, at most 1000"`
}

// edge is one place that is connected to the symbol.
type edge struct {
	Kind      string `json:"kind"` // call, type, import, use; occurrence, doc; contains
	Name      string `json:"name,omitempty"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	StartByte int    `json:"start_byte"`
	EndByte   int    `json:"end_byte"`
	From      string `json:"from"` // canon of what encloses the place; "" for the file
	FileHash  string `json:"file_hash"`
	Text      string `json:"text"` // the line
}

type codeItemEdgesResult struct {
	OK        bool      `json:"ok"`
	Canon     string    `json:"canon"`
	Direction direction `json:"direction"`
	Edges     []edge    `json:"edges"`
	Omitted   int       `json:"omitted"`
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
	limit := edgeCount
	if args.Limit > 0 {
		limit = min(args.Limit, maxEdgeCount)
	}
	result := codeItemEdgesResult{OK: true, Canon: args.Canon, Direction: args.Direction, Partial: d.building()}
	if args.Direction == "" {
		result.Direction = callers
	}
	if len(found) == 1 {
		result.Canon = found[0].canon
	}
	switch result.Direction {
	case callees, containers:
		if len(found) > 1 {
			return Result{}, whichSymbol(found)
		}
		result.Edges = outward(found[0], result.Direction)
	default:
		m := mentions{deps: d, env: env, srcs: srcs, items: found, name: found[0].name, want: result.Direction}
		result.Edges, result.Omitted, err = m.edges(ctx, limit)
	}
	if err != nil {
		return Result{}, err
	}
	if beyond := len(result.Edges) - limit; beyond > 0 {
		result.Edges, result.Omitted = result.Edges[:limit], result.Omitted+beyond
	}
	if result.Omitted > 0 {
		result.Hint = "raise limit, or search_text in some of the files"
	}
	places := plural(len(result.Edges)+result.Omitted, "place")
	return OK(result, fmt.Sprintf("looked for %s of %s: %s", result.Direction, result.Canon, places))
}

// building reports whether the index doesn't know the whole workspace yet.
func (d Deps) building() bool {
	state := d.Index.Status().State
	return state == index.Starting || state == index.Indexing
}

func whichSymbol(found []*item) *Failure {
	f := &Failure{Message: found[0].name + " is the name of several symbols", Code: "ambiguous", Field: "canon",
		Hint: "send the canon, file and kind of one of the candidates"}
	for _, it := range found[:min(len(found), candidateCount)] {
		f.Candidates = append(f.Candidates, it.candidate())
	}
	return f
}
