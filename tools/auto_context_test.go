package tools_test

import (
	"context"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/tools"
)

// TestAMessageThatNamesNothingReadsNothingEarlier: collecting what was said before takes the longer, the longer the
// conversation is.
func TestAMessageThatNamesNothingReadsNothingEarlier(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "package a\n\nfunc Answer() int { return 42 }\n"})
	w.deps.Editor = func(context.Context) index.Editor { return index.Editor{} }
	for text, want := range map[string]bool{"go on": false, "where is Answer?": true} {
		asked := false
		earlier := func() []string { asked = true; return nil }
		code, _, err := w.deps.AutoContext(t.Context(), tools.Call{}, tools.Question{Text: text, Earlier: earlier, Sent: earlier}, 1000)
		if err != nil || asked != want || (code != "") != want {
			t.Errorf("%q: asked for what is earlier: %v, code %q, error %v", text, asked, code, err)
		}
	}
}
