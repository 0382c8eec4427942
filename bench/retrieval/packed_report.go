package main

import (
	"fmt"
	"io"
)

// printPacked writes the coverage of each strategy and budget. The last line of a budget is for a
// mixture of answers with cards and answers with bodies that names as many places as the shipped
// mix; the shipped mix should show more places than it.
func printPacked(out io.Writer, all []*outcome) {
	fmt.Fprintf(out, "\n%-13s %6s %20s %20s %20s %7s\n", "answer", "budget", "files", "places named", "places shown",
		"tokens")
	for b, budget := range budgets {
		var means [len(strategies)]coverage
		for f, way := range strategies {
			of := func(figure func(coverage) float64) (mean float64, text string) {
				m := estimate("", all, func(o *outcome) float64 { return figure(o.coverage[f][b]) })
				return m.Mean, fmt.Sprintf("  %5.1f [%4.1f, %4.1f]", m.Mean, m.Low, m.High)
			}
			_, files := of(func(h coverage) float64 { return h.files })
			n, named := of(func(h coverage) float64 { return h.named })
			s, shown := of(func(h coverage) float64 { return h.shown })
			tokens, _ := of(func(h coverage) float64 { return h.tokens / 100 })
			fmt.Fprintf(out, "%-13s %6d%s%s%s %7.0f\n", way.name, budget, files, named, shown, tokens)
			means[f] = coverage{named: n, shown: s}
		}
		line := interpolate(means[bodiesOnlyIndex], means[cardsOnlyIndex], means[shippedIndex].named)
		fmt.Fprintf(out, "%-13s %6d %20s  %5.1f %14s %5.1f\n", "some of each", budget, "", line.named, "", line.shown)
	}
}

// interpolate returns the point on the line between two answers that names as many places as a
// third.
func interpolate(a, b coverage, named float64) coverage {
	if a.named == b.named {
		return a
	}
	part := min(max((named-b.named)/(a.named-b.named), 0), 1)
	return coverage{named: b.named + part*(a.named-b.named), shown: b.shown + part*(a.shown-b.shown)}
}
