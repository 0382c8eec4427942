package query

import "strings"

// What it costs a name to fit: each run of wanted characters that begins within a word, each
// that begins a word other than the first, and each character that is not wanted.
const (
	runCost     = 1.0
	wordRunCost = 0.4
	extraCost   = 0.01
)

// fitCost returns how badly a name fits the wanted characters, which are in lower case; ok is
// false if it does not have them in this order. The words of a name that is in lower case, too,
// are what other characters separate.
func fitCost(name, wanted string) (cost float64, ok bool) {
	lower := strings.ToLower(name)
	if len(lower) != len(name) {
		name = lower // offsets must agree
	}
	extra := extraCost * float64(len(name)-len(wanted))
	if at := strings.Index(lower, wanted); at >= 0 {
		return runCostAt(name, at) + extra, true
	}
	cost, ok = subsequenceCost(name, lower, wanted, true)
	if plain, fits := subsequenceCost(name, lower, wanted, false); fits && (!ok || plain < cost) {
		cost, ok = plain, true
	}
	return cost + extra, ok
}

// subsequenceCost takes each run of characters to be as long as it can be. The next one begins where the next word
// does that has its character, or at that character anywhere.
func subsequenceCost(name, lower, wanted string, atWords bool) (cost float64, ok bool) {
	at := 0
	for i := range len(wanted) {
		if i == 0 || at == len(lower) || lower[at] != wanted[i] {
			if atWords {
				at = nextWord(name, lower, at, wanted[i])
			} else {
				at = nextByte(lower, at, wanted[i])
			}
			if at < 0 {
				return 0, false
			}
			cost += runCostAt(name, at)
		}
		at++
	}
	return cost, true
}

// nextByte returns where a character is next; -1 if nowhere.
func nextByte(lower string, from int, c byte) int {
	if at := strings.IndexByte(lower[from:], c); at >= 0 {
		return from + at
	}
	return -1
}

// nextWord returns where a word begins next with a character; -1 if nowhere.
func nextWord(name, lower string, from int, c byte) int {
	for at := from; at < len(lower); at++ {
		if lower[at] == c && beginsWord(name, at) {
			return at
		}
	}
	return -1
}

func runCostAt(name string, at int) float64 {
	switch {
	case at == 0:
		return 0
	case beginsWord(name, at):
		return wordRunCost
	}
	return runCost
}

// beginsWord reports whether a word of an identifier begins at an offset: ServeHTTPRequest2 has
// the words Serve, HTTP, Request and 2.
func beginsWord(name string, at int) bool {
	if at == 0 {
		return true
	}
	before, here := name[at-1], name[at]
	switch {
	case isCapital(here):
		return !isCapital(before) || at+1 < len(name) && 'a' <= name[at+1] && name[at+1] <= 'z'
	case isDigit(here):
		return !isDigit(before)
	}
	return before == '_' || before == '-' || before == '.' || before == '$'
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// hasInOrder reports whether a name has all characters, in their order. Names are short, so a
// plain loop is faster than searching for each character.
func hasInOrder(name []byte, characters string) bool {
	found := 0
	for _, c := range name {
		if c == characters[found] {
			if found++; found == len(characters) {
				return true
			}
		}
	}
	return false
}
