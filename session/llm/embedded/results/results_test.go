package results_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm/embedded/results"
)

// TestFitIsTheShareOfWordsWhereTheySayWhatItIs asks in words of a result's name, its doc comment and its code.
func TestFitIsTheShareOfWordsWhereTheySayWhatItIs(t *testing.T) {
	found := []results.Symbol{{ID: "/w/z.go#1:2", Canon: "Zebra", Doc: "Lions eat.", Snippet: "tiger bear wolf"}}
	for message, want := range map[string]bool{
		"zebras":            true,
		"lions":             true,
		"lions eat apes":    true,
		"zebra apes":        true,
		"zebra apes birds":  false,
		"zebra apes recent": true, // a weak word counts less
		"zebra apes class":  true, // and so does one of any code
		"tigers bears":      false,
		"tigers bears wolf": true, // long questions need less of each word
		"tiger bear apes":   false,
	} {
		if got := results.Fits(message, found); got != want {
			t.Errorf("%q: %v, with a fit of %.2f", message, got, found[0].Fit(message))
		}
	}
}

// TestTheBestMatchSaysWhatItIs asks what a result may be the best match of: it has telling words in its name, and most of
// them at all; or all in what documents it.
func TestTheBestMatchSaysWhatItIs(t *testing.T) {
	s := results.Symbol{ID: "/w/reset/cli.py#1:2", Canon: "Typer::solve_help", Doc: "Finds what shows first.", Snippet: "pass app group zebra"}
	for message, want := range map[string]bool{
		"how is the help of a group solved":       true,
		"what if I pass an app that is a group":   false, // only its code has it
		"how does typer pass the app":             false, // the project's name tells nothing
		"who shows what it finds":                 true,
		"where is the help of lions and tigers":   false,
		"where are lions and tigers solved":       false, // one of three
		"what is in the set":                      false, // the folder has it
		"explain solve_help with lions and bears": true,
		"how does solving work":                   true,
		"where do zebras go":                      false,
	} {
		if got := s.IsBest(message, "typer"); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
	s = results.Symbol{ID: "/w/dupefilters.py#1:2", Canon: "DupeFilter::log", Kind: "method", Snippet: "duplicate request"}
	if s.IsBest("how does the duplicate filter work", "") {
		t.Error("a method whose class alone is named is the best match")
	}
	s = results.Symbol{ID: "/w/t.c#1:2", Canon: "socket_path", Kind: "variable"}
	if s.IsBest("how does tmux choose the socket path?", "tmux") || !s.IsBest("which variable has the socket path?", "") {
		t.Error("a variable does something, or is none")
	}
	s = results.Symbol{ID: "/w/a.rs#1:2", Canon: "Parser::resets"}
	if s.IsBest("where do we set the parser", "fd") || !s.IsBest("where do we reset the parser", "fd") {
		t.Error("a short word is found within another one")
	}
	s = results.Symbol{ID: "/w/a.rs#1:2", Canon: "exec::CommandSet"}
	if s.IsBest("where is it set", "fd") || !s.IsBest("where are the commands", "fd") {
		t.Error("of a name, a verb is taken for most of it, or half of it is not")
	}
}

// TestTheRarestWordsOfNamesComeFirst lists what has the words of a question, tests and prose last.
func TestTheRarestWordsOfNamesComeFirst(t *testing.T) {
	found := []results.Symbol{{ID: "/w/a.py#1:2", Canon: "test_filter"}, {ID: "/w/a.py#3:4", Canon: "Filters", Kind: "section"},
		{ID: "/w/a.py#5:6", Canon: "log_level"}, {ID: "/w/a.py#7:8", Canon: "level_of"}, {ID: "/w/a.py#9:9", Canon: "run", Doc: "a filter"},
		{ID: "/w/a.py#11:12", Canon: "filter_by_level"}, {ID: "/w/a.py#13:14", Canon: "other"}}
	want := "- `filter_by_level` () — a.py:11\n- `log_level` () — a.py:5\n- `level_of` () — a.py:7\n- `run` () — a.py:9\n" +
		"- `Filters` (section) — a.py:3\n- `test_filter` () — a.py:1\n"
	if got := (results.Folders{"/w"}).Having([]string{"filter", "level", "xyz"}, found, 1); got != want {
		t.Errorf("they are\n%s", got)
	}
}

// TestCodeWithABarHasNoLink has no address of a link in a span that a table would end.
func TestCodeWithABarHasNoLink(t *testing.T) {
	for said, want := range map[string]string{"fix `a | b` [#5](https://x/pu…": "`` fix `a | b` [#5] ``", "a [b](c:d)": "`a [b](c:d)`"} {
		if got := results.Code(said); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestFilesWithinAFolder takes the folder of a name that is nearest to the top, its tests last.
func TestFilesWithinAFolder(t *testing.T) {
	found := []results.Counted{{File: "/w/x/ring/a.rs"}, {File: "/w/ring/a_test.rs"}, {File: "/w/ring/src/b.rs"}, {File: "/w/ring/c.rs"}}
	want := []string{"/w/ring/c.rs", "/w/ring/src/b.rs", "/w/ring/a_test.rs"}
	if d := cmp.Diff(want, results.Folders{"/w"}.Within("ring", found)); d != "" {
		t.Error(d)
	}
}

// TestRespelledWordsAreNamed takes the nearest of what was searched for into the message, and says so; of words that
// questions are made of it says nothing.
func TestRespelledWordsAreNamed(t *testing.T) {
	found := results.Decode[results.SearchResult](&results.ToolResult{Content: []byte(`{"respelled":[` +
		`{"word":"pagnate","as":["paginate","page"]},{"word":"please","as":["pleat"]},{"word":"which","as":["witch"]}]}`)})
	message, note := found.Spelled("please say which pagnate")
	if message != "please say which paginate" || note != "No file has `pagnate`; I searched for `paginate`, `page`.\n\n" &&
		note != "No file has `pagnate`; I searched for `paginate` and `page`.\n\n" {
		t.Errorf("%q, %q", message, note)
	}
}

// TestQuotedEdge quotes a line, and a call of several lines as what it is.
func TestQuotedEdge(t *testing.T) {
	line := results.Edge{File: "/w/a.js", Line: 3, Text: "  each(f);"}
	if got := line.Quoted(); got != "<code=\"/w/a.js\" #3:3>\n  each(f);\n</code>\n\n" {
		t.Errorf("a line: %q", got)
	}
	line.Text, line.Joined = "  each( f, g );", true
	if got := line.Quoted(); got != "`each( f, g );`\n\n" {
		t.Errorf("a call of several lines: %q", got)
	}
}
