package proof

import "testing"

// TestNewProblems are those that were not there before, on whatever line, each as often as it is more.
func TestNewProblems(t *testing.T) {
	p := func(file string, line int, message string) found {
		return found{file: file, line: line, message: message}
	}
	for name, tt := range map[string]struct {
		now, before []found
		fresh, old  int
	}{
		"moved":               {[]found{p("a", 9, "x")}, []found{p("a", 1, "x")}, 0, 1},
		"one more of a kind":  {[]found{p("a", 1, "x"), p("a", 2, "x")}, []found{p("a", 1, "x")}, 1, 1},
		"in another file":     {[]found{p("b", 1, "x")}, []found{p("a", 1, "x")}, 1, 0},
		"another number":      {[]found{p("a", 1, "line 30 of 40")}, []found{p("a", 1, "line 3 of 4")}, 0, 1},
		"another word":        {[]found{p("a", 1, "y")}, []found{p("a", 1, "x")}, 1, 0},
		"of another code":     {[]found{{file: "a", message: "x", code: "1"}}, []found{{file: "a", message: "x", code: "2"}}, 1, 0},
		"nothing was there":   {[]found{p("a", 1, "x")}, nil, 1, 0},
		"nothing is there":    {nil, []found{p("a", 1, "x")}, 0, 0},
		"in another column":   {[]found{{file: "a", message: "x", column: 3}}, []found{{file: "a", message: "x", column: 4}}, 0, 1},
		"fixed, and two more": {[]found{p("a", 1, "y"), p("a", 2, "y")}, []found{p("a", 1, "x")}, 2, 0},
	} {
		if fresh, old := newProblems(tt.now, tt.before); len(fresh) != tt.fresh || old != tt.old {
			t.Errorf("%s: %v are new, and %d old", name, fresh, old)
		}
	}
}
