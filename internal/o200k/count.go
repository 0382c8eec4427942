// Package o200k counts tokens of OpenAI's vocabulary o200k_base, exactly.
//
// It cuts text into the pieces that the vocabulary's regular expression makes, by hand where
// letters, digits and spaces are ASCII, and remembers what it has counted of each, since words come again: a
// text of 8,000 tokens takes a millisecond or two instead of thirty. The vocabulary is
// loaded when it is first needed, which takes a tenth of a second.
package o200k

import (
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

var vocabulary = sync.OnceValue(codec.NewO200kBase)

const pieceBytes = 1 << 10 // of what is counted at a time

// Count is how many tokens a text has. It is safe for concurrent use. Only of a run of more
// than 1,024 bytes without a space that is not ASCII, or is one of white space or
// punctuation, may it be too high, by one for each 1,024 bytes: the library's time is quadratic
// in the length of such a run.
func Count(s string) (n int) {
	known.Lock()
	defer known.Unlock()
	for s != "" {
		end := field(s)
		n += countField(s[:end])
		s = s[end:]
	}
	return n
}

func countField(s string) (n int) {
	cut := piece
	if !plain(s) {
		cut = bounded
	}
	for s != "" {
		end := cut(s)
		n += countPiece(s[:end])
		s = s[end:]
	}
	return n
}

// bounded is where s is cut if it is too long to be counted at once.
func bounded(s string) int {
	if len(s) <= pieceBytes {
		return len(s)
	}
	end := pieceBytes
	for end > pieceBytes-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return end
}

// countPiece counts a piece; the caller holds the lock.
func countPiece(s string) int {
	if len(s) == 1 {
		return 1
	}
	if len(s) > keptBytes {
		return countAnew(s)
	}
	p := pairOf(s)
	n, ok := p.find(s)
	if !ok {
		n = countAnew(s)
		p.keep(s, n)
	}
	return n
}

func countAnew(s string) (n int) {
	for s != "" {
		end := bounded(s)
		tokens, err := vocabulary().Count(s[:end])
		if err != nil { // only if matching has a time limit, and it has none
			tokens = end
		}
		n += tokens
		s = s[end:]
	}
	return n
}
