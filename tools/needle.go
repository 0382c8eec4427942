package tools

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// needle is text that every match of a pattern holds: one of the words. Looking for
// it is many times faster than looking for the pattern, of which Go's regexp only
// does so for how it begins. Without words nothing is known.
type needle struct {
	words []string
	fold  bool // the words are in lower case, and meant in either
}

// needleOf finds the pattern's needle. An invalid pattern has none.
func needleOf(pattern string) needle {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return needle{}
	}
	return needleIn(re)
}

func needleIn(re *syntax.Regexp) needle {
	switch re.Op {
	case syntax.OpLiteral:
		return literal(string(re.Rune), re.Flags&syntax.FoldCase != 0)
	case syntax.OpCapture, syntax.OpPlus:
		return needleIn(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needleIn(re.Sub[0])
		}
	case syntax.OpConcat:
		var best needle
		for _, sub := range re.Sub {
			if n := needleIn(sub); n.shortest() > best.shortest() {
				best = n
			}
		}
		return best
	case syntax.OpAlternate:
		return anyOf(re.Sub)
	}
	return needle{}
}

// literal is the needle of a literal text. In either case "k" and "s" also stand for
// characters beyond ASCII (U+212A, U+017F), so that there the longest text without
// such letters counts.
func literal(text string, fold bool) needle {
	if !fold {
		return needle{words: []string{text}}
	}
	longest := ""
	for piece := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return r == 'k' || r == 's' || r > 127 }) {
		if len(piece) > len(longest) {
			longest = piece
		}
	}
	if longest == "" {
		return needle{}
	}
	return needle{words: []string{longest}, fold: true}
}

// maxWords bounds the words of a needle: with more, looking for each costs more
// than it saves.
const maxWords = 16

// anyOf is the needle of alternatives, if each has one.
func anyOf(alternatives []*syntax.Regexp) needle {
	var all needle
	for _, sub := range alternatives {
		n := needleIn(sub)
		if n.words == nil {
			return needle{}
		}
		all.words = append(all.words, n.words...)
		all.fold = all.fold || n.fold
	}
	if len(all.words) > maxWords {
		return needle{}
	}
	if all.fold {
		for i, word := range all.words {
			all.words[i] = lower(word)
		}
	}
	return all
}

// shortest is the length of the shortest word: what tells least.
func (n needle) shortest() int {
	if n.words == nil {
		return 0
	}
	return len(slices.MinFunc(n.words, func(a, b string) int { return len(a) - len(b) }))
}

// lower is text with ASCII's letters in lower case, byte for byte.
func lower(text string) string {
	folded := []byte(text)
	for i, c := range folded {
		if 'A' <= c && c <= 'Z' {
			folded[i] = c + 'a' - 'A'
		}
	}
	return string(folded)
}
