package secretscan

import (
	"testing"
)

// BenchmarkFind scans a part of Go's standard library.
func BenchmarkFind(b *testing.B) {
	var texts []string
	size := 0
	eachFile(b, goSource(b)+"/net", "*.go", func(_, text string) {
		texts = append(texts, text)
		size += len(text)
	})
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, text := range texts {
			Find(text)
		}
	}
}
