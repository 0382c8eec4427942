package o200k

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// field is where the first part of s ends that can be counted alone: before a space that
// follows something else, for no piece goes on into such a space.
func field(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == ' ' && !space(s[i-1]) {
			return i
		}
	}
	return len(s)
}

// plain says whether all of s that is not ASCII is punctuation and symbols.
func plain(s string) bool {
	for _, r := range s {
		if r >= utf8.RuneSelf && (r == utf8.RuneError || !unicode.IsPunct(r) && !unicode.IsSymbol(r)) {
			return false
		}
	}
	return true
}

// piece is where the first piece of s ends, which is plain, as the vocabulary's regular
// expression has it:
//
//	[^\r\n\p{L}\p{N}]?\p{Lu}*\p{Ll}+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|[^\r\n\p{L}\p{N}]?\p{Lu}+\p{Ll}*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func piece(s string) int {
	switch c := s[0]; {
	case letter(c):
		return word(s, 0)
	case digit(c):
		return run(s[:min(len(s), 3)], 0, digit)
	case c != '\r' && c != '\n' && leads(s):
		return word(s, width(s))
	case !space(c):
		return run(s, run(s, 0, mark), tail)
	case c == ' ' && len(s) > 1 && mark(s[1]):
		return run(s, run(s, 1, mark), tail)
	}
	return blank(s)
}

// word is the end of the word that begins at a place, with a contraction behind it.
func word(s string, at int) int {
	end := run(s, run(s, at, upper), lower)
	if end == len(s) || s[end] != '\'' {
		return end
	}
	for _, c := range [...]string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		if rest := s[end:]; len(rest) >= len(c) && strings.EqualFold(rest[:len(c)], c) {
			return end + len(c)
		}
	}
	return end
}

// blank is the end of the white space that s begins with: its lines, or all of it but
// what goes with the word that follows.
func blank(s string) int {
	end := run(s, 0, space)
	if line := strings.LastIndexAny(s[:end], "\r\n"); line >= 0 {
		return line + 1
	}
	if end < len(s) && end > 1 {
		return end - 1
	}
	return end
}

// run is the first place from at on where a byte is not of a class.
func run(s string, at int, class func(byte) bool) int {
	for at < len(s) && class(s[at]) {
		at++
	}
	return at
}

// leads says whether letters follow the first character of s.
func leads(s string) bool { return width(s) < len(s) && letter(s[width(s)]) }

// width is how many bytes the first character of s has.
func width(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

func upper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func lower(c byte) bool  { return 'a' <= c && c <= 'z' }
func letter(c byte) bool { return upper(c) || lower(c) }
func digit(c byte) bool  { return '0' <= c && c <= '9' }
func space(c byte) bool  { return c == ' ' || '\t' <= c && c <= '\r' }
func mark(c byte) bool   { return !letter(c) && !digit(c) && !space(c) }
func tail(c byte) bool   { return c == '\r' || c == '\n' || c == '/' }
