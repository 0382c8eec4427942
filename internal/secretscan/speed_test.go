package secretscan

import (
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
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

// TestManyNamesInOneWordAreLookedAtSparsely counts the places that are looked at in a text that
// repeats one name or command.
func TestManyNamesInOneWordAreLookedAtSparsely(t *testing.T) {
	for _, list := range triggers().lists {
		for _, repeated := range list {
			if repeated.separators == "" || strings.ContainsAny(repeated.word, repeated.separators) {
				continue
			}
			looked, text := 0, strings.Repeat(repeated.word+"=", 2000)
			search(text, func(t *trigger, _ int) []Span {
				if t.separators != "" {
					looked++
				}
				return nil
			})
			if most := 2 * (len(text)/40 + crowdBytes/len(repeated.word)); looked > most {
				t.Errorf("%q is looked at %d times in %d bytes; want %d at most", repeated.word, looked, len(text), most)
			}
		}
	}
}

// TestHostileTextsTakeLinearTime scans texts that repeat what starts a search. A quadratic
// one would take minutes.
func TestHostileTextsTakeLinearTime(t *testing.T) {
	for _, piece := range []string{
		"a:5432:", "\"kty", "-----BEGIN PRIVATE " + "KEY-----\n", "password=", "password: \"", "curl -u ", "Private-Lines: 9\n", "://a:", "sk-", ":aa", ".atlasv1.", "mysql", "SharedAccessKey=", "x", "A1b2", `\n`, "token ", "eyJ",
		"<RSAKeyValue>", "password\" {", "authorization: basic ",
	} {
		Find(strings.Repeat(piece, testbed.Size(1<<16, 1<<14)/len(piece)))
	}
}
