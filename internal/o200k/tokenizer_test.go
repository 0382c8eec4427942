package o200k

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// TestCountOfAnything compares the counts of unusual texts with those of a library, which e2e/libraries has written. Each
// line has the count and the text as a string of Go.
func TestCountOfAnything(t *testing.T) {
	file, err := os.Open("testdata/counts.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		count, quoted, _ := strings.Cut(lines.Text(), " ")
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", quoted, err)
		}
		if got := fmt.Sprint(Count(text)); got != count {
			t.Errorf("%s tokens, want %s: %s", got, count, quoted)
		}
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
