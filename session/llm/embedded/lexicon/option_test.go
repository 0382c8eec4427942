package lexicon

import (
	"regexp"
	"testing"
)

// TestOptionsAreNamedAsUsersWriteThem reads options in questions, and the lines that set them up.
func TestOptionsAreNamedAsUsersWriteThem(t *testing.T) {
	for message, want := range map[string]string{"default for history-limit?": "history-limit", "what is the default of --jobs": "jobs",
		"is the built-in default large": "", "the maximum number": "", "max of a non-zero one": "", "max `min-runs`": "min-runs"} {
		if got := OptionIn(message); got != want {
			t.Errorf("%s: %q", message, got)
		}
	}
	pattern := regexp.MustCompile(OptionPattern("min-runs"))
	for line, want := range map[string]bool{`Arg::new("min-runs")`: true, "'--min-runs'": true, "min-runs: 10": true, "of min-runs so": false,
		`"min-runss"`: false} {
		if got := pattern.MatchString(line); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	for _, tt := range []struct {
		line  string
		after []string
		want  int
	}{
		{`.name = "history-limit",`, []string{".minimum = 0,", ".maximum = INT_MAX,", ".default_num = 2000,", "},", ".default = 1"}, 3},
		{`add_argument("--jobs", default=4)`, nil, 1},
		{`Arg::new("min-runs")`, []string{`.help("Runs (default: 10)"),`, "", "max = 3"}, 1},
		{`get("min-runs")`, []string{`let max_runs = get("max-runs")`}, 0},
		{`"a-b": {`, []string{`"c-d": {`, "default: 3"}, 0},
	} {
		if got := SaysValues(tt.line, tt.after); got != tt.want {
			t.Errorf("%s %q: %d", tt.line, tt.after, got)
		}
	}
	if n, kinds := LargestOf("the 5 biggest source files without the tests"); n != 5 || !kinds.Source || !kinds.NoTests {
		t.Errorf("%d, %+v", n, kinds)
	}
	for message, want := range map[string]bool{"are there any TODOs left outside the tests": true, "all todos that are not in tests": true,
		"TODOs ohne die Tests": true, "todos in the tests": false, "todos outside the parser": false} {
		if got := WithoutTests(message); got != want {
			t.Errorf("%s: %v", message, got)
		}
	}
	if n, kinds := LargestOf("largest files"); n != 0 || kinds.Source || kinds.NoTests {
		t.Errorf("%d, %+v", n, kinds)
	}
}
