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
		n += countField(s[:end])
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

// countField counts a part of a text; the caller holds the lock.
func countField(s string) (n int) {
	if len(s) <= keptBytes {
		return countShort(s)
	}
	for s != "" {
		end := bounded(s, piece(s))
		if end <= keptBytes {
			n += countShort(s[:end])
		} else {
			n += shipped().merge(s[:end])
		}
		s = s[end:]
	}
	return n
}

// bounded is where a piece of s is cut, if it is too long to be counted at once.
func bounded(s string, end int) int {
	if end <= pieceBytes {
		return end
	}
	for end = pieceBytes; end > pieceBytes-utf8.UTFMax && !utf8.RuneStart(s[end]); {
		end--
	}
	return end
}

// countShort counts a field or piece of at most keptBytes, unless it is known.
func countShort(s string) (n int) {
	p := pairOf(s)
	if n, ok := p.find(s); ok {
		return n
	}
	for rest := s; rest != ""; {
		end := piece(rest)
		n += shipped().merge(rest[:end])
		rest = rest[end:]
	}
	p.keep(s, n)
	return n
}
