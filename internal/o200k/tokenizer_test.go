package o200k

import (
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ploke-lsp/internal/o200k/o200ktest"
	"ploke-lsp/internal/testbed"
)

func check(t *testing.T, text string) {
	t.Helper()
	if got, want := Count(text), o200ktest.Count(text); got != want {
		t.Fatalf("%d tokens, want %d: %.300q", got, want, text)
	}
}

// TestCountOfCode compares the counts of real code with the library's, as plain text and
// as JSON.
func TestCountOfCode(t *testing.T) {
	testbed.Long(t)
	for _, dir := range []string{filepath.Join(runtime.GOROOT(), "src", "net"), "/usr/lib/python3/dist-packages", "/usr/include"} {
		files := 0
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || files == 12 {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil || len(text) == 0 || strings.ContainsRune(string(text), 0) {
				return err
			}
			files++
			part := strings.ToValidUTF8(string(text[:min(len(text), 2<<10)]), "")
			check(t, part)
			quoted, err := json.Marshal(part)
			check(t, string(quoted))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestCountOfAnything compares the counts of unusual and random texts with the library's.
func TestCountOfAnything(t *testing.T) {
	for _, text := range []string{"", " ", "\n", "a", "don'T'VE x's'", "foo'sbar", "HTTPServer'S", "  \n\t x", "\t\t\n ", "a  b", "((x", " (x", "x/\n/\n\ny", "1234567", " 1", "\t1", "\v\fx", "\x00\x1fx", "\r\n\r\n\tfoo", "é à", "日本語 text", "x \u00a0y", "a\u0301b", "🙂 ok", "cut…\"}", "…x…", " …x", "“it”'s", "→→ a—b", "x\ufffdy", "x\xffy…", "…\n\n/", "\n \n", "\n\t\nx", "x \n \n y", "ABǅe", "AªB", "A\u0301BC", "\u0301AB", "(\u0301", "x\u2028 \u2028y", "١٢٣٤", "ⅧⅧ", "a\u00a0\u00a0b", "über'S ÄRA's", "Straße", "ДА'll", "हिन्दी", "x\n1", "\n\n12 a", " \n 1", "(\n34", "é\n5", "//\n1/\n"} {
		check(t, text)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		check(t, anything(random, 20))
	}
}

// anything returns a random text of fewer than length characters.
func anything(random *rand.Rand, length int) string {
	const letters = "aaazZQ'std 09  \t\n\r(\"/\\.\x01_é日……→\u00a0ÄªǅЖ\u0301٣"
	alphabet := []rune(letters)
	var b strings.Builder
	for range random.IntN(length) {
		b.WriteRune(alphabet[random.IntN(len(alphabet))])
	}
	return b.String()
}

// TestCountOfLongRuns counts texts that take the library very long. The counts are within
// the documented error.
func TestCountOfLongRuns(t *testing.T) {
	testbed.Long(t)
	for _, run := range []string{" ", "\n ", "=", "x", "é", "日本"} {
		text := strings.Repeat(run, (2<<10)/len(run))
		want := o200ktest.Count(text)
		if got := Count(text); got < want || got > want+len(text)/pieceBytes+1 {
			t.Errorf("%q: %d tokens, want %d", run, got, want)
		}
		Count(strings.Repeat(run, (64<<10)/len(run)))
	}
}

func BenchmarkCount(b *testing.B) {
	text, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "src", "net", "http", "server.go"))
	if err != nil {
		b.Fatal(err)
	}
	part := string(text[:32<<10])
	b.ReportMetric(float64(Count(part)), "tokens")
	for b.Loop() {
		Count(part)
	}
}

// TestJoined counts texts in parts of any length.
func TestJoined(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		text := anything(random, 60)
		var parts []Measured
		for rest := text; rest != ""; {
			n := random.IntN(min(len(rest), 20) + 1)
			parts, rest = append(parts, Measure(rest[:n])), rest[n:]
		}
		if got, want := Joined(parts), Count(text); got != want {
			t.Fatalf("%d parts have %d tokens, want %d: %q", len(parts), got, want, text)
		}
	}
}
