package project

import (
	"strings"
	"testing"
)

// TestAQuotationIsFoundWhereItStands looks for quotations in a text whose lines are known.
func TestAQuotationIsFoundWhereItStands(t *testing.T) {
	text := strings.Join([]string{
		"func first() {", "\treturn one + two", "}", "", // 1-4
		"func second() {", "\tcall(here, there)  ", "}", "", // 5-8
		"func third() {", "\treturn one + two", "}", // 9-11, without a line break
	}, "\n")
	for _, tt := range []struct {
		name, quotation string
		claimed, want   int // 0: nowhere
	}{
		{"where it claims to be", "func second() {\n", 5, 5},
		{"a few lines off", "func second() {\n", 7, 5},
		{"far off", "func second() {\n", 900, 5},
		{"before the beginning of lines", "func second() {\n", 1, 5},
		{"the nearest of two, above", "\treturn one + two\n}\n", 5, 2},
		{"the nearest of two, below", "\treturn one + two\n}\n", 7, 10},
		{"as near above as below", "\treturn one + two\n}\n", 6, 2},
		{"other space at the end of a line", "func second() {\n\tcall(here, there)\n}\n", 2, 5},
		{"carriage returns", "func second() {\r\n\tcall(here, there)\r\n}\r\n", 5, 5},
		{"up to the last line", "func third() {\n\treturn one + two\n}\n", 1, 9},
		{"the first line", "func first() {\n", 9, 1},
		{"a part of a line", "second() {\n", 5, 0},
		{"the beginning of a line", "func sec\n", 5, 0},
		{"other text", "func fourth() {\n", 5, 0},
		{"a brace near by", "}\n", 6, 7},
		{"a brace far off", "}\n", 100, 0},
		{"a short line of two, far off", "\treturn one + two\n", 100, 0},
		{"a short line of two, near by", "\treturn one + two\n", 12, 10},
		{"a blank line", "\n", 4, 4},
		{"nothing", "", 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, found := findQuotation([]byte(text), tt.quotation, tt.claimed)
			if !found {
				got = 0
			}
			if got != tt.want {
				t.Errorf("found at line %d, want %d", got, tt.want)
			}
		})
	}
}
