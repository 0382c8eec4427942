package messages

import (
	"iter"
	"strings"
)

// chunkBytes is the approximate size of a chunk of an answer.
const chunkBytes = 48

// Chunks splits text at word boundaries.
func Chunks(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			n := len(text)
			if n > chunkBytes {
				if i := strings.IndexAny(text[chunkBytes:], " \n"); i >= 0 {
					n = chunkBytes + i + 1
				}
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}
