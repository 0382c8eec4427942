package syntax

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestIsCPP compares with one regular expression for the whole text.
func TestIsCPP(t *testing.T) {
	testbed.Long(t)
	whole := regexp.MustCompile(`(?m)^[ \t]*(?:(?:class|struct)[ \t]+\w+[ \t]*(?:final[ \t]*)?:[^:]` +
		`|class[ \t]+\w+[ \t]*(?:[{;]|$)|(?:inline[ \t]+)?namespace[ \t]+[\w:]+[ \t]*(?:\{|$)` +
		`|template[ \t]*<|(?:public|private|protected)[ \t]*:|using[ \t]+(?:namespace[ \t]|\w+[ \t]*=))`)
	pieces := []string{"class", "struct", "inline", "namespace", "template", "public", "private", "protected", "using", "final", "a", "_b1", "é",
		" ", " ", " ", "\t", "\n", "\n", "\r\n", ":", ":", "::", "{", ";", "<", "=", "#"}
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 200_000 {
		text := ""
		for range random.IntN(12) {
			text += pieces[random.IntN(len(pieces))]
		}
		want := whole.MatchString(text)
		if got := isCPP([]byte(text)); got != want {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
		if want {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d texts are C++", found)
	}
}
