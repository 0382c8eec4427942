package lsp_test

import (
	"os"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestUndoOfANewFile undoes the creation of a file: in the editor, and on disk for an editor
// without resource operations.
func TestUndoOfANewFile(t *testing.T) {
	for name, kinds := range map[string][]protocol.ResourceOperationKind{
		"by the editor": {protocol.ResourceOperationKindCreate, protocol.ResourceOperationKindDelete},
		"on disk":       nil,
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			capabilities := lsptest.Capabilities()
			capabilities.Workspace.WorkspaceEdit.ResourceOperations = kinds
			e := f.start(lsptest.Options{Capabilities: capabilities})
			e.AwaitIndex()
			id := e.Ask(`create todo.md with "buy milk"`).Proposals[0]
			path := f.path("todo.md")
			var decision ploke.ProposalDecision
			e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, &decision)
			if _, err := os.Stat(path); err != nil || decision.Status != "verified" {
				t.Fatalf("%s, %v", decision.Status, err)
			}
			e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, &decision)
			if _, err := os.Stat(path); !os.IsNotExist(err) || decision.Status != "undone" {
				t.Errorf("undone: %s, %v", decision.Status, err)
			}
			e.Call(ploke.MethodProposalRedo, ploke.ProposalParams{ID: id}, &decision)
			if _, err := os.Stat(path); err != nil || decision.Status != "verified" {
				t.Errorf("redone: %s, %v", decision.Status, err)
			}
		})
	}
}

// TestRenamedAndDeletedFiles runs a turn that renames a file to a new folder, edits it there
// and deletes another file. Then the proposal is accepted and undone.
func TestRenamedAndDeletedFiles(t *testing.T) {
	for name, tt := range map[string]struct {
		kinds []protocol.ResourceOperationKind
		open  bool
	}{
		"by the editor, open":     {lsptest.Capabilities().Workspace.WorkspaceEdit.ResourceOperations, true},
		"by the editor, not open": {lsptest.Capabilities().Workspace.WorkspaceEdit.ResourceOperations, false},
		"on disk":                 {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.useModel(
				llmtest.Turn{Calls: []llmtest.Call{{ID: "1", Name: "rename_file", Arguments: `{"file":"shapes/circle.go","to":"round/circle.go"}`}}},
				llmtest.Turn{Calls: []llmtest.Call{{ID: "2", Name: "apply_code_edit", Arguments: `{"reason":"r","edits":[{"mode":"replace","file":"round/circle.go","old":"package shapes","new":"package round"}]}`}}},
				llmtest.Turn{Calls: []llmtest.Call{{ID: "3", Name: "delete_file", Arguments: `{"file":"shapes/rect.go"}`}}},
				llmtest.Turn{Text: []string{"Done."}})
			capabilities := lsptest.Capabilities()
			capabilities.Workspace.WorkspaceEdit.ResourceOperations = tt.kinds
			circle, round, rect := f.path("shapes/circle.go"), f.path("round/circle.go"), f.path("shapes/rect.go")
			if err := os.WriteFile(rect, []byte(workspace.ByteOrderMark+read(t, rect)), 0o600); err != nil {
				t.Fatal(err)
			}
			e := f.start(lsptest.Options{Capabilities: capabilities})
			e.AwaitIndex()
			before := map[string]string{circle: read(t, circle), rect: read(t, rect)}
			if tt.open {
				e.Open(circle)
				e.Open(rect)
			}
			id := e.Ask("move it").Proposals[0]
			var decision ploke.ProposalDecision
			e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, &decision)
			if decision.Status != "verified" || exists(circle) || exists(rect) || !exists(round) {
				t.Errorf("accepted: %+v", decision)
			}
			text := func(path string) string {
				if tt.kinds == nil {
					return read(t, path)
				}
				return e.Text(path)
			}
			if want := strings.Replace(before[circle], "package shapes", "package round", 1); text(round) != want {
				t.Errorf("the text of the renamed file is\n%s", text(round))
			}
			e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, &decision)
			if decision.Status != "undone" || exists(round) || text(circle) != before[circle] || text(rect) != before[rect] {
				t.Errorf("undone: %+v", decision)
			}
		})
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
