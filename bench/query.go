package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ploke-lsp/index"
)

// The targets, in milliseconds.
const (
	queryTarget  = 1.0
	copiesTarget = 8.0 // on copies of the tree
	fuzzyTarget  = 3.0
	logTarget    = 8.0
	edgesTarget  = 30.0
)

// query runs the tree's queries on it.
func (b *bench) query(ctx context.Context, t *tree) error {
	if err := b.ready(ctx, t); err != nil {
		return err
	}
	q, err := b.querySet(ctx, t)
	if err != nil {
		return err
	}
	if err := b.queryTree(ctx, t, q, queryTarget); err != nil {
		return err
	}
	return b.codeContext(ctx, t, t, q, contextTarget)
}

// queryTree runs queries, which may be another tree's, on a tree.
func (b *bench) queryTree(ctx context.Context, t *tree, q *querySet, limit float64) error {
	a, _, err := runWorker[queryTimes](ctx, "search", queryRequest{t.dir, t.state, *q})
	if err != nil {
		return err
	}
	b.table.add(
		millis(t.name, "query, p50", percentile(a.Queries, 50)).note("%d queries, %d with a hit", len(q.Queries), a.Answered),
		millis(t.name, "query, p95", percentile(a.Queries, 95)).atMost(limit),
		millis(t.name, "query, processor, mean", a.QueryCPU/time.Duration(len(q.Queries))),
		millis(t.name, "misspelt name, p50", percentile(a.Fuzzy, 50)).
			note("%d names, %d recognized", len(q.Misspelt), a.Recognized),
		millis(t.name, "misspelt name, p95", percentile(a.Fuzzy, 95)).atMost(fuzzyTarget),
		millis(t.name, "misspelt name, processor, mean", a.FuzzyCPU/time.Duration(len(q.Misspelt))),
		millis(t.name, "pasted log, p95", percentile(a.Logs, 95)).atMost(logTarget).
			note("%d of %d KB", len(a.Logs), logSize>>10),
		millis(t.name, "incoming references of a common name, worst", slices.Max(a.Edges)).atMost(edgesTarget).
			note("of %s", strings.Join(a.Common, ", ")),
	)
	return nil
}

type queryRequest struct {
	Dir, State string
	Set        querySet
}

// queryTimes has the time of each query, and counts of the results.
type queryTimes struct {
	Queries, Fuzzy     []time.Duration
	Logs, Edges        []time.Duration
	Common             []string      // the names of Edges
	QueryCPU, FuzzyCPU time.Duration // sums
	Answered           int           // queries with at least one hit
	Recognized         int           // misspelt names whose correct name was suggested
}

// warmUpQueries is the number of unmeasured queries before the measurement.
const warmUpQueries = 10

func timeQueries(ctx context.Context, r queryRequest) (a queryTimes, err error) {
	x, err := open(ctx, r.Dir, r.State)
	if err != nil {
		return a, err
	}
	defer x.Close()
	for _, query := range r.Set.Queries[:min(warmUpQueries, len(r.Set.Queries))] {
		if _, err := x.Search(ctx, index.Query{Text: query}); err != nil {
			return a, err
		}
	}
	began := ownCPUTime()
	if err := a.timeSearches(ctx, x, r.Set.Queries); err != nil {
		return a, err
	}
	between := ownCPUTime()
	if err := a.timeLookups(ctx, x, r.Set.Misspelt); err != nil {
		return a, err
	}
	a.QueryCPU, a.FuzzyCPU = between-began, ownCPUTime()-between
	if err := a.timeLogs(ctx, x, r.Set.Queries); err != nil {
		return a, err
	}
	return a, a.timeEdges(ctx, x, r.Set.Common)
}

// logSize is the length of a pasted log in bytes.
const logSize = 8 << 10

// timeLogs searches for texts as long as a pasted log, of the words of the queries.
func (a *queryTimes) timeLogs(ctx context.Context, x *index.Index, queries []string) error {
	const count = 20
	for i := range count {
		var log strings.Builder
		for n := i; log.Len() < logSize; n++ {
			fmt.Fprintf(&log, "2026-01-02T03:04:%02d ERROR worker-%d %s\n", n%60, n, queries[n%len(queries)])
		}
		started := time.Now()
		if _, err := x.Search(ctx, index.Query{Text: log.String()[:logSize], Limit: 20}); err != nil {
			return err
		}
		a.Logs = append(a.Logs, time.Since(started))
	}
	return nil
}

// timeEdges looks for the incoming references of symbols with common names, one of each name.
func (a *queryTimes) timeEdges(ctx context.Context, x *index.Index, names []string) error {
	for _, name := range names {
		found, _, err := x.Lookup(ctx, index.LookupQuery{Name: name})
		if err != nil || len(found) == 0 {
			return errors.Join(err, fmt.Errorf("%s is not found", name))
		}
		started := time.Now()
		if _, err := x.Overlay(nil).Incoming(ctx, found[0]); err != nil {
			return err
		}
		a.Edges, a.Common = append(a.Edges, time.Since(started)), append(a.Common, name)
	}
	return nil
}

func (a *queryTimes) timeSearches(ctx context.Context, x *index.Index, queries []string) error {
	for _, query := range queries {
		started := time.Now()
		found, err := x.Search(ctx, index.Query{Text: query, Limit: 20})
		if err != nil {
			return err
		}
		a.Queries = append(a.Queries, time.Since(started))
		if len(found.Hits) > 0 {
			a.Answered++
		}
	}
	return nil
}

func (a *queryTimes) timeLookups(ctx context.Context, x *index.Index, names []misspelling) error {
	for _, m := range names {
		started := time.Now()
		_, nearest, err := x.Lookup(ctx, index.LookupQuery{Name: m.Typed})
		if err != nil {
			return err
		}
		a.Fuzzy = append(a.Fuzzy, time.Since(started))
		if slices.ContainsFunc(nearest, func(u index.Unit) bool { return u.Name == m.Meant }) {
			a.Recognized++
		}
	}
	return nil
}
