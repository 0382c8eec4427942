package lsp_test

import (
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// TestSearchSaysWhatItDoubts: a client is told why probably nothing fits, beside the nearest places.
func TestSearchSaysWhatItDoubts(t *testing.T) {
	_, e := startWithSimilarFiles(t, lsptest.Options{})
	for query, want := range map[string]string{
		"how do penguins balance eggs between their feet during antarctic storms near a value": "no file has most of the words",
		"writes a value": "",
		"Encode":         "",
	} {
		var found ploke.SearchResult
		e.Call(ploke.MethodSearch, &ploke.SearchParams{Query: query}, &found)
		if found.Doubt != want || len(found.Results) == 0 {
			t.Errorf("%q: doubted because %q, want %q, with %d results", query, found.Doubt, want, len(found.Results))
		}
	}
}
