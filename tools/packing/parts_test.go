package packing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index"
)

func TestWindowsShowTheLinesThatMatchTheQuery(t *testing.T) {
	for _, test := range []struct {
		query string
		at    map[int]string // lines other than "thing"
		limit int
		want  string
	}{
		{"retry", nil, 10, "[{0 10}]"},
		{"retry", map[int]string{50: "retry()"}, 100, "[{0 2} {46 55}]"},
		{"retry", map[int]string{8: "retry()"}, 100, "[{0 13}]"},
		{"retry the upload", map[int]string{20: "retry()", 70: "upload()"}, 100, "[{0 2} {16 25} {66 75}]"},
		{"retry the upload", map[int]string{20: "upload()", 40: "upload()", 60: "upload()", 80: "retry()"}, 60, "[{0 2} {76 85}]"}, // the rarer word is first
		{"retry", map[int]string{50: "retry()", 56: "retry()"}, 100, "[{0 2} {46 61}]"},
		{"the --no-retry flag", map[int]string{30: "no_retry()", 60: "retry()"}, 60, "[{0 2} {26 35}]"},
		{"retry", map[int]string{99: "retry()"}, 100, "[{0 2} {95 100}]"},
		{"retry", map[int]string{50: "retry()"}, 1, "[]"},
	} {
		lines := slices.Repeat([]string{"thing\n"}, 100)
		for at, text := range test.at {
			lines[at] = text + "\n"
		}
		got := windowsOf(lines, make([]bool, len(lines)), index.QueryTerms(test.query), func(int) int { return 1 }, test.limit)
		if fmt.Sprint(got) != test.want {
			t.Errorf("%q, %v within %d: the windows are %v, want %s", test.query, test.at, test.limit, got, test.want)
		}
		missing := linesBeside(got, len(lines))
		if shown := shownLines(got) + shownLines(missing); shown != len(lines) {
			t.Errorf("%q: %d lines are shown or missing", test.query, shown)
		}
		if note := cutNote(10, missing, "f"); !strings.HasSuffix(note, "of f") {
			t.Error(note)
		}
	}
}

// TestFirstFiles checks that each file is asked for once, however many of its symbols were found.
func TestFirstFiles(t *testing.T) {
	var hits []*Hit
	for _, path := range []string{"b", "a", "b", "b", "c", "a", "d"} {
		hits = append(hits, &Hit{Hit: index.Hit{Unit: index.Unit{Path: path}}})
	}
	for n, want := range []string{"", "b", "b a", "b a c", "b a c d", "b a c d"} {
		if got := strings.Join(FirstFiles(hits, n), " "); got != want {
			t.Errorf("the first %d files are %q, want %q", n, got, want)
		}
	}
}
