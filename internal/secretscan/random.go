package secretscan

import (
	"math"
	"regexp"
	"strings"
)

// Minimum entropy of secrets in bits per byte. English words of eight or more letters
// have about 2.8, random strings of the same alphabet 3 or more.
const (
	minBits     = 2.7
	minLongBits = 3.2 // for 20 or more bytes
)

var (
	// compound matches identifiers, file names and versions: words with few digits.
	compound = regexp.MustCompile(`^[\W_]*[A-Za-z]*\d{0,4}(?:[\W_]+(?:[A-Za-z]+\d{0,3}|\d{1,4}))*[\W_]*$`)
	// simple is a word with digits.
	simple = regexp.MustCompile(`^[A-Za-z]+\d{1,4}$`)
	// generated matches placeholders of secrets, templates, format strings, paths and other non-literal values.
	generated = regexp.MustCompile(`(?i:ploke[_-]secret)|[$%]\{|\{\{|\$\(|%[sdvqx]|<[a-z]|\.\.\.|://|^\$|^/|^\.{1,2}/|\\x|\\u|^-?0[xX][0-9a-fA-F]{1,16}$`)
)

// mayBeSecret reports whether a value may be a secret: it is irregular, and not a
// word, name, path or template. weak also allows a word with digits.
func mayBeSecret(value string, weak bool) bool {
	switch {
	case !irregular(value) || generated.MatchString(value):
		return false
	case simple.MatchString(value):
		return weak
	}
	return !compound.MatchString(value)
}

// irregular reports whether letters are mixed with other characters, and the entropy
// is that of a random text.
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
	return letters > 0 && others > 0 && entropy(value) >= least
}

// random reports whether a key contains a run of letters and digits that looks
// random.
func random(key string) bool {
	for run := range strings.FieldsFuncSeq(key, func(r rune) bool { return r > 127 || r == '_' || !word(byte(r)) }) {
		if len(run) >= 16 && strings.ContainsAny(run, "0123456789") && irregular(run) {
			return true
		}
	}
	return false
}

// entropy returns Shannon's entropy of a text's byte frequencies, in bits per byte.
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
