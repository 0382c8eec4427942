package wording

import "strings"

// hashDigits is how many digits of a hash a model reads.
const hashDigits = 12

// minHashDigits is how many digits of a hash a model must send.
const minHashDigits = 8

// ShortHash returns a hash in the form that texts show.
func ShortHash(hash string) string { return hash[:min(hashDigits, len(hash))] }

// IsHash reports whether given stands for hash: all of it, or its first digits, of which there
// must be enough that no other text has them by chance.
func IsHash(given, hash string) bool {
	given = strings.ToLower(strings.TrimSpace(given))
	return len(given) >= minHashDigits && strings.HasPrefix(hash, given)
}

// OtherHash says why given does not stand for hash.
func OtherHash(given, hash string) string {
	if len(strings.TrimSpace(given)) < minHashDigits {
		return "at least 8 digits of a hash are needed: its hash is " + ShortHash(hash)
	}
	return "it has changed: its hash is " + ShortHash(hash)
}
