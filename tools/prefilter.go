package tools

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// needle is text that every match of a pattern holds: one of the words. Looking for
// it is many times faster than looking for the pattern, of which Go's regexp only
// does so for how it begins. Without words nothing is known.
type prefilter struct {
	literals []string
	foldCase  bool // the words are in lower case, and meant in either
}

// needleOf finds the pattern's needle. An invalid pattern has none.
func prefilterOf(pattern string) prefilter {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return prefilter{}
	}
	return prefilterFrom(re)
}

func prefilterFrom(re *syntax.Regexp) prefilter {
	switch re.Op {
	case syntax.OpLiteral:
		return literalPrefilter(string(re.Rune), re.Flags&syntax.FoldCase != 0)
	case syntax.OpCapture, syntax.OpPlus:
		return prefilterFrom(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return prefilterFrom(re.Sub[0])
		}
	case syntax.OpConcat:
		var best prefilter
		for _, sub := range re.Sub {
			if n := prefilterFrom(sub); n.minLen() > best.minLen() {
				best = n
			}
		}
		return best
	case syntax.OpAlternate:
		return anyPrefilter(re.Sub)
	}
	return prefilter{}
}

// literal is the needle of a literal text. In either case "k" and "s" also stand for
// characters beyond ASCII (U+212A, U+017F), so that there the longest text without
// such letters counts.
func literalPrefilter(text string, fold bool) prefilter {
	if !fold {
		return prefilter{literals: []string{text}}
	}
	longest := ""
	for piece := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return r == 'k' || r == 's' || r > 127 }) {
		if len(piece) > len(longest) {
			longest = piece
		}
	}
	if longest == "" {
		return prefilter{}
	}
	return prefilter{literals: []string{longest}, foldCase: true}
}

// maxWords bounds the words of a needle: with more, looking for each costs more
// than it saves.
const maxLiterals = 16

// anyOf is the needle of alternatives, if each has one.
func anyPrefilter(alternatives []*syntax.Regexp) prefilter {
	var all prefilter
	for _, sub := range alternatives {
		n := prefilterFrom(sub)
		if n.literals == nil {
			return prefilter{}
		}
		all.literals = append(all.literals, n.literals...)
		all.foldCase = all.foldCase || n.foldCase
	}
	if len(all.literals) > maxLiterals {
		return prefilter{}
	}
	if all.foldCase {
		for i, word := range all.literals {
			all.literals[i] = lower(word)
		}
	}
	return all
}

// shortest is the length of the shortest word: what tells least.
func (n prefilter) minLen() int {
	if n.literals == nil {
		return 0
	}
	return len(slices.MinFunc(n.literals, func(a, b string) int { return len(a) - len(b) }))
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
