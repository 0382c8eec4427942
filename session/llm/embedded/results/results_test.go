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
