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
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
)

// maxHits bounds the search results that are evaluated.
const maxHits = 500

// evaluation is one run.
type evaluation struct {
	repos, cases             []string
	work, query, predictions string
	disabled                 []index.Channel
	ablation, budgets        bool
}

// caseResult has the scores of one case.
type caseResult struct {
	score    score
	ablated  []score // without one channel each, by index.Channels
	coverage [][]coverage
}

// run evaluates all cases of all repositories.
func (e *evaluation) run(ctx context.Context, log io.Writer) (all []caseResult, err error) {
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
	for i, repo := range e.repos {
		name := strings.TrimSuffix(filepath.Base(e.cases[i]), filepath.Ext(e.cases[i]))
		trees := checkouts{repo: repo, name: name, dir: work}
		cases, err := readCases(e.cases[i])
		if err != nil {
			return nil, err
		}
		for n, c := range cases {
			o, err := e.evaluateCase(ctx, &trees, c, json.NewEncoder(out))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.ID, err)
			}
			all = append(all, o)
			fmt.Fprintf(log, "\r%s: %d of %d", name, n+1, len(cases))
		}
		fmt.Fprintln(log)
	}
	return all, nil
}

// evaluateCase indexes the tree of a case and searches it.
func (e *evaluation) evaluateCase(ctx context.Context, trees *checkouts, c testCase, out *json.Encoder) (o caseResult, err error) {
	tree, err := trees.checkOut(ctx, c.Commit)
	if err != nil {
		return o, err
	}
	ws, err := workspace.New([]string{tree}, workspace.Options{})
	if err != nil {
		return o, err
	}
	x, err := index.Open(ctx, ws, index.Options{Dir: func(string) string { return tree + ".index" }})
	if err != nil {
		return o, err
	}
	defer x.Close()
	if _, err := x.Update(ctx, nil); err != nil {
		return o, err
	}
	x.Settle()
	text := c.Subject
	if e.query == full {
		text = c.Query
	}
	p, err := predict(ctx, x, c, text, e.disabled...)
	if err != nil {
		return o, err
	}
	o.score = p.score(c)
	if e.ablation {
		if o.ablated, err = e.ablate(ctx, x, c, text); err != nil {
			return o, err
		}
	}
	if e.budgets {
		if o.coverage, err = measureBudgets(ctx, ws, x, c, text); err != nil {
			return o, err
		}
	}
	return o, out.Encode(p)
}

// ablate returns the scores of the case without each channel.
func (e *evaluation) ablate(ctx context.Context, x *index.Index, c testCase, text string) (scores []score, err error) {
	for _, channel := range index.Channels {
		p, err := predict(ctx, x, c, text, append(slices.Clone(e.disabled), channel)...)
		if err != nil {
			return nil, err
		}
		scores = append(scores, p.score(c))
	}
	return scores, nil
}

// predict searches for a text and returns the hits and their files, best first.
func predict(ctx context.Context, x *index.Index, c testCase, text string, without ...index.Channel) (p prediction, err error) {
	found, err := x.Search(ctx, index.Query{Text: text, Limit: maxHits, Without: without})
	if err != nil {
		return p, err
	}
	p = prediction{ID: c.ID, Files: []string{}, Spans: []span{}}
	scores := map[string]float64{}
	for _, h := range found.Hits {
		rel := filepath.ToSlash(h.Rel)
		if _, ok := scores[rel]; !ok {
			p.Files = append(p.Files, rel)
		}
		scores[rel] = h.Signals["file"]
		p.Spans = append(p.Spans, span{rel, h.StartLine, h.EndLine})
	}
	slices.SortStableFunc(p.Files, func(a, b string) int { return cmp.Compare(scores[b], scores[a]) })
	return p, nil
}
