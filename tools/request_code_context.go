package tools

import (
	"context"
	_ "embed"
	"fmt"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
)

//go:embed request_code_context.md
var requestCodeContextWords string

const (
	maxContextTokens = 8192
	minContextTokens = 200 // the frame of a result takes that much
	bytesPerToken    = 4   // at least as many tokens as models count in code
	contextHits      = 60  // asked of the index: more cards than that don't fit
	contextDocBytes  = 300
	queryBytes       = 300 // of the query that the result repeats
	minBodyLines     = 3   // a body of which less fits becomes a card
)

type requestCodeContextArgs struct {
	TokenBudget int    `json:"token_budget,omitempty" jsonschema:"default and at most 8192"`
	Hint        string `json:"hint,omitempty" jsonschema:"what to search for"`
}

// contextItem is a symbol that was found; without Snippet it is a card.
type contextItem struct {
	ID        string             `json:"id"` // path#START:END, the symbol's lines
	Score     float64            `json:"score"`
	Canon     string             `json:"canon"`
	Kind      syntax.Kind        `json:"kind"`
	Signature string             `json:"signature"`
	Doc       string             `json:"doc,omitempty"`
	Hash      string             `json:"hash"`
	Signals   map[string]float64 `json:"signals"`
	Snippet   string             `json:"snippet,omitempty"`
	Cut       string             `json:"cut,omitempty"` // what the snippet lacks, and how to get it
}

type requestCodeContextResult struct {
	OK      bool          `json:"ok"`
	Query   string        `json:"query"`
	TopK    int           `json:"top_k"`
	Results []contextItem `json:"results"`
	Omitted int           `json:"omitted"`
	Partial bool          `json:"partial,omitempty"`
	Hint    string        `json:"hint,omitempty"`
}

func (d Deps) requestCodeContext(ctx context.Context, env Env, args requestCodeContextArgs) (Result, error) {
	query := args.Hint
	if query == "" {
		query = env.LastUserMessage()
	}
	if query == "" {
		return Result{}, invalid("hint", "there is nothing to search for", "say what to look for")
	}
	budget := maxContextTokens
	if args.TokenBudget > 0 {
		budget = min(max(args.TokenBudget, minContextTokens), maxContextTokens)
	}
	topK := min(max(budget/200, 5), 20)
	found, err := d.Index.Search(ctx, index.Query{Text: query, Limit: contextHits})
	if err != nil {
		return Result{}, err
	}
	hits, err := d.present(ctx, env, found.Hits)
	if err != nil {
		return Result{}, err
	}
	result := requestCodeContextResult{OK: true, Query: cut(query, queryBytes), TopK: topK,
		Results: []contextItem{}, Partial: found.Partial}
	if result.Omitted, err = result.fill(hits, budget*bytesPerToken); err != nil {
		return Result{}, err
	}
	files := make(map[string]bool)
	for _, hit := range hits[:len(result.Results)] {
		files[hit.src.Path] = true
	}
	return OK(result, fmt.Sprintf("searched for %q: %s in %s",
		cut(query, 80), plural(len(result.Results), "result"), plural(len(files), "file")))
}

// hit is something that was found, as it stands in the text that the turn sees.
type hit struct {
	*item
	score   float64
	signals map[string]float64
}

// present finds the hits in the text that the turn sees, and leaves out those
// that are not there any more and those that lie in another one: of a container
// too long to be shown and its members the members stay.
func (d Deps) present(ctx context.Context, env Env, found []index.Hit) ([]hit, error) {
	srcs := d.sources(env)
	var all []hit
	for _, f := range found {
		it, err := srcs.find(ctx, f.Unit)
		if err != nil {
			return nil, err
		}
		if it != nil {
			all = append(all, hit{it, f.Score, f.Signals})
		}
	}
	var kept []hit
	for i, h := range all {
		if !yields(h, all[i+1:]) && !overlaps(h, kept) {
			kept = append(kept, h)
		}
	}
	return kept, nil
}

// longContainer is from how many bytes on a container is too long to be shown
// where its members were found too.
const longContainer = 4 << 10

func yields(h hit, later []hit) bool {
	if h.endByte-h.startByte < longContainer {
		return false
	}
	for _, other := range later {
		if other.src == h.src && h.startByte < other.startByte && other.endByte <= h.endByte {
			return true
		}
	}
	return false
}

// overlaps reports whether h shares lines with one of others.
func overlaps(h hit, others []hit) bool {
	for _, other := range others {
		if other.src == h.src && h.startLine <= other.endLine && other.startLine <= h.endLine {
			return true
		}
	}
	return false
}
