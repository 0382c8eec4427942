package lsp_test

import (
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// TestThePreviewIsDiffOrCode shows a proposal in the form that edits.preview names. The unified
// diff stays there for clients that build on it.
func TestThePreviewIsDiffOrCode(t *testing.T) {
	for setting, want := range map[string][2]string{ // what the preview has, and what it has not
		"":     {"\n+/* 😀é */ func squared(", "circle.go:16"},
		"diff": {"\n+/* 😀é */ func squared(", "circle.go:16"},
		"code": {"circle.go:16\n/* 😀é */ func squared(", "\n+"},
	} {
		f := newFixture(t)
		e := f.start(lsptest.Options{InitializationOptions: map[string]any{"edits": map[string]any{"preview": setting}}})
		e.AwaitIndex()
		var shown ploke.ProposalGetResult
		e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: renameSquare(t, e)}, &shown)
		if !strings.Contains(shown.Preview, want[0]) || strings.Contains(shown.Preview, want[1]) {
			t.Errorf("with %q, the preview is\n%s", setting, shown.Preview)
		}
		if !strings.Contains(shown.Diff, "\n+/* 😀é */ func squared(") {
			t.Errorf("with %q, the diff is\n%s", setting, shown.Diff)
		}
	}
}
