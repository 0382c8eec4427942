package tools

import (
	"cmp"
	"slices"
	"strings"
)

// candidateCount is how many nearest candidates a miss names: further ones are rarely meant, and
// each stays in the conversation.
const candidateCount = 2

// nearest returns the limit items of the highest rank, best first. Items of equal rank keep
// their order.
func nearest[T any](items []T, rank func(T) float64, limit int) []T {
	type ranked struct {
		item T
		rank float64
	}
	var all []ranked
	for _, item := range items {
		all = append(all, ranked{item, rank(item)})
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.rank, a.rank) })
	var best []T
	for _, r := range all[:min(limit, len(all))] {
		best = append(best, r.item)
	}
	return best
}

// candidates returns items in the form that a [Failure] needs.
func candidates[T any](items []T) []any {
	var list []any
	for _, item := range items {
		list = append(list, item)
	}
	return list
}

// similarity compares two names by their common bigrams of bytes, ignoring case: 0 for nothing
// in common, 1 for equal. It is the Sørensen–Dice coefficient.
func similarity(a, b string) float64 {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if a == b {
		return 1
	}
	pairs := make(map[string]int)
	for i := 0; i+2 <= len(a); i++ {
		pairs[a[i:i+2]]++
	}
	shared := 0
	for i := 0; i+2 <= len(b); i++ {
		if pairs[b[i:i+2]] > 0 {
			pairs[b[i:i+2]]--
			shared++
		}
	}
	if len(a)+len(b) <= 2 {
		return 0
	}
	return 2 * float64(shared) / float64(len(a)+len(b)-2)
}

// nameSimilarity compares two names like [similarity]. Their ends count, too, so that a short name
// with two letters swapped still has something in common with the one that is meant.
func nameSimilarity(a, b string) float64 {
	const start, end = "\x02", "\x03"
	return similarity(start+a+end, start+b+end)
}
