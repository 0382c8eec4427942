// Package secretscan finds secrets in texts: keys in the formats of their issuers,
// private keys, passwords in URLs, and values that are assigned to names such as
// password.
//
// Its promises:
//
//   - What is found depends only on the text.
//   - A secret lies on one line and has no white space. Of a key of several lines,
//     each line is a secret. It starts and ends at the boundary of a word.
//   - The time is linear in the length of the text.
//
// A secret without a known shape or name is missed. The rules look at the context, so
// a part of a text may hide what the whole shows: scan a whole file, then cut it.
package secretscan

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Span is a range of byte offsets in a text; End is exclusive.
type Span struct{ Start, End int }

// Find returns the secrets in a text, sorted and disjoint: those that the rules detect,
// and the occurrences of the known ones, which must each be on one line.
func Find(text string, known ...string) []Span {
	found := find(text)
	for _, secret := range known {
		found = append(found, occurrences(text, secret)...)
	}
	return merged(text, found)
}

// Secrets returns the secrets that the rules detect in a text, each once.
func Secrets(text string) []string {
	var all []string
	seen := map[string]bool{}
	for _, s := range merged(text, find(text)) {
		if secret := text[s.Start:s.End]; !seen[secret] {
			seen[secret] = true
			all = append(all, secret)
		}
	}
	return all
}

// In returns those of the secrets that a text contains.
func In(text string, secrets []string) (contained []string) {
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			contained = append(contained, secret)
		}
	}
	return contained
}

// Narrow returns the largest part of a range of a text that has no part of a secret, but
// only whole ones. If the range lies in a secret, the part is empty.
func Narrow(text string, start, end int, secrets []string) (from, to int) {
	var found []Span
	for _, secret := range secrets {
		found = append(found, occurrences(text, secret)...)
	}
	from, to = start, end
	for _, s := range merged(text, found) {
		if s.Start < from && from < s.End {
			from = min(s.End, to)
		}
		if s.Start < to && to < s.End {
			to = max(s.Start, from)
		}
	}
	return from, to
}

// longSecret is the length in bytes from which a secret is looked for within words, too.
const longSecret = 12

// occurrences returns the places where secret is a separate word, or any place if it is
// long. A text may begin with the letter of an escape that was cut in two.
func occurrences(text, secret string) []Span {
	var found []Span
	for at := 0; secret != ""; at++ {
		n := strings.Index(text[at:], secret)
		if n < 0 {
			break
		}
		at += n
		start, end := wholeRunes(text, at, at+len(secret))
		starts := wordStarts(text, start) || start == 1 && escapeLetter(text[0])
		if len(secret) >= longSecret || starts && (end == len(text) || !word(text[end-1]) || !word(text[end])) {
			found = append(found, Span{start, end})
		}
	}
	return found
}

// wholeRunes extends a range to the boundaries of UTF-8 encodings, since JSON can't
// hold a part of an encoding.
func wholeRunes(text string, start, end int) (int, int) {
	first, _ := runeAround(text, start)
	_, last := runeAround(text, end)
	return first, last
}

// runeAround returns the range of the rune whose encoding contains the offset inside,
// or the offset itself.
func runeAround(text string, at int) (start, end int) {
	for start = at - 1; start >= max(0, at-utf8.UTFMax+1); start-- {
		if _, size := utf8.DecodeRuneInString(text[start:]); start+size > at {
			return start, start + size
		}
	}
	return at, at
}

// merged sorts spans and joins overlapping and adjacent ones. It extends each span to
// whole words, so that the end of a placeholder is clear, and the secret is found again
// in a part of the text.
func merged(text string, spans []Span) []Span {
	for i := range spans {
		s := &spans[i]
		for !wordStarts(text, s.Start) {
			s.Start--
		}
		for s.End < len(text) && word(text[s.End]) {
			s.End++
		}
	}
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	var out []Span
	for _, s := range spans {
		if last := len(out) - 1; last >= 0 && s.Start <= out[last].End {
			out[last].End = max(out[last].End, s.End)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// wordStarts reports whether a word can start at an offset. An escape such as \n or %3D does not belong to the word
// after it.
func wordStarts(text string, at int) bool {
	if at == 0 || !word(text[at-1]) || !word(text[at]) {
		return true
	}
	return at > 1 && text[at-2] == '\\' && escapeLetter(text[at-1]) || at > 2 && endsInEscape(text[:at])
}

// endsInEscape reports whether a text ends in two hexadecimal digits that stand for a character of no word, as in URLs,
// JSON, source texts and mails: %3D, %253D, \u0022, \x22, =3D.
func endsInEscape(text string) bool {
	high, low := strings.IndexByte(hexDigits, text[len(text)-2]|0x20), strings.IndexByte(hexDigits, text[len(text)-1]|0x20)
	if high < 0 || low < 0 || word(byte(high<<4|low)) {
		return false
	}
	text = text[:len(text)-2]
	for _, begin := range []string{"%", "=", "%25", `\x`, `\u00`} {
		if strings.HasSuffix(text, begin) {
			return true
		}
	}
	return false
}

const hexDigits = "0123456789abcdef"

func escapeLetter(c byte) bool { return c == 'n' || c == 'r' || c == 't' }

func word(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
