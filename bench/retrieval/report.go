package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"ploke-lsp/index"
)

// print writes all results.
func (e *evaluation) print(out io.Writer, all []caseResult) {
	fmt.Fprintf(out, "%d cases, %s query\n", len(all), e.query)
	for m, name := range measures {
		mean, low, high := bootstrapInterval(all, func(o caseResult) float64 { return o.score[m] })
		fmt.Fprintf(out, "%-10s %5.1f  [%.1f, %.1f]\n", name, mean, low, high)
	}
	if e.ablation {
		printAblation(out, all)
	}
	if e.budgets {
		printBudgets(out, all)
	}
}

// printAblation writes the loss without each channel, one line per channel.
func printAblation(out io.Writer, all []caseResult) {
	fmt.Fprintf(out, "\n%-16s", "left out")
	for _, name := range measures {
		fmt.Fprintf(out, " %21s", name)
	}
	for i, channel := range index.Channels {
		fmt.Fprintf(out, "\n%-16s", channel)
		for m := range measures {
			mean, low, high := bootstrapInterval(all, func(o caseResult) float64 { return o.ablated[i][m] - o.score[m] })
			fmt.Fprintf(out, " %+5.1f [%+5.1f, %+5.1f]", mean, low, high)
		}
	}
	fmt.Fprintln(out)
}

// printBudgets writes the coverage of each strategy and budget. The last line of a budget is for a
// mixture of answers with cards and answers with bodies that names as many places as the shipped
// mix; the shipped mix should show more places than it.
func printBudgets(out io.Writer, all []caseResult) {
	fmt.Fprintf(out, "\n%-13s %6s %20s %20s %20s %7s\n", "answer", "budget", "files", "places named", "places shown", "tokens")
	for b, budget := range budgets {
		var means [len(strategies)]coverage
		for f, way := range strategies {
			of := func(figure func(coverage) float64) (mean float64, text string) {
				mean, low, high := bootstrapInterval(all, func(o caseResult) float64 { return figure(o.coverage[f][b]) })
				return mean, fmt.Sprintf("  %5.1f [%4.1f, %4.1f]", mean, low, high)
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

// bootstrapInterval returns the mean of a figure over all cases, in percent, and its 95 %
// percentile bootstrap interval.
func bootstrapInterval(all []caseResult, of func(caseResult) float64) (mean, low, high float64) {
	const samples = 2000
	random := rand.New(rand.NewPCG(1, 1)) // the same each time
	values := make([]float64, len(all))
	for i, o := range all {
		values[i] = of(o)
		mean += values[i]
	}
	percent := 100 / float64(max(len(all), 1))
	means := make([]float64, samples)
	for i := range means {
		for range values {
			means[i] += values[random.IntN(len(values))]
		}
		means[i] *= percent
	}
	slices.Sort(means)
	return mean * percent, means[samples/40], means[samples-samples/40-1]
}
