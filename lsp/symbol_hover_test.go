package lsp_test

import (
	"strings"
	"testing"
)

// TestHoverOverASymbolInTheChat hovers over symbols that a message names.
func TestHoverOverASymbolInTheChat(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	path := f.path("talk.ploke.md")
	e.OpenText(path, "<!-- ploke chat -->\n\n## You 1\n\nWhat do `square` and #Circle.Area and `nothing` do?\n")
	for at, want := range map[string][]string{
		"square":  {"func square", "shapes/circle.go:", "Called by, among others: `Circle::Area`"},
		"Circle":  {"func (c Circle) Area() float64", "Area returns the area of the circle."},
		"nothing": nil,
		"What":    nil,
	} {
		text := hoverText(t, e, path, at)
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("the hover over %s lacks %q: %s", at, part, text)
			}
		}
		if want == nil && text != "" {
			t.Errorf("the hover over %s is %s", at, text)
		}
	}
}
