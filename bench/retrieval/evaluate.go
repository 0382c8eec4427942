package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
)

// hits is how much of what is found is looked at.
const hits = 500

// evaluation is one run.
type evaluation struct {
	repo, cases, work, query, predictions string
	without                               []index.Channel
}

func (e *evaluation) all(ctx context.Context, log io.Writer) ([]score, error) {
	cases, err := readCases(e.cases)
	if err != nil {
		return nil, err
	}
	out := io.Discard
	if e.predictions != "" {
		f, err := os.Create(e.predictions)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		out = f
	}
	work := e.work
	if work == "" {
		if work, err = os.MkdirTemp("", "retrieval-*"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(work)
	}
	trees := checkouts{repo: e.repo, dir: work}
	var scores []score
	for _, c := range cases {
		p, err := e.predict(ctx, &trees, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
		if err := json.NewEncoder(out).Encode(p); err != nil {
			return nil, err
		}
		scores = append(scores, p.score(c))
		fmt.Fprintf(log, "\r%d of %d", len(scores), len(cases))
	}
	fmt.Fprintln(log)
	return scores, nil
}

// predict indexes the tree of a case and searches it.
func (e *evaluation) predict(ctx context.Context, trees *checkouts, c testCase) (p prediction, err error) {
	tree, err := trees.at(ctx, c.Commit)
	if err != nil {
		return p, err
	}
	ws, err := workspace.New([]string{tree}, workspace.Options{})
	if err != nil {
		return p, err
	}
	x, err := index.Open(ctx, ws, index.Options{Dir: func(string) string { return tree + ".index" }})
	if err != nil {
		return p, err
	}
	defer x.Close()
	if _, err := x.Update(ctx, nil); err != nil {
		return p, err
	}
	x.Settle()
	text := c.Subject
	if e.query == full {
		text = c.Query
	}
	found, err := x.Search(ctx, index.Query{Text: text, Limit: hits, Without: e.without})
	if err != nil {
		return p, err
	}
	return predicted(c, found.Hits), nil
}

// predicted are the places that were found, and their files, the best of each first.
func predicted(c testCase, hits []index.Hit) prediction {
	p := prediction{ID: c.ID, Files: []string{}, Spans: []span{}}
	scores := map[string]float64{}
	for _, h := range hits {
		rel := filepath.ToSlash(h.Rel)
		if _, ok := scores[rel]; !ok {
			p.Files = append(p.Files, rel)
		}
		scores[rel] = h.Signals["file"]
		p.Spans = append(p.Spans, span{rel, h.StartLine, h.EndLine})
	}
	slices.SortStableFunc(p.Files, func(a, b string) int { return cmp.Compare(scores[b], scores[a]) })
	return p
}
