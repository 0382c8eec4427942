package secretscan

import "strings"

const (
	crowdBytes = 320 // that are looked at after a word
	crowdWords = 4   // that are looked at in so many bytes without a separator
)

// crowd is a part of a text without separators. What is looked at after each of its words is
// all that follows, so many words would cost much, and show no more.
type crowd struct{ start, words int }

// mayLookAt reports whether what follows the word at an offset is to be looked at. The offsets
// ascend.
func mayLookAt(crowds map[string]crowd, separators, text string, at int) bool {
	end := at + crowdBytes
	if end > len(text) || strings.ContainsAny(text[at:end], separators) {
		return true
	}
	c := crowds[separators]
	if c.words == 0 || at >= c.start+crowdBytes {
		c = crowd{start: at}
	}
	c.words++
	crowds[separators] = c
	return c.words <= crowdWords
}
