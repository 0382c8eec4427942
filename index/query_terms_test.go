package index_test

import (
	"slices"
	"testing"

	"ploke-lsp/index"
)

// TestTermsIn looks for the terms of a query in texts, of which the words repeat.
func TestTermsIn(t *testing.T) {
	terms := index.QueryTerms("closing idle connections")
	for range 2 {
		for text, want := range map[string][]string{
			"func closeIdle() { idleConn.Close(); other.close() }": {"clos", "idle"},
			"// Connections are closed. A connection is not.":      {"connection", "clos"},
			"nothing of it": nil,
		} {
			if got := terms.In(text); !slices.Equal(got, want) {
				t.Errorf("%q has the terms %q, want %q", text, got, want)
			}
		}
	}
}
