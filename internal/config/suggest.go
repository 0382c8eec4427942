package config

import (
	"slices"
	"strings"
)

// maxNearest is how many words Nearest returns.
const maxNearest = 3

// suggest names the valid word that is nearest to word, or all valid words if none is
// near.
func suggest(word string, valid []string) string {
	near := Nearest(word, valid)
	if len(near) == 0 {
		return "there are " + strings.Join(valid, ", ")
	}
	return "the nearest is " + near[0]
}

// Nearest returns the valid words that word may be a misspelling of, the nearest first.
func Nearest(word string, valid []string) (near []string) {
	for _, v := range valid {
		if distance(word, v) <= 1+len(v)/3 {
			near = append(near, v)
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return distance(word, a) - distance(word, b) })
	return near[:min(len(near), maxNearest)]
}

// distance returns how many bytes have to be added, removed, replaced or swapped with the next one to get from one
// word to another, ignoring case.
func distance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	var before []int              // the row before last
	last := make([]int, len(b)+1) // last[j] is the distance between a[:i] and b[:j]
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
