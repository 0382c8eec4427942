package index

import (
	"context"

	"ploke-lsp/index/graph"
	"ploke-lsp/index/query"
	"ploke-lsp/index/shards"
	"ploke-lsp/internal/workspace"
)

// What the shards of an index hold and report; package shards describes it.
type (
	Options      = shards.Options
	Status       = shards.Status
	Progress     = shards.Progress
	Stats        = shards.Stats
	Seconds      = shards.Seconds
	Unit         = shards.Unit
	Extent       = shards.Extent
	Embedder     = shards.Embedder
	Passage      = shards.Passage
	EmbedOptions = shards.EmbedOptions
	Estimate     = shards.Estimate
)

// How the symbols of an index refer to each other; package graph describes it.
type (
	Overlay        = graph.Overlay
	Edge           = graph.Edge
	Reference      = graph.Reference
	References     = graph.References
	ReferencePlace = graph.ReferencePlace
	Place          = graph.Place
	RelatedSymbol  = graph.RelatedSymbol
	Relation       = graph.Relation
)

// LeastConfidence returns the confidence from which edges of one symbol are worth to be shown.
func LeastConfidence(edges []Edge) float64 { return graph.LeastConfidence(edges) }

// What an index is asked, and what it finds; package query describes it.
type (
	Query       = query.Query
	Results     = query.Results
	Hit         = query.Hit
	ScorePart   = query.ScorePart
	Respelling  = query.Respelling
	Evidence    = query.Evidence
	Editor      = query.Editor
	Subject     = query.Subject
	SymbolNames = query.SymbolNames
	SymbolQuery = query.SymbolQuery
	LookupQuery = query.LookupQuery
	TermWeights = query.TermWeights
	Channel     = query.Channel
)

// Channels lists all channels of a search. These two follow the history of the workspace.
var Channels = query.Channels

const (
	HistoryChannel = query.HistoryChannel // commits that are like the query
	RecencyChannel = query.RecencyChannel // how recently commits changed a file
	DenseChannel   = query.DenseChannel   // vectors near the query
)

// QueryTerms returns the terms of a query. Words of tasks, such as "fix", have low weights.
func QueryTerms(text string) TermWeights { return query.QueryTerms(text) }

// NamesIn returns the symbols that a text names.
func NamesIn(text string) SymbolNames { return query.NamesIn(text) }

// MaxQueryBytes bounds how much of a query is used, in bytes.
const MaxQueryBytes = query.MaxQueryBytes

// Quoted returns the texts that a message quotes, and the errors that it reports.
func Quoted(message string) []string { return query.Quoted(message) }

// NameWords returns the words of a name in camelCase or snake_case, in lower case.
func NameWords(name string) []string { return query.NameWords(name) }

// The relations that callers treat apart.
const (
	Calls      = graph.Calls
	Tests      = graph.Tests
	Implements = graph.Implements
)

// The states of an index.
const (
	Starting = shards.Starting // no update has begun yet
	Indexing = shards.Indexing
	Paused   = shards.Paused // by Pause, with or without work to do
	Ready    = shards.Ready
	Failed   = shards.Failed
)

// ErrDamaged is the error of a query that came upon damage. The next update builds the
// index again, see [shards.Set.OnDamage].
var ErrDamaged = shards.ErrDamaged

// Index is the index of a workspace. It is safe for concurrent use until Close.
type Index struct {
	*shards.Set
	*query.Searcher
}

// Open opens the index of each root of the workspace. It indexes nothing yet. It fails if
// an index folder can't be created, or holds the index of a newer program.
func Open(ctx context.Context, ws *workspace.Workspace, o shards.Options) (*Index, error) {
	set, err := shards.Open(ctx, ws, o)
	if err != nil {
		return nil, err
	}
	return &Index{set, query.NewSearcher(set.Reader())}, nil
}

// Overlay returns the index with these texts laid over it, by absolute path. The files may
// be new. Each call parses the texts, which must not be modified.
func (x *Index) Overlay(texts map[string][]byte) *graph.Overlay {
	return graph.NewOverlay(x.Reader(), texts)
}
