package textsearch

import "ploke-lsp/index/traits"

// A file with many matching lines must not hide those of others. So each file has a share of the
// lines that are shown. What the shares leave goes to the first files.

const (
	fairShare  = 8 // lines of a file that are shown before others had their turn
	leastShare = 2 // the same if there are many files
)

// Shares returns how many lines of each file are shown, at most limit together. counts are the
// lines that each file has. The files of a precedence have their shares before those of the next.
func Shares(counts [][]int, limit int) (shown [][]int) {
	left := limit
	for _, files := range counts {
		share := fairShare
		for share > leastShare && sumUpTo(share, files) > left {
			share--
		}
		some := make([]int, len(files))
		for i, n := range files {
			some[i] = min(n, share, left)
			left -= some[i]
		}
		shown = append(shown, some)
	}
	for p, files := range counts {
		for i, n := range files {
			more := min(n-shown[p][i], left)
			shown[p][i] += more
			left -= more
		}
	}
	return shown
}

// sumUpTo returns the sum of numbers, of which each counts up to most.
func sumUpTo(most int, numbers []int) (sum int) {
	for _, n := range numbers {
		sum += min(n, most)
	}
	return sum
}

// keepShares removes the matches that have no place among limit ones. The files are in the order of
// their precedence.
func keepShares(all []Hits, limit int) {
	counts := make([][]int, traits.Precedences)
	for _, h := range all {
		counts[h.precedence] = append(counts[h.precedence], len(h.Matches))
	}
	at := 0
	for _, files := range Shares(counts, limit) {
		for _, n := range files {
			all[at].keep(n)
			at++
		}
	}
}
