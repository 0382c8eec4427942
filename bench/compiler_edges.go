package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
)

// answerTarget is how many milliseconds a call of code_item_edges may take longer than the language server itself.
const answerTarget = 10.0

// compiledEdges compares the places that are found by name with those of the server.
func (b *bench) compiledEdges(ctx context.Context, p *compiledCode) error {
	symbols, first := b.sampling.symbols, time.Now()
	if err := p.ready(ctx); err != nil {
		return err
	}
	b.table.add(seconds(p.name, "start to the first answer", time.Since(first)))
	calls := map[syntax.Kind]bool{syntax.KindFunction: true, syntax.KindMethod: true}
	types := map[syntax.Kind]bool{syntax.KindFunction: true, syntax.KindMethod: true, syntax.KindClass: true,
		syntax.KindStruct: true, syntax.KindInterface: true, syntax.KindType: true, syntax.KindEnum: true}
	abstract := map[syntax.Kind]bool{syntax.KindInterface: true, syntax.KindTrait: true}
	for _, ask := range []struct {
		direction string
		kinds     map[syntax.Kind]bool
	}{{"callers", calls}, {"references", types}, {"implementers", abstract}} {
		var all sameness
		p.overhead, p.whole, p.own = nil, nil, nil
		for _, u := range p.draw(ask.direction, symbols, ask.kinds) {
			one, err := p.compare(ctx, u, ask.direction)
			if err != nil {
				return err
			}
			all.add(one)
		}
		if all.symbols == 0 {
			continue
		}
		b.table.add(
			share(p.name, ask.direction+" that are missed by name", all.server-all.both, all.server).
				note("of %d, of %d symbols; %d without an answer", all.server, all.symbols, all.unanswered),
			share(p.name, ask.direction+" by name that are wrong", all.index-all.both, all.index).note("of %d", all.index),
			millis(p.name, ask.direction+", a call, p50", percentile(p.whole, 50)).
				vs("the server", inMillis(percentile(p.own, 50))),
			millis(p.name, ask.direction+", a call, p95", percentile(p.whole, 95)).
				vs("the server", inMillis(percentile(p.own, 95))),
			millis(p.name, ask.direction+", a call less the server, p95", percentile(p.overhead, 95)).atMost(answerTarget),
		)
	}
	for _, state := range p.servers.States(ctx) {
		b.table.add(megabytes(p.name, "memory of the server", state.Bytes))
	}
	return nil
}

// share is a part of a whole in percent.
func share(tree, name string, part, whole int) figure {
	return figure{Tree: tree, Name: name, Value: 100 * float64(part) / float64(max(1, whole)), Unit: "%"}
}

// sameness counts the places that both lists have, and each.
type sameness struct{ symbols, unanswered, both, server, index int }

func (s *sameness) add(o sameness) {
	s.symbols, s.unanswered = s.symbols+o.symbols, s.unanswered+o.unanswered
	s.both, s.server, s.index = s.both+o.both, s.server+o.server, s.index+o.index
}

// sortEdgePlaces sorts places by file and offset.
func sortEdgePlaces(places []edgePlace) {
	slices.SortFunc(places, func(a, b edgePlace) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.at, b.at))
	})
}

// edgePlace is where an edge is.
type edgePlace struct {
	file string
	at   int
}

// edgesResult is what is read of a result of code_item_edges.
type edgesResult struct {
	OK    bool
	By    string
	Since string `json:"by_name_since"`
	Edges []struct {
		File      string
		Line      int
		StartByte int `json:"start_byte"`
		Text      string
		Target    *struct {
			File string
			Line int
		}
	}
}

// places returns the places of a result with their lines. Of implementers, they are the declarations.
func (r *edgesResult) places(direction string) map[edgePlace]string {
	all := map[edgePlace]string{}
	for _, e := range r.Edges {
		at, line := edgePlace{e.File, e.StartByte}, fmt.Sprintf("%s:%d %s", e.File, e.Line, e.Text)
		if direction == "implementers" {
			if e.Target == nil {
				continue
			}
			at = edgePlace{e.Target.File, e.Target.Line}
		}
		all[at] = line
	}
	return all
}

// compare asks for the edges of a symbol with and without the server.
func (p *compiledCode) compare(ctx context.Context, u index.Unit, direction string) (s sameness, err error) {
	args := map[string]any{"canon": u.Canon, "file": u.Path, "direction": direction, "limit": 1000}
	var named, compiled edgesResult
	if err := p.call(ctx, p.byName, "edges", "code_item_edges", args, &named); err != nil {
		return s, err
	}
	p.answering = 0
	began := time.Now()
	if err := p.call(ctx, p.compiled, "edges", "code_item_edges", args, &compiled); err != nil {
		return s, err
	}
	whole := time.Since(began)
	s.symbols = 1
	if compiled.By == "" || compiled.By == "name" {
		s.unanswered = 1
		fmt.Fprintf(p.list, "no answer: %s of %s in %s: %s\n", direction, u.Canon, u.Rel, compiled.Since)
		return s, nil
	}
	p.whole, p.own, p.overhead = append(p.whole, whole), append(p.own, p.answering), append(p.overhead, whole-p.answering)
	truth, found := compiled.places(direction), named.places(direction)
	s.server, s.index = len(truth), len(found)
	for _, of := range []struct {
		what  string
		those map[edgePlace]string
		other map[edgePlace]string
	}{{"missing", truth, found}, {"wrong", found, truth}} {
		keys := slices.Collect(maps.Keys(of.those))
		sortEdgePlaces(keys)
		for _, at := range keys {
			if _, both := of.other[at]; !both {
				fmt.Fprintf(p.list, "%s: %s of %s in %s: %s\n", of.what, direction, u.Canon, u.Rel,
					strings.ReplaceAll(of.those[at], p.dir+"/", ""))
			} else if of.what == "missing" {
				s.both++
			}
		}
	}
	return s, nil
}
