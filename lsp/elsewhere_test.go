package lsp_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestAProposalWaitsWhereItsFolderIsOpen has a proposal of one folder wait, and opens it and another one in turn.
func TestAProposalWaitsWhereItsFolderIsOpen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	other := unpack(t, "-- other.go --\npackage other\n")
	edit := `{"edits": [{"mode": "replace", "file": "` + filepath.Join(other, "other.go") +
		`", "old": "package other", "new": "package good"}]}`
	f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "it", Name: "apply_code_edit", Arguments: edit}}},
		llmtest.Turn{Text: []string{"Done."}})
	e := f.start(lsptest.Options{Roots: []string{f.root, other}})
	e.AwaitIndex()
	e.Ask("rename the package")
	waits := func(e *lsptest.Editor) int {
		var result ploke.ReviewResult
		e.Call(ploke.MethodReview, nil, &result)
		return len(result.Proposals)
	}
	testbed.Eventually(t, func() bool { return waits(e) == 1 },
		func() string { return fmt.Sprintf("%d proposals wait where both are open", waits(e)) })
	e.Shutdown()
	e = f.start(lsptest.Options{Roots: []string{f.root}})
	e.AwaitIndex()
	if n := waits(e); n != 0 {
		t.Errorf("%d proposals wait where the folder is not open", n)
	}
	changeFolders(e, []string{other}, nil)
	e.Await("the proposal of the folder", func() bool { return waits(e) == 1 })
	changeFolders(e, nil, []string{other})
	e.Await("its end with the folder", func() bool { return waits(e) == 0 })
}
