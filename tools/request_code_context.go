package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/packing"
	"ploke-lsp/tools/wording"
)

//go:embed request_code_context.md
var requestCodeContextDescription string

const (
	contextHits = 100 // requested from the index
	queryBytes  = 300 // of the query that the result repeats
	maxSnippets = 30  // results with code, however large the budget is
)

type requestCodeContextArgs struct {
	TokenBudget int    `json:"token_budget,omitempty" jsonschema:"default: the most"`
	Hint        string `json:"hint,omitempty" jsonschema:"what to search for"`
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
		return Result{}, wording.BadValue("hint", "there is nothing to search for", "send what to search for")
	}
	return d.PackContext(ctx, env, query, args.TokenBudget, packing.DefaultLayout)
}

// PackContext returns the result of request_code_context for a query. budget is in tokens of the
// result's text; 0 stands for the largest one.
func (d Deps) PackContext(ctx context.Context, env Env, query string, budget int,
	layout packing.Layout) (Result, error) {
	most := ContextTokens(d.resultLimit())
	if budget <= 0 {
		budget = most
	}
	found, err := d.findContext(ctx, env,
		contextQuery{text: query, budget: min(max(budget, minContextTokens), most), layout: layout})
	if err != nil {
		return Result{}, err
	}
	symbols, files := 0, map[string]bool{}
	for _, item := range found.Results {
		symbols += 1 + len(item.Siblings)
		path, _, _ := packing.CutPlace(item.ID)
		files[path] = true
	}
	return OK(found, fmt.Sprintf("searched for %q: %s in %s", wording.Cut(query, 80), wording.Plural(symbols, "result"),
		wording.Plural(len(files), "file")))
}

// contextQuery is what code is searched for, and how it is shown.
type contextQuery struct {
	text    string
	message string            // what of the text is asked now, "" for all of it
	names   index.SymbolNames // whose symbols are shown with their code, if the layout says so
	budget  int               // in tokens of the text
	layout  packing.Layout
	floor   float64  // hits with less than this share of the best one's score are left out
	sent    []string // texts that the model has read
	flow    bool     // what the best hits call is wanted
}

// findContext searches for code and fills the budget with it.
func (d Deps) findContext(ctx context.Context, env Env, q contextQuery) (packing.Result, error) {
	found, err := d.Index.Search(ctx, index.Query{Text: q.text, Limit: contextHits, Focused: true, Editor: d.Editor(ctx)})
	if err != nil {
		return packing.Result{}, err
	}
	doubt, err := doubtOf(ctx, d, q, found)
	if err != nil {
		return packing.Result{}, err
	}
	srcs := d.sources(env)
	overlay, err := srcs.Overlay(ctx)
	if err != nil {
		return packing.Result{}, err
	}
	hits, unknown, err := d.hitsOf(ctx, srcs, q, found.Hits)
	if err != nil {
		return packing.Result{}, err
	}
	p := packing.Packer{Ctx: ctx, Texts: turnTexts{srcs}, Paths: d.Workspace, Overlay: overlay, Layout: q.layout,
		Budget: q.budget,
		Terms:  index.QueryTerms(q.text), Sent: q.sent, Result: packing.Result{
			OK: true, Doubt: doubt, Query: wording.Cut(q.text, queryBytes), TopK: min(max(q.budget/200, 5), maxSnippets),
			Partial: found.Partial, Respelled: found.Respelled, WithoutVectors: wording.Cut(found.WithoutVectors, queryBytes)}}
	if q.layout.Named {
		if err := addUnknown(ctx, &p, srcs, q, unknown, packing.FirstFiles(hits, 1)); err != nil {
			return packing.Result{}, err
		}
	}
	scanned := scanAhead(ctx, d.sources(env), hits)
	defer scanned()
	if err := p.Pack(hits, packing.Async(func() (r packing.Related, err error) {
		if r, err = packing.RelatedHits(ctx, overlay, hits); err == nil && q.flow {
			err = r.Flow(ctx, d.Index, overlay, hits)
		}
		return r, err
	})); err != nil {
		return packing.Result{}, err
	}
	files := notScanned(ctx, p.Files(), scanned())
	half := packing.Async(func() (int, error) { return 0, noteSecretsOf(ctx, d.sources(env), files[:len(files)/2]) })
	err = noteSecretsOf(ctx, srcs, files[len(files)/2:])
	_, halfErr := half()
	return p.Result, errors.Join(err, halfErr)
}

