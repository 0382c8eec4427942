package placing

import (
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"
)

// inFilesCharacters returns replacement with the characters that the file has for those of old that it keeps.
func (p alikePlace) inFilesCharacters(text []byte, old, replacement string) string {
	var b strings.Builder
	pairs, at := p.pairs(), 0
	keep := func(end int) {
		for at < end {
			for len(pairs) > 0 && pairs[0].old.Start < at {
				pairs = pairs[1:]
			}
			if len(pairs) == 0 || pairs[0].old.Start >= end || pairs[0].old.End > end {
				b.WriteString(withoutInvisible(old[at:end]))
				break
			}
			pair := pairs[0]
			b.WriteString(withoutInvisible(old[at:pair.old.Start]))
			ours, theirs := string(text[pair.text.Start:pair.text.End]), old[pair.old.Start:pair.old.End]
			if IsASCII(ours) && IsASCII(theirs) { // white space, which is adapted later
				ours = theirs
			}
			b.WriteString(ours)
			at = pair.old.End
		}
		at = end
	}
	for _, e := range udiff.Strings(old, replacement) {
		keep(e.Start)
		b.WriteString(e.New)
		at = e.End
	}
	keep(len(old))
	return b.String()
}

// withoutInvisible returns a part of old that is not a part of the place without what has no width.
func withoutInvisible(part string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, part)
}
