// Package o200k counts tokens of OpenAI's vocabulary o200k_base, exactly.
//
// It remembers what it has counted of short texts, since words come again: 8,000 tokens take
// half a millisecond. The vocabulary is built in and read when it is first needed, which takes
// some hundredths of a second.
package o200k

import "unicode/utf8"

// pieceBytes is what is counted of a piece at a time, since that takes time quadratic in its
// length.
const pieceBytes = 1 << 10

// Count is how many tokens a text has. It is safe for concurrent use. Only of a word or a run
// of white space or punctuation of more than 1,024 bytes may it be too high, by one for each
// 1,024 bytes.
func Count(s string) (n int) {
	known.Lock()
	defer known.Unlock()
	for s != "" {
		end := field(s)
		n += remembered(s[:end], countField)
		s = s[end:]
	}
	return n
}

// field is where the first part of s ends that can be counted alone: before a space that
// follows something else, for no piece goes on into such a space.
func field(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == ' ' && s[i-1] < utf8.RuneSelf && ascii[s[i-1]]&space == 0 {
			return i
		}
	}
	return len(s)
}

func countField(s string) (n int) {
	end := piece(s)
	if end == len(s) {
		return countPiece(s)
	}
	for {
		n += remembered(s[:end], countPiece)
		if s = s[end:]; s == "" {
			return n
		}
		end = piece(s)
	}
}

func countPiece(s string) (n int) {
	for len(s) > pieceBytes {
		end := pieceBytes
		for end > pieceBytes-utf8.UTFMax && !utf8.RuneStart(s[end]) {
			end--
		}
		n += shipped().merge(s[:end])
		s = s[end:]
	}
	return n + shipped().merge(s)
}