// doubtOf says why probably none of the hits of a query fits, and returns "" if one may: if the person names a symbol,
// or if the message fits without what was said before.
func doubtOf(ctx context.Context, d Deps, q contextQuery, found *index.Results) (string, error) {
	why := found.Doubt()
	if why == "" {
		return "", nil
	}
	namesakes, err := d.Index.Named(ctx, q.names)
	if err != nil || slices.ContainsFunc(namesakes, func(all []index.Unit) bool { return len(all) > 0 }) {
		return "", err
	}
	if q.message != "" && q.message != q.text {
		alone, err := d.Index.Search(ctx, index.Query{Text: q.message, Limit: 1, Editor: d.Editor(ctx)})
		if err != nil || len(alone.Hits) > 0 && alone.Doubt() == "" {
			return "", err
		}
	}
	return why, nil
}

// hitsOf returns what is shown of the hits that were found, if there is room, and the names that no symbol has.
func (d Deps) hitsOf(ctx context.Context, srcs *current.Files, q contextQuery, found []index.Hit) (
	hits []*packing.Hit, unknown []string, err error) {
	namesakes, err := d.Index.Named(ctx, q.names)
	if err != nil {
		return nil, nil, err
	}
	above := aboveFloor(found, q.floor)
	if q.layout.Named {
		if above, err = d.withReadme(ctx, q.text, above); err != nil {
			return nil, nil, err
		}
	}
	above, named := packing.WithNamed(namesakes, above)
	if hits, err = resolveHits(ctx, srcs, above); err != nil {
		return nil, nil, err
	}
	packing.MarkNamed(hits, named)
	if q.layout.Named {
		hits = packing.WithoutPrototypes(hits)
	}
	return hits, q.names.Unknown(namesakes), nil
}

// scanAhead looks for the secrets of the files of hits in another goroutine, the best first, while it is decided which
// of them are shown. It notes nothing. stop ends it, and returns the secrets of the files that it has come to. The
// caller must call stop, and may do so again.
func scanAhead(ctx context.Context, srcs *current.Files, hits []*packing.Hit) (stop func() map[string][]string) {
	ctx, cancel := context.WithCancel(ctx)
	unnoted, _ := current.WithReadings(ctx)
	wait := packing.Async(func() (map[string][]string, error) {
		found := map[string][]string{}
		for _, path := range packing.FirstFiles(hits, len(hits)) {
			if ctx.Err() != nil {
				break
			}
			if secrets, err := srcs.SecretsOf(unnoted, path); err == nil { // else the caller gets the error
				found[path] = secrets
			}
		}
		return found, nil
	})
	return func() map[string][]string {
		cancel()
		found, _ := wait()
		return found
	}
}

// notScanned notes the secrets of the files that have been scanned ahead, and returns the other ones.
func notScanned(ctx context.Context, files []string, scanned map[string][]string) (others []string) {
	for _, path := range files {
		if secrets, ok := scanned[path]; ok {
			current.NoteAll(ctx, secrets)
		} else {
			others = append(others, path)
		}
	}
	return others
}

// noteSecretsOf notes the secrets of the files that a result shows.
func noteSecretsOf(ctx context.Context, srcs *current.Files, files []string) error {
	for _, path := range files {
		if _, err := srcs.SecretsOf(ctx, path); err != nil && !current.Unavailable(err) {
			return err
		}
	}
	return nil
}

// aboveFloor returns the hits that have at least a share of the best one's score.
func aboveFloor(hits []index.Hit, floor float64) []index.Hit {
	for i, h := range hits {
		if h.Score < floor*hits[0].Score {
			return hits[:i]
		}
	}
	return hits
}
