package lsp_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/lsp"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools/mcpclient/mcptest"
)

// TestMain checks, after all tests of the package, that they had each part of the protocol on the wire,
// where the fake editor compares it with the schema.
func TestMain(m *testing.M) {
	sandbox.Enter()
	mcptest.ServeIfAsked()
	code := m.Run()
	if never := lsptest.NeverSeen(); code == 0 && len(never) > 0 && allTests() {
		fmt.Fprintf(os.Stderr, "FAIL: no test has these on the wire: %q\n", never)
		code = 1
	}
	os.Exit(code)
}

// allTests reports whether no flag selects some of the tests.
func allTests() bool {
	for _, name := range []string{"run", "skip", "list", "fuzz"} {
		if f := flag.Lookup("test." + name); f != nil && f.Value.String() != "" {
			return false
		}
	}
	return true
}

// TestEveryMethodIsOfTheProtocol compares the server's methods with those that are published.
func TestEveryMethodIsOfTheProtocol(t *testing.T) {
	got, want := lsp.Routes("ploke/"), ploke.Methods()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the server handles\n%q\nThe protocol has\n%q", got, want)
	}
	got, want = lsp.CommandNames(), ploke.Commands()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the server executes\n%q\nThe protocol has\n%q", got, want)
	}
}

// TestThoughtsAreParts asks a model that says what it thinks.
func TestThoughtsAreParts(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Reasoning: []string{"The circle", " is round."}, Text: []string{"It is round."}})
	e := f.start(lsptest.Options{})
	e.Ask("What is a circle?")
	var thoughts, text string
	for _, p := range e.Parts() {
		switch p.Type {
		case ploke.PartThought:
			thoughts += p.Text
		case ploke.PartMessage:
			text += p.Text
		}
	}
	if thoughts != "The circle is round." || text != "It is round." {
		t.Errorf("the thoughts are %q and the text is %q", thoughts, text)
	}
}
