package placing

import (
	"slices"

	"ploke-lsp/tools/wording"
)

// linePair is a line of each of two texts that correspond. The numbers begin with 0.
type linePair struct{ wanted, have int }

const (
	leastLikeness = 0.4 // the likeness from which two lines correspond, and of a place to all that is wanted
	maxAligned    = 120 // the lines of a text in which lines may be missing
	alignedAside  = 20  // the lines that are considered around a place
)

// align returns the lines of have that correspond to wanted, in the place that is most similar to
// it. It returns nothing if no place is similar: if its lines are not alike on average.
//
// Lines that are missing on either side are found by alignIn, in the lines around the likeliest place. That takes
// the square of their number, so a long wanted is compared line by line as it lies there.
func align(wanted, have []string) []linePair {
	start, ok := likeliest(wanted, have)
	if !ok {
		return nil
	}
	var pairs []linePair
	if len(wanted) > maxAligned {
		for j := range wanted {
			if i := start + j; i >= 0 && i < len(have) && likeness(wanted[j], have[i]) >= leastLikeness {
				pairs = append(pairs, linePair{j, i})
			}
		}
	} else {
		aside := min(alignedAside, 4+len(wanted)/4)
		from, to := max(start-aside, 0), min(start+len(wanted)+aside, len(have))
		pairs = alignIn(wanted, have[from:to])
		for i := range pairs {
			pairs[i].have += from
		}
	}
	similar, counted := 0.0, 0
	for _, p := range pairs {
		if wanted[p.wanted] != "" {
			similar += likeness(wanted[p.wanted], have[p.have])
		}
	}
	for _, line := range wanted {
		if line != "" {
			counted++
		}
	}
	if similar < leastLikeness*float64(counted) {
		return nil
	}
	return pairs
}

// likeliest returns the line of have at which wanted most likely begins; it may be negative.
//
// To compare wanted with every place of a file would take the product of both lengths. Instead, each line of have
// that equals a line of wanted votes for the place at which wanted would begin if these two lines corresponded. A
// long line has more votes than a short one, and a line that is often in the file shares one vote among its places,
// so that braces decide nothing. The lines that are most like the longest line of wanted vote, too: else an old of
// one line with a slip would have no votes at all. Only the places with the most votes are compared line by line.
func likeliest(wanted, have []string) (start int, ok bool) {
	const tried, oftenest, likest = 8, 50, 5
	places := make(map[string][]int)
	for i, line := range have {
		if line != "" && len(places[line]) < oftenest {
			places[line] = append(places[line], i)
		}
	}
	votes := make(map[int]float64)
	longest := 0
	for j, line := range wanted {
		for _, i := range places[line] {
			votes[i-j] += float64(min(len(line), 40)) / float64(len(places[line]))
		}
		if len(line) > len(wanted[longest]) {
			longest = j
		}
	}
	for _, i := range wording.Nearest(numbers(len(have)),
		func(i int) float64 { return likeness(wanted[longest], have[i]) }, likest) {
		votes[i-longest] += 40 * likeness(wanted[longest], have[i])
	}
	starts := make([]int, 0, len(votes))
	for start := range votes {
		starts = append(starts, start)
	}
	slices.Sort(starts)
	starts = wording.Nearest(starts, func(start int) float64 { return votes[start] }, tried)
	best := wording.Nearest(starts, func(start int) (sum float64) {
		for j := range wanted {
			if i := start + j; i >= 0 && i < len(have) {
				sum += likeness(wanted[j], have[i])
			}
		}
		return sum
	}, 1)
	if len(best) == 0 || wanted[longest] == "" {
		return 0, false
	}
	return best[0], true
}

// alignIn pairs the lines of two texts, so that the pairs are as similar as possible. Lines
// between pairs that have no partner cost a little, those of have before and after them nothing.
func alignIn(wanted, have []string) (pairs []linePair) {
	const gapCost = 0.1
	best := make([][]float64, len(wanted)+1) // of the lines from these on
	best[len(wanted)] = make([]float64, len(have)+1)
	like := make([][]float64, len(wanted))
	for j := len(wanted) - 1; j >= 0; j-- {
		best[j], like[j] = make([]float64, len(have)+1), make([]float64, len(have))
		best[j][len(have)] = best[j+1][len(have)] - gapCost
		for i := len(have) - 1; i >= 0; i-- {
			like[j][i] = likeness(wanted[j], have[i])
			best[j][i] = max(best[j+1][i], best[j][i+1]) - gapCost
			if like[j][i] >= leastLikeness {
				best[j][i] = max(best[j][i], best[j+1][i+1]+like[j][i])
			}
		}
	}
	start := 0
	for i := range have {
		if best[0][i] > best[0][start] {
			start = i
		}
	}
	for j, i := 0, start; j < len(wanted) && i < len(have); {
		switch {
		case like[j][i] >= leastLikeness && best[j][i] == best[j+1][i+1]+like[j][i]:
			pairs = append(pairs, linePair{j, i})
			j, i = j+1, i+1
		case best[j][i] == best[j+1][i]-gapCost:
			j++
		default:
			i++
		}
	}
	return pairs
}

// likeness returns how similar two lines are, from 0 to 1.
func likeness(a, b string) float64 {
	if a == b {
		return 1
	}
	if a == "" || b == "" {
		return 0
	}
	return wording.Similarity(a, b)
}

// numbers returns the numbers from 0 to n-1.
func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
