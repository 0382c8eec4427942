package tools

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
)

//go:embed request_code_context.md
var requestCodeContextDescription string

const (
	contextHits = 100 // requested from the index
	queryBytes  = 300 // of the query that the result repeats
)

type requestCodeContextArgs struct {
	TokenBudget int    `json:"token_budget,omitempty" jsonschema:"default and at most 8192, unless the user has set another limit"`
	Hint        string `json:"hint,omitempty" jsonschema:"what to search for"`
}

// contextItem is a found symbol; without Snippet it is a card.
type contextItem struct {
	ID        string             `json:"id"` // path#START:END, the symbol's lines
	Score     float64            `json:"score,omitempty"`
	Canon     string             `json:"canon"`
	Kind      syntax.Kind        `json:"kind"`
	Signature string             `json:"signature,omitempty"` // of a card
	Doc       string             `json:"doc,omitempty"`
	Hash      string             `json:"hash,omitempty"`     // if the address alone is ambiguous
	Relation  string             `json:"relation,omitempty"` // of a card that is not a hit: calls X, tests X …
	Signals   map[string]float64 `json:"signals,omitempty"`
	Snippet   string             `json:"snippet,omitempty"`
	Cut       string             `json:"cut,omitempty"` // what the snippet lacks, and how to get it
	// The last item of a file may have siblings, too: one line for each further symbol of the
	// file, START:END canon signature (relation).
}

type requestCodeContextResult struct {
	OK      bool          `json:"ok"`
	Query   string        `json:"query"`
	TopK    int           `json:"top_k"`
	Results []contextItem `json:"results"` // empty here: see packer.encode
	Omitted int           `json:"omitted"`
	Partial bool          `json:"partial,omitempty"`
	Hint    string        `json:"hint,omitempty"`
	// WithoutVectors says why the vectors were not compared.
	WithoutVectors string `json:"without_vectors,omitempty"`
}

// foundContext is a result as [packer.encode] writes it.
type foundContext struct {
	requestCodeContextResult
	Results []struct {
		contextItem
		Siblings []string `json:"siblings"`
	} `json:"results"`
}

// Text writes the code of the best results, and a line for each other one.
func (r foundContext) Text(w *TextWriter) {
	for _, item := range r.Results {
		if item.Snippet != "" {
			w.Linef("%s %s", item.Kind, item.Canon)
			w.Shown(item.Snippet)
			w.Note(item.Cut)
		} else {
			w.Linef("%s %s %s", w.Place(item.ID), item.Kind, cmp.Or(item.Signature, item.Canon))
		}
		for _, sibling := range item.Siblings {
			w.Line("  " + sibling)
		}
	}
	if len(r.Results) == 0 {
		w.Line("nothing was found")
	}
	if r.Omitted > 0 {
		w.Linef("%s more: %s", plural(r.Omitted, "result"), r.Hint)
	}
	if r.Partial {
		w.Line("the index is still being built")
	}
	w.Note(r.WithoutVectors)
}

func (d Deps) requestCodeContext(ctx context.Context, env Env, args requestCodeContextArgs) (Result, error) {
	if _, err := amount("token_budget", args.TokenBudget, 0, args.TokenBudget); err != nil {
		return Result{}, err
	}
	query := args.Hint
	if strings.TrimSpace(query) == "" {
		query = env.LastUserMessage()
	}
	if strings.TrimSpace(query) == "" {
		return Result{}, badValue("hint", "there is nothing to search for", "send what to search for")
	}
	return d.PackContext(ctx, env, query, args.TokenBudget, DefaultLayout)
}

// PackContext returns the result of request_code_context for a query. budget is in tokens; 0
// stands for the largest one.
func (d Deps) PackContext(ctx context.Context, env Env, query string, budget int, layout Layout) (Result, error) {
	most := ContextTokens(d.resultLimit())
	if budget <= 0 {
		budget = most
	}
	budget = min(max(budget, minContextTokens), most)
	found, err := d.Index.Search(ctx, index.Query{Text: query, Limit: contextHits, Editor: d.Editor(ctx)})
	if err != nil {
		return Result{}, err
	}
	srcs := d.sources(env)
	hits, err := d.resolveHits(ctx, env, srcs, found.Hits)
	if err != nil {
		return Result{}, err
	}
	p := packer{ctx: ctx, srcs: srcs, layout: layout, budget: budget, result: requestCodeContextResult{
		OK: true, Query: cut(query, queryBytes), TopK: min(max(budget/200, 5), 20), Results: []contextItem{}, Partial: found.Partial, WithoutVectors: cut(found.WithoutVectors, queryBytes)}}
	related := async(func() ([]*hit, error) { return d.relatedHits(ctx, env, d.sources(env), hits) })
	content, err := p.pack(hits, related)
	if err != nil {
		return Result{}, err
	}
	for _, path := range p.files() {
		if _, err := srcs.at(ctx, path); err != nil && !unavailable(err) {
			return Result{}, err
		}
	}
	summary := fmt.Sprintf("searched for %q: %s in %s",
		cut(query, 80), plural(len(p.chosen), "result"), plural(len(p.files()), "file"))
	return Result{Content: json.RawMessage(content), Summary: oneLine(summary), OK: true}, nil
}

// async starts fn, and returns a function that waits for its result. The caller must call it.
// If fn panics, wait panics.
func async[T any](fn func() (T, error)) (wait func() (T, error)) {
	var (
		value    T
		err      error
		panicked any
	)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		value, err = fn()
	}()
	return func() (T, error) {
		<-done
		if panicked != nil {
			panic(panicked)
		}
		return value, err
	}
}
