package secretscan

import (
	"strings"
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

// TestHostileTextsTakeLinearTime scans texts that repeat what starts a search. A quadratic
// one would take minutes.
func TestHostileTextsTakeLinearTime(t *testing.T) {
	for _, piece := range []string{
		"a:5432:", "\"kty", "-----BEGIN PRIVATE " + "KEY-----\n", "password=", "password: \"", "curl -u ", "Private-Lines: 9\n", "://a:", "sk-", "x", "A1b2", `\n`, "token ", "eyJ",
		"<RSAKeyValue>", "password\" {", "authorization: basic ",
	} {
		Find(strings.Repeat(piece, 1<<16/len(piece)))
	}
}
