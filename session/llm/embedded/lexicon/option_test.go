package lexicon

import (
	"regexp"
	"slices"
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

// TestOptionsByTheWordsOfAQuestion has options that share a word with a question.
func TestOptionsByTheWordsOfAQuestion(t *testing.T) {
	x, _ := AmountOf("how many redirects will it follow max?")
	for _, tt := range []struct{ other, line, want string }{
		{"", "'--follow',", ""}, {"", `"--follow-links"`, ""}, {"", "'--max-redirects',", "max-redirects"},
		{"max-redirects", `"max-followed-redirects": 3`, "max-followed-redirects"},
		{"follow-redirects", `"max-redirect-size"`, "follow-redirects"}, {"max-redirects", `"max-headers"`, "max-redirects"},
		{"redirect-max", `"follow-redirects"`, "follow-redirects"},
		{"follow-redirects", `"max-follow-redirects"`, "max-follow-redirects"}, {"", "max-redirects", ""},
	} {
		if got := x.BetterOption(tt.other, tt.line); got != tt.want {
			t.Errorf("%s, or of %s: %q", tt.other, tt.line, got)
		}
	}
}

// TestAmountsOfATypeSayItsName asks for defaults of a type, and of what only looks like a name.
func TestAmountsOfATypeSayItsName(t *testing.T) {
	for message, want := range map[string]bool{"what is the default level of the StreamHandler": true,
		"what's the max entry size for a RingCache":    true,
		"what is the default of foo_bar in production": false,
		"how long does RingBuffer wait for readers":    true, "where does RingBuffer have limits": false} {
		if x, _ := AmountOf(message); x.AsksOfOwner != want {
			t.Errorf("%s: %+v", message, x)
		}
	}
	if x, _ := AmountOf("how many files can the ring hold"); slices.Contains(x.Things, Stem("files")) {
		t.Errorf("files of no type: %q", x.Things)
	}
}
