package o200k

import (
	"strings"
	"testing"
)

// TestCacheEntry checks that texts of all cached lengths that differ in one bit, or in their length,
// have different entries.
func TestCacheEntry(t *testing.T) {
	seen := map[cacheEntry]string{{}: "the empty entry"}
	for n := 1; n <= maxCachedBytes; n++ {
		texts := []string{strings.Repeat("\x00", n)}
		for bit := range 8 * n {
			text := []byte(texts[0])
			text[bit/8] = 1 << (bit % 8)
			texts = append(texts, string(text))
		}
		for _, text := range texts {
			e := newCacheEntry(text)
			if other, found := seen[e]; found {
				t.Errorf("%q has the entry of %q", text, other)
			}
			seen[e] = text
			e.high |= 7 << tokensShift
			if !e.sameText(newCacheEntry(text)) {
				t.Errorf("%q is not found with its tokens", text)
			}
		}
	}
}
