package query

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestNextPath compares the possible paths in texts with the matches of a pattern.
func TestNextPath(t *testing.T) {
	pattern := regexp.MustCompile(`[\pL\pN_.@~+\-$%/\\]*[/\\.][\pL\pN_.@~+\-$%/\\]*[\pL\pN_/\\]`)
	random := rand.New(rand.NewPCG(7, 9))
	parts := []string{"a", "b1", "_", ".", "..", "/", `\`, "@", "~", "+", "-", "$", "%", " ", ":", "(", ",", "é", "²", "…", "\xff", "\n"}
	found := 0
	for range 20000 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		text := b.String()
		var got [][]int
		for start, end := nextPath(text, 0); end > start; start, end = nextPath(text, end) {
			got = append(got, []int{start, end})
		}
		want := pattern.FindAllStringIndex(text, -1)
		if found += len(want); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("the paths in %q are at %v, want %v", text, got, want)
		}
	}
	if found < 1000 {
		t.Errorf("only %d paths are found", found)
	}
}
