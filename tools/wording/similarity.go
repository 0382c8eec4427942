package wording

import (
	"cmp"
	"slices"
	"strings"
)

// Candidates is how many nearest candidates a miss names: further ones are rarely meant, and
// each stays in the conversation.
const Candidates = 2

// Nearest returns the limit items of the highest rank, best first. Items of equal rank keep
// their order.
func Nearest[T any](items []T, rank func(T) float64, limit int) []T {
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

// AsCandidates returns items in the form that a [Failure] needs.
func AsCandidates[T any](items []T) []any {
	var list []any
	for _, item := range items {
		list = append(list, item)
	}
	return list
}

// Similarity compares two names by their common bigrams of bytes, ignoring case: 0 for nothing
// in common, 1 for equal. It is the Sørensen–Dice coefficient.
func Similarity(a, b string) float64 {
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

// NameSimilarity compares two names like [Similarity]. Their ends count, too, so that a short name
// with two letters swapped still has something in common with the one that is meant.
func NameSimilarity(a, b string) float64 {
	const start, end = "\x02", "\x03"
	return Similarity(start+a+end, start+b+end)
}
