package edits

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestRebase(t *testing.T) {
	const base = "one\ntwo\nthree\nfour\nfive\n" // lines at 0, 4, 8, 14, 19
	three := Edit{8, 13, "THREE"}
	tests := map[string]struct {
		now      string
		edits    []Edit
		want     []Edit
		conflict int // line of now; 0: none
	}{
		"unchanged":                {base, []Edit{three}, []Edit{three}, 0},
		"lines added above":        {"zero\none\ntwo\nthree\nfour\nfive\n", []Edit{three}, []Edit{{13, 18, "THREE"}}, 0},
		"lines removed above":      {"two\nthree\nfour\nfive\n", []Edit{three}, []Edit{{4, 9, "THREE"}}, 0},
		"changed below":            {"one\ntwo\nthree\nfour\n5\n", []Edit{three}, []Edit{three}, 0},
		"changed above and below":  {"1\ntwo\nthree\nfour\n5\n", []Edit{three}, []Edit{{6, 11, "THREE"}}, 0},
		"the same line":            {"one\ntwo\n3\nfour\nfive\n", []Edit{three}, nil, 3},
		"the line right before":    {"one\n2\nthree\nfour\nfive\n", []Edit{three}, nil, 2},
		"inserted right before":    {"one\ntwo\nnew\nthree\nfour\nfive\n", []Edit{three}, nil, 3},
		"the line deleted":         {"one\ntwo\nfour\nfive\n", []Edit{three}, nil, 3},
		"everything deleted":       {"", []Edit{three}, nil, 1},
		"the line right below":     {"one\ntwo\nthree\n4\nfive\n", []Edit{three}, nil, 4},
		"inserted right below":     {"one\ntwo\nthree\nnew\nfour\nfive\n", []Edit{three}, nil, 4},
		"an end of line":           {"one\ntwo\nthree\n4\nfive\n", []Edit{{7, 7, "!"}}, []Edit{{7, 7, "!"}}, 0},
		"a line between others":    {"one\ntwo\n3\nfour\nfive\n", []Edit{{4, 4, "new\n"}}, []Edit{{4, 4, "new\n"}}, 0},
		"a join above a change":    {"one\ntwo\nthree\nfour\n5\n", []Edit{{10, 14, ""}}, nil, 5},
		"a line beside a change":   {"one\n2\nthree\nfour\nfive\n", []Edit{{4, 4, "new\n"}}, nil, 2},
		"one of two fits":          {"one\ntwo\n3\nfour\nfive\n", []Edit{{0, 1, "O"}, three}, []Edit{{0, 1, "O"}}, 3},
		"insertion at the end":     {"zero\n" + base, []Edit{{24, 24, "six\n"}}, []Edit{{29, 29, "six\n"}}, 0},
		"both add at the end":      {base + "seven\n", []Edit{{24, 24, "six\n"}}, nil, 6},
		"bytes that are not UTF-8": {"\xe9\n" + base, []Edit{three}, []Edit{{10, 15, "THREE"}}, 0},
	}
	for name, tt := range tests {
		got, conflicts := rebase([]byte(base), []byte(tt.now), tt.edits)
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		line := 0
		if len(conflicts) > 0 {
			line = conflicts[0].line
		}
		if line != tt.conflict {
			t.Errorf("%s: conflict at line %d; want %d", name, line, tt.conflict)
		}
	}
}
