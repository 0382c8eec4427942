package redact

import (
	"math"
	"regexp"
	"strings"
)

// Bits per character, as a text's own frequencies have them. English words of eight
// letters and more have about 2.8, random ones of the same alphabet 3 and more.
const (
	minBits     = 2.7
	minLongBits = 3.2 // of 20 characters and more
)

var (
	// compound matches identifiers, file names and versions: words with few digits.
	compound = regexp.MustCompile(`^[\W_]*[A-Za-z]*\d{0,4}(?:[\W_]+(?:[A-Za-z]+\d{0,3}|\d{1,4}))*[\W_]*$`)
	// simple is a word with digits.
	simple = regexp.MustCompile(`^[A-Za-z]+\d{1,4}$`)
	// generated matches what stands for a value: of templates, formats, settings.
	generated = regexp.MustCompile(`[$%]\{|\{\{|\$\(|%[sdvqx]|<[a-z]|\.\.\.|://|^\$|^/|^\.{1,2}/|\\x|\\u|^-?0[xX][0-9a-fA-F]{1,16}$`)
)

// mayBeSecret reports whether a value may be a secret: irregular, and no word, name,
// path or template. weak lets a word with digits be one.
func mayBeSecret(value string, weak bool) bool {
	switch {
	case !irregular(value) || generated.MatchString(value):
		return false
	case simple.MatchString(value):
		return weak
	}
	return !compound.MatchString(value)
}

// irregular reports whether letters are mixed with something else, and the characters
// differ as much as in a random text.
func irregular(value string) bool {
	letters, others := 0, 0
	for _, r := range value {
		switch {
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > 127:
			letters++
		case !strings.ContainsRune("-_./:", r):
			others++
		}
	}
	least := minBits
	if len(value) >= 20 {
		least = minLongBits
	}
	return letters > 0 && others > 0 && entropy(value) >= least && !placeholderLike.MatchString(value)
}

// random reports whether a key has a run of letters and digits as keys do.
func random(key string) bool {
	for run := range strings.FieldsFuncSeq(key, func(r rune) bool { return r > 127 || r == '_' || !word(byte(r)) }) {
		if len(run) >= 16 && strings.ContainsAny(run, "0123456789") && irregular(run) {
			return true
		}
	}
	return false
}

// entropy is Shannon's entropy of a text, in bits per byte, by its own frequencies.
func entropy(text string) float64 {
	var counts [256]int
	for i := range len(text) {
		counts[text[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
