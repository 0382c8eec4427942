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

// distance returns the Levenshtein distance of two words in bytes, ignoring case.
func distance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1) // row[j] is the distance between a[:i] and b[:j]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
