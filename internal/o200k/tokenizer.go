// Package o200k counts the tokens of a text in OpenAI's vocabulary o200k_base.
//
// Its promises:
//   - Count is exact, except for very long words, see [Count].
//
// Counts of short texts are cached, because words repeat: 8,000 tokens take half a
// millisecond. The vocabulary is built in. It is decoded at its first use, which takes
// some hundredths of a second.
package o200k

import (
	"slices"
	"unicode/utf8"
)

// pieceBytes is the length in which long pieces are counted, because counting takes time
// quadratic in the length.
const pieceBytes = 1 << 10

// Count returns the number of tokens of a text. It is safe for concurrent use. For a word,
// or a run of white space or punctuation, of more than 1,024 bytes the count may be too
// high by one for each 1,024 bytes.
func Count(s string) (n int) {
	cache.Lock()
	defer cache.Unlock()
	for s != "" {
		end := nextField(s)
		n += cachedCount(s[:end], countField)
		s = s[end:]
	}
	return n
}

// nextField returns the end of the first part of s that can be counted on its own. It ends
// before a space that follows an ASCII character other than white space, and before a digit that
// follows a line feed, because no piece contains either inside.
func nextField(s string) int {
	for i := 1; i < len(s); i++ {
		if endsField(s[i-1], s[i]) {
			return i
		}
	}
	return len(s)
}

// endsField reports whether a field ends between two bytes.
func endsField(before, after byte) bool {
	switch {
	case after == ' ':
		return before < utf8.RuneSelf && ascii[before]&space == 0
	case before == '\n':
		return '0' <= after && after <= '9'
	}
	return false
}

func countField(s string) (n int) {
	end := nextPiece(s)
	if end == len(s) {
		return countPiece(s)
	}
	for {
		n += countCommonPiece(s[:end])
		if s = s[end:]; s == "" {
			return n
		}
		end = nextPiece(s)
	}
}

// countCommonPiece is countPiece with the cache. The shortest pieces are the most frequent ones, and need none.
func countCommonPiece(s string) int {
	switch {
	case len(s) == 1:
		return 1
	case twoASCII(s):
		return countPiece(s)
	}
	return cachedCount(s, countPiece)
}

func countPiece(s string) (n int) {
	for len(s) > pieceBytes {
		end := pieceBytes
		for end > pieceBytes-utf8.UTFMax && !utf8.RuneStart(s[end]) {
			end--
		}
		n += builtin().countPairs(s[:end])
		s = s[end:]
	}
	return n + builtin().countPairs(s)
}

// countPairs returns the number of tokens of a piece by byte pair encoding (Sennrich,
// Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units, 2016). It
// starts with the single bytes and repeatedly merges the two adjacent tokens whose
// concatenation has the lowest rank, until no such pair is a token. It takes time
// quadratic in the length of the piece.
func (v *vocabulary) countPairs(piece string) int {
	if v.rank(piece) != none {
		return 1
	}
	var buffer [64]pieceToken
	parts := buffer[:0]
	for i := range len(piece) + 1 {
		parts = append(parts, pieceToken{begin: i})
	}
	updatePair := func(i int) {
		parts[i].pairRank = none
		if i+2 < len(parts) {
			parts[i].pairRank = v.rank(piece[parts[i].begin:parts[i+2].begin])
		}
	}
	for i := range parts {
		updatePair(i)
	}
	for {
		best := 0
		for i := range parts {
			if parts[i].pairRank < parts[best].pairRank {
				best = i
			}
		}
		if parts[best].pairRank == none {
			return len(parts) - 1
		}
		parts = slices.Delete(parts, best+1, best+2)
		updatePair(best)
		if best > 0 {
			updatePair(best - 1)
		}
	}
}

// pieceToken is a token of a piece. The last one is empty.
type pieceToken struct {
	begin    int    // its offset in the piece
	pairRank uint32 // the rank of its concatenation with the next token, or none
}
