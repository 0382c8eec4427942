package lsp_test

import (
	"fmt"
	"slices"
	"testing"

	"ploke-lsp/lsp/lsptest"
)

// TestProgressNeverGoesBack reports percentages as a scan does that finds more work on its way.
// The editor fails the test if one goes back.
func TestProgressNeverGoesBack(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	p := f.server.BeginProgress("ploke: counting")
	for _, percent := range []int{10, 60, 40, -1, 61, 200} {
		p.Report("counting", percent)
	}
	p.End("counted")
	p.Report("too late", 99)
	p.End("twice")
	var got []string
	for _, v := range e.AwaitProgressEnd("ploke: counting") {
		if v.Kind == "report" && v.Percentage != nil {
			got = append(got, fmt.Sprint(*v.Percentage))
		}
	}
	if want := []string{"10", "60", "60", "61", "100"}; !slices.Equal(got, want) {
		t.Errorf("the percentages are %v, want %v", got, want)
	}
}

// TestNothingIsLiveInAProgress has a link in each text of a progress: what it shows may be a model's words.
func TestNothingIsLiveInAProgress(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	p := f.server.BeginProgress("ploke: [a](command:b)")
	p.Report("[r](command:b)", 1)
	p.End("[e](command:b)")
	var shown []string
	for _, v := range e.AwaitProgressEnd("ploke: [a] (command:b)") {
		shown = append(shown, v.Title+v.Message)
	}
	if want := []string{"ploke: [a] (command:b)", "[r] (command:b)", "[e] (command:b)"}; !slices.Equal(shown, want) {
		t.Errorf("shown are %q, want %q", shown, want)
	}
}

// TestProgressTokensReadWell looks at the tokens, which Helix shows.
func TestProgressTokensReadWell(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{Capabilities: plain(nil)})
	explain(t, f, e)
	execute(t, e, codeAction(t, e, f.path("shapes/circle.go"), "Area() float64", "ploke: explain"))
	awaitLine(t, e, "explain-Area-2.md")
	tokens := e.Tokens()
	for _, want := range []string{`"ploke: indexing"`, `"ploke: explain Area"`, `"ploke: explain Area (2)"`} {
		if !slices.Contains(tokens, want) {
			t.Errorf("%s is none of the tokens %s", want, tokens)
		}
	}
}
