package placing

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// AlikeText is a text in which characters that look the same are one, with where they come from.
type AlikeText struct {
	Text     string
	from, to []int // for each byte of text: the bytes of the source that its character stands for
}

// FoldAlike composes a text (NFC), makes its white space, quotes, dashes, ellipses and full-width forms those of
// ASCII, and drops what has no width. Line ends are "\n". If loose, each run of white space is one space.
func FoldAlike(source string, loose bool) (f AlikeText) {
	var b strings.Builder
	for at := 0; at < len(source); {
		size := norm.NFC.NextBoundaryInString(source[at:], true)
		if size <= 0 {
			size = 1
		}
		if strings.HasPrefix(source[at:], "\r\n") {
			size = 2
		}
		plain := alikePlain(source[at : at+size])
		if loose && len(plain) == 1 && strings.Contains(" \t\n\r\v\f", plain) {
			if plain = " "; strings.HasSuffix(b.String(), " ") {
				f.to[len(f.to)-1], plain = at+size, ""
			}
		}
		b.WriteString(plain)
		for range len(plain) {
			f.from, f.to = append(f.from, at), append(f.to, at+size)
		}
		at += size
	}
	f.Text = b.String()
	return f
}

// plainForms has what characters of punctuation and space count as.
var plainForms = func() map[rune]string {
	forms := map[rune]string{}
	for plain, characters := range map[string]string{
		"'":   "\u2018\u2019\u201a\u201b\u2032\u2035\u02b9\u02bb\u02bc\u00b4\u2039\u203a",
		`"`:   "\u201c\u201d\u201e\u201f\u2033\u2036\u02ba\u00ab\u00bb\u301d\u301e\u301f",
		"/":   "\u2044\u2215",
		":":   "\u2236",
		"*":   "\u2217",
		"-":   "\u2212\u2043",
		"...": "\u2026\u22ef",
		"\n":  "\u2028\u2029\u0085",
		" ":   "\u2800",
	} {
		for _, r := range characters {
			forms[r] = plain
		}
	}
	return forms
}()

// alikePlain returns what a character, with its marks, counts as.
func alikePlain(character string) string {
	if len(character) == 1 {
		return character
	}
	if character == "\r\n" {
		return "\n"
	}
	var b strings.Builder
	for _, r := range norm.NFC.String(character) {
		plain, known := plainForms[r]
		switch {
		case known:
			b.WriteString(plain)
		case unicode.Is(unicode.Pd, r):
			b.WriteByte('-')
		case unicode.IsSpace(r) && r > utf8.RuneSelf:
			b.WriteByte(' ')
		case '\uff01' <= r && r <= '\uff5e':
			b.WriteRune(r - '\uff01' + '!')
		case unicode.Is(unicode.Cf, r) || '\ufe00' <= r && r <= '\ufe0f': // no width, or a choice of the glyph
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// whole reports whether the bytes from start to end are complete characters of the source.
func (f AlikeText) whole(start, end int) bool { return f.boundary(start) && f.boundary(end) }

func (f AlikeText) boundary(at int) bool {
	return at == 0 || at == len(f.Text) || f.from[at] != f.from[at-1]
}

// alikePlace is a place of old in a text, as folded bytes of both.
type alikePlace struct {
	Span
	old, text        AlikeText
	oldStart, textAt int // where what both have begins
	length           int
	looseIsNecessary bool
}

// findAlike returns the places of old in text if characters that look the same count as one, else those where white
// space may differ, too. In ASCII no two look the same.
func findAlike(text []byte, old string) []alikePlace {
	source, plain := string(text), IsASCII(old)
	if plain && IsASCII(source) {
		return nil
	}
	if found := findAlikeIn(source, old, plain, false); len(found) > 0 {
		return found
	}
	return findAlikeIn(source, old, plain, true)
}

// findAlikeIn finds no place that has only ASCII if old is plain, that is, has only ASCII, too.
func findAlikeIn(text, old string, plain, loose bool) (found []alikePlace) {
	want, have := FoldAlike(old, loose), FoldAlike(text, loose)
	wanted, start := want.Text, 0
	if loose {
		wanted = strings.TrimLeft(wanted, " ")
		start = len(want.Text) - len(wanted)
		wanted = strings.TrimRight(wanted, " ")
	}
	if strings.TrimSpace(wanted) == "" {
		return nil
	}
	for at := 0; len(found) < maxPlaces; {
		n := strings.Index(have.Text[at:], wanted)
		if n < 0 {
			break
		}
		first, end := at+n, at+n+len(wanted)
		place := Span{have.from[first], have.to[end-1]}
		if have.whole(first, end) && !(plain && IsASCII(text[place.Start:place.End])) {
			found = append(found, alikePlace{place, want, have, start, first, len(wanted), loose})
		}
		at = first + 1
	}
	return found
}

// spansOf returns where the places are.
func spansOf(found []alikePlace) (spans []Span) {
	for _, p := range found {
		spans = append(spans, p.Span)
	}
	return spans
}

// alikePair is the same characters in old and in the text.
type alikePair struct{ old, text Span }

// pairs returns the smallest parts of old and of the place that correspond, in their order. What has no
// width belongs to the character before it.
func (p alikePlace) pairs() (all []alikePair) {
	for k := 0; k < p.length; {
		next := k + 1
		for next < p.length && !(p.old.boundary(p.oldStart+next) && p.text.boundary(p.textAt+next)) {
			next++
		}
		pair := alikePair{Span{p.old.from[p.oldStart+k], p.old.to[p.oldStart+next-1]},
			Span{p.text.from[p.textAt+k], p.text.to[p.textAt+next-1]}}
		if next < p.length {
			pair.old.End, pair.text.End = p.old.from[p.oldStart+next], p.text.from[p.textAt+next]
		}
		all, k = append(all, pair), next
	}
	return all
}

// note says which characters of the file stand for others in old, as code points.
func (p alikePlace) note(text []byte, old string) string {
	const shown = 3
	var told []string
	for _, pair := range p.pairs() {
		ours, theirs := string(text[pair.text.Start:pair.text.End]), old[pair.old.Start:pair.old.End]
		if ours == theirs || IsASCII(ours) && IsASCII(theirs) {
			continue
		}
		line := fmt.Sprintf("%s for %s", codePoints(ours), codePoints(theirs))
		if len(told) < shown && !strings.Contains(strings.Join(told, ", "), line) {
			told = append(told, line)
		}
	}
	return "found by characters that look the same: the file has " + strings.Join(told, ", ") +
		", and keeps what new doesn't change"
}

// IsASCII reports whether a text has no other characters.
func IsASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// codePoints names the characters of a short text, as in "U+0065 U+0301".
func codePoints(text string) string {
	const shown = 6
	var names []string
	for _, r := range text {
		if len(names) == shown {
			names = append(names, "…")
			break
		}
		names = append(names, fmt.Sprintf("%U", r))
	}
	return strings.Join(names, " ")
}
