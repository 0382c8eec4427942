package lsp_test

import (
	"os"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestUndoAndRedo undoes a proposal after the person has typed in other lines, redoes it, and
// checks that undo fails after the person has typed in the same line.
func TestUndoAndRedo(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	circle, rect := f.path("shapes/circle.go"), f.path("shapes/rect.go")
	e.Open(circle)
	id := renameSquare(t, e)
	var decision ploke.ProposalDecision
	if err := e.Error(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}); !strings.Contains(err.Message, "staged") {
		t.Errorf("undo of a staged proposal: %s", err.Message)
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, &decision)
	e.Type(circle, 0, 0, "// First.\n")
	e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, &decision)
	if want := "// First.\n" + read(t, circle); decision.Status != "undone" || e.Text(circle) != want || e.Text(rect) != read(t, rect) {
		t.Errorf("undone: %s\n%s", decision.Status, e.Text(circle))
	}
	e.Call(ploke.MethodProposalRedo, ploke.ProposalParams{ID: id}, &decision)
	if want := "// First.\n" + strings.ReplaceAll(read(t, circle), "square(", "squared("); decision.Status != "verified" ||
		e.Text(circle) != want {
		t.Errorf("redone: %s\n%s", decision.Status, e.Text(circle))
	}
	at := strings.Index(e.Text(circle), "squared(x")
	e.Type(circle, at, at+len("squared"), "other")
	typed, other := e.Text(circle), e.Text(rect)
	if err := e.Error(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}); !strings.Contains(err.Message,
		"circle.go has changed at line") {
		t.Errorf("undo after a change of the same line: %s", err.Message)
	}
	if e.Text(circle) != typed || e.Text(rect) != other {
		t.Error("a failed undo changed a text")
	}
}

// TestConflictView checks the sides of a conflict of a stale proposal.
func TestConflictView(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	circle := f.path("shapes/circle.go")
	e.Open(circle)
	id := renameSquare(t, e)
	at := strings.Index(e.Text(circle), "square(x")
	e.Type(circle, at, at+len("square"), "quadrat")
	var shown ploke.ProposalGetResult
	e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &shown)
	if shown.Proposal.Status != "stale" || len(shown.Conflicts) == 0 {
		t.Fatalf("status %s, conflicts %+v", shown.Proposal.Status, shown.Conflicts)
	}
	c := shown.Conflicts[0]
	if !strings.Contains(c.Base, "square(x") || !strings.Contains(c.Ours, "squared(x") || !strings.Contains(c.Theirs, "quadrat(x") ||
		c.URI != uri.File(circle) {
		t.Errorf("conflict %+v", c)
	}
	if line := strings.Split(e.Text(circle), "\n")[c.Line-1]; !strings.HasPrefix(c.Theirs, line) {
		t.Errorf("line %d is %q", c.Line, line)
	}
}

// TestEditBeforeAccepting changes the text of a proposal before it is accepted.
func TestEditBeforeAccepting(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	id := renameSquare(t, e)
	var shown ploke.ProposalGetResult
	e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &shown)
	var decision ploke.ProposalDecision
	for _, v := range shown.Files {
		e.Call(ploke.MethodProposalEdit, ploke.ProposalEditParams{ID: id, File: v.URI, After: strings.ReplaceAll(v.After, "squared", "quadrat")},
			&decision)
	}
	if decision.Status != "staged" {
		t.Errorf("status %s", decision.Status)
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, &decision)
	for _, name := range []string{"shapes/circle.go", "shapes/rect.go"} {
		want := strings.ReplaceAll(read(t, f.path(name)), "square(", "quadrat(")
		if got := e.Text(f.path(name)); decision.Status != "verified" || got != want {
			t.Errorf("%s, %s:\n%s", decision.Status, name, got)
		}
	}
}

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
