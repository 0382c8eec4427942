package commands

import (
	"strings"
	"testing"
)

// TestASlashCommandTakesArguments expands commands with arguments.
func TestASlashCommandTakesArguments(t *testing.T) {
	for _, tt := range []struct{ name, body, arguments, want string }{
		{"all of them", "Review $ARGUMENTS now.", "a.go  'b c'", "Review a.go  'b c' now."},
		{"single ones", "From $2 to $1, not $3.", "a b", "From b to a, not ."},
		{"in quotes", "1: $1 2: $2 3: $3", `"a b" 'c "d"' e`, `1: a b 2: c "d" 3: e`},
		{"an apostrophe is no quote", "1: $1 2: $2", "don't 'do it", "1: don't 2: 'do"},
		{"a price is no place", "It costs $100 or $1a, $ARGUMENTSX, ${1}.", "x", "It costs $100 or $1a, $ARGUMENTSX, ${1}.\n\nx"},
		{"without a place", "Review it.", "a.go\nand b.go", "Review it.\n\na.go\nand b.go"},
		{"without arguments", "Review it.", "", "Review it."},
		{"further paragraphs", "Review $1.", " a.go\n\nThis was piped:\n\nx", "Review a.go.\n\nThis was piped:\n\nx"},
		{"no arguments but further paragraphs", "Review $1.", "\n\nThis was piped", "Review .\n\nThis was piped"},
		{"a place for all paragraphs", "Review $ARGUMENTS, $1.", "a.go\n\nx", "Review a.go\n\nx, a.go."},
		{"a place for nothing", "Review $1.", "", "Review ."},
		{"arguments are not expanded", "$1 $ARGUMENTS", "$2 $ARGUMENTS", "$2 $2 $ARGUMENTS"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := (Command{Name: "c", body: tt.body}).expand(tt.arguments); err != nil || got != tt.want {
				t.Errorf("%q, %v; want %q", got, err, tt.want)
			}
		})
	}
	if _, err := (Command{Name: "c", body: strings.Repeat("$ARGUMENTS ", 2000)}).expand(strings.Repeat("x", 1<<20)); err == nil ||
		!strings.Contains(err.Error(), "1024 KB") {
		t.Errorf("an endless expansion: %v", err)
	}
	if _, err := (Command{Name: "c", body: "$1", ArgumentHint: "FILE"}).expand(""); err == nil ||
		!strings.Contains(err.Error(), "/c FILE") {
		t.Errorf("an empty expansion: %v", err)
	}
}
