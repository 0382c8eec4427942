package config

import (
	"slices"
	"strings"
)

// suggest names the valid word that is nearest to word, or all valid words if none is
// near.
func suggest(word string, valid []string) string {
	nearest := slices.MinFunc(valid, func(a, b string) int { return distance(word, a) - distance(word, b) })
	if d := distance(word, nearest); d > 1+len(nearest)/3 {
		return "there are " + strings.Join(valid, ", ")
	}
	return "the nearest is " + nearest
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
