package main

import (
	"math"
	"slices"
)

// depth is how many results count for the NDCG.
const depth = 10

// unitNDCG is the normalized discounted cumulative gain of the best spans. The first span that shows
// a target gains 1; targets that share their first span gain 1 together. Several spans of one file
// take a rank each.
func unitNDCG(c *testCase, r *ranking) float64 {
	return ndcg(c.Targets, func(t target) int { return slices.IndexFunc(r.Spans, t.found) })
}

// fileNDCG is the same of the best files, whatever lines a target has.
func fileNDCG(c *testCase, r *ranking) float64 {
	return ndcg(c.Targets, func(t target) int { return slices.Index(r.Files, t.File) })
}

// ndcg takes the position of each target, 0-based and negative if it was not found.
func ndcg(targets []target, position func(target) int) float64 {
	var gain, ideal float64
	counted := map[int]bool{}
	for i, t := range targets {
		if i < depth {
			ideal += discount(i)
		}
		at := position(t)
		if at >= 0 && at < depth && !counted[at] {
			counted[at] = true
			gain += discount(at)
		}
	}
	return gain / ideal
}

// discount returns the worth of a result at a 0-based position.
func discount(at int) float64 { return 1 / math.Log2(float64(at+2)) }
