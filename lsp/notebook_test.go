package lsp_test

import (
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

const savedNotebook = `{"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "source": [
  "x = 1\n",
  "# between\n",
  "# them\n",
  "y = x"
]}], "nbformat": 4}
`

// editsCell is a turn that changes the cell of savedNotebook.
func editsCell() []llmtest.Turn {
	return []llmtest.Turn{
		{Calls: []llmtest.Call{{ID: "edit", Name: "apply_code_edit", Arguments: `{"edits":[{"file":"a.ipynb","old":"y = x","new":"y = 3"}]}`}}},
		{Text: []string{"Done."}},
	}
}

// TestAnUnsavedNotebookIsNotEdited accepts a proposal of a notebook while its editor has other cells, and once it is
// saved.
func TestAnUnsavedNotebookIsNotEdited(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("a.ipynb", savedNotebook)
	f.useModel(append(editsCell(), editsCell()...)...)
	e := f.start(lsptest.Options{Capabilities: lsptest.WithNotebooks(lsptest.Capabilities())})
	e.AwaitIndex()
	path := f.path("a.ipynb")
	e.OpenNotebook(path, "x = 1\n# between\n# them\ny = x")
	awaitHeld(t, f, e, path, false)
	result := e.Ask("change y")
	if len(result.Proposals) != 1 {
		t.Fatalf("no proposal: %s", result.Text)
	}
	id := result.Proposals[0]

	e.ChangeCell(path, 1, 2, "x = 2\n# between\n# them\ny = x")
	if err := e.Error(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}); !strings.Contains(err.Message,
		"save the notebook first") {
		t.Errorf("accepting fails with %q", err.Message)
	}
	again := e.Ask("change y once more")
	if told := toolJSON(e, again.ConversationID, "edit"); !strings.Contains(told, "save the notebook first") {
		t.Errorf("the model is told %s", told)
	}
	if got := read(t, path); got != savedNotebook {
		t.Errorf("the file was written:\n%s", got)
	}

	f.write("a.ipynb", strings.Replace(savedNotebook, "x = 1", "x = 2", 1))
	e.NotebookSaved(path)
	awaitHeld(t, f, e, path, false)
	var decision ploke.ProposalDecision
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, &decision)
	if got := e.Text(path); decision.Status != "verified" ||
		got != strings.NewReplacer("x = 1", "x = 2", "y = x", "y = 3").Replace(savedNotebook) {
		t.Errorf("once it is saved, accepting ends with %q, and the editor has\n%s", decision.Status, got)
	}
}

// awaitHeld waits until a file is held, or is not, after what the editor has sent.
func awaitHeld(t *testing.T, f *fixture, e *lsptest.Editor, path string, want bool) {
	t.Helper()
	settle(e)
	testbed.Eventually(t, func() bool { return (f.server.Held(path) != "") == want }, func() string { return f.server.Held(path) })
}

// TestNotebooksAreAskedForIfTheClientSyncsThem looks at the capabilities.
func TestNotebooksAreAskedForIfTheClientSyncsThem(t *testing.T) {
	f := newFixture(t)
	if e := f.start(lsptest.Options{}); e.Initialized.Capabilities.NotebookDocumentSync != nil {
		t.Error("a client without notebooks is asked for them")
	}
}
