package textsearch

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// prefilter is a set of literals of which every match of a pattern contains one. Searching
// literals is many times faster than matching the pattern: Go's regexp only does so for a
// literal prefix. Without literals the prefilter is unusable.
type prefilter struct {
	literals []string
	foldCase bool // the literals are in lower case and match either case
}

// prefilterOf returns the pattern's prefilter. An invalid pattern has none.
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

// literalPrefilter returns the prefilter of a literal text. Without case, "k" and "s" also
// stand for characters beyond ASCII (U+212A, U+017F), so only the longest part without these
// letters is used.
func literalPrefilter(text string, fold bool) prefilter {
	if !fold {
		return prefilter{literals: []string{text}}
	}
	longest := ""
	for piece := range strings.FieldsFuncSeq(strings.ToLower(text),
		func(r rune) bool { return r == 'k' || r == 's' || r > 127 }) {
		if len(piece) > len(longest) {
			longest = piece
		}
	}
	if longest == "" {
		return prefilter{}
	}
	return prefilter{literals: []string{longest}, foldCase: true}
}

// maxLiterals bounds the literals of a prefilter. More literals cost more than they save.
const maxLiterals = 16

// anyPrefilter returns the prefilter of alternatives, if each of them has one.
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

// minLen returns the length of the shortest literal, which is the least selective one.
func (n prefilter) minLen() int {
	if n.literals == nil {
		return 0
	}
	return len(slices.MinFunc(n.literals, func(a, b string) int { return len(a) - len(b) }))
}

// lower returns text with ASCII letters in lower case. All offsets stay the same.
func lower(text string) string {
	folded := []byte(text)
	for i, c := range folded {
		if 'A' <= c && c <= 'Z' {
			folded[i] = c + 'a' - 'A'
		}
	}
	return string(folded)
}
