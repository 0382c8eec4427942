package query

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestRepeatedWords checks that repeating a word raises its weight, each time by less.
func TestRepeatedWords(t *testing.T) {
	weight := func(text string) float64 {
		for _, term := range parseQuery(text).terms {
			if term.term == "oven" {
				return term.weight
			}
		}
		return 0
	}
	once, twice, thrice := weight("oven"), weight("oven oven"), weight("oven oven oven")
	if once <= 0 || twice <= once || thrice <= twice || thrice-twice >= twice-once {
		t.Errorf("the weights of a word that occurs once, twice and thrice are %v, %v, %v", once, twice, thrice)
	}
}

// TestSeparators checks which characters separate words that may be names.
func TestSeparators(t *testing.T) {
	for _, separator := range " \t\r\n,;?!\"'()[]{}<>" {
		words := parseQuery("left" + string(separator) + "right").words
		if got := strings.Join(slices.Sorted(maps.Keys(words)), " "); got != "left right" {
			t.Errorf("with %q, the words are %q", separator, got)
		}
	}
	if words := parseQuery("left-right_a.b").words; len(words) != 1 {
		t.Errorf("a word is split into %d", len(words))
	}
}
