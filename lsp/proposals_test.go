package lsp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// renameSquare runs a turn that proposes edits of two files, and returns the proposal's id.
func renameSquare(t *testing.T, e *lsptest.Editor) string {
	t.Helper()
	result := e.Ask("rename square to squared")
	if len(result.Proposals) != 1 {
		t.Fatalf("no proposal: %s", result.Text)
	}
	return result.Proposals[0]
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAcceptedRenameIsAppliedByTheEditor(t *testing.T) {
	t.Parallel()
	for _, encoding := range []ploke.Encoding{
		protocol.PositionEncodingKindUTF8, protocol.PositionEncodingKindUTF16, protocol.PositionEncodingKindUTF32,
	} {
		t.Run(string(encoding), func(t *testing.T) {
			f := newFixture(t)
			capabilities := lsptest.Capabilities()
			capabilities.General.PositionEncodings = []ploke.Encoding{encoding}
			e := f.start(lsptest.Options{Capabilities: capabilities})
			e.AwaitIndex()
			circle := f.path("shapes/circle.go")
			e.Open(circle)
			id := renameSquare(t, e)
			if strings.Contains(e.Text(circle), "squared") {
				t.Fatal("the text changed before the proposal was accepted")
			}

			var shown ploke.ProposalGetResult
			e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &shown)
			if !strings.Contains(shown.Diff, "+/* 😀é */ func squared(x float64)") || len(shown.Files) != 2 {
				t.Errorf("the diff is\n%s", shown.Diff)
			}

			var decision ploke.ProposalDecision
			e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, &decision)
			if decision.Status != "verified" {
				t.Errorf("status = %q", decision.Status)
			}
			want := strings.ReplaceAll(read(t, circle), "square(", "squared(")
			if got := e.Text(circle); got != want {
				t.Errorf("the editor's text is\n%s\nwant\n%s", got, want)
			}
			if got := e.Text(f.path("shapes/rect.go")); !strings.Contains(got, "x * squared(x)") {
				t.Errorf("the text of the file that was not open is\n%s", got)
			}
		})
	}
}

func TestAcceptWithFewCapabilities(t *testing.T) {
	no := false
	for _, tt := range []struct {
		name    string
		limit   func(*protocol.ClientCapabilities)
		written bool // to disk, by the server
	}{
		{"no versioned edits", func(c *protocol.ClientCapabilities) {
			c.Workspace.WorkspaceEdit = nil
		}, false},
		{"no applyEdit", func(c *protocol.ClientCapabilities) {
			c.Workspace.ApplyEdit = &no
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			capabilities := lsptest.Capabilities()
			tt.limit(capabilities)
			e := f.start(lsptest.Options{Capabilities: capabilities})
			e.AwaitIndex()
			var decision ploke.ProposalDecision
			e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: renameSquare(t, e)}, &decision)
			if decision.Status != "verified" {
				t.Errorf("status = %q", decision.Status)
			}
			if got := strings.Contains(read(t, f.path("shapes/circle.go")), "squared"); got != tt.written {
				t.Errorf("the server wrote to disk: %v, want %v", got, tt.written)
			}
		})
	}
}

func TestOpenFileIsNotWrittenToDisk(t *testing.T) {
	f := newFixture(t)
	capabilities := lsptest.Capabilities()
	capabilities.Workspace.ApplyEdit = nil
	e := f.start(lsptest.Options{Capabilities: capabilities})
	e.AwaitIndex()
	e.Open(f.path("shapes/circle.go"))
	id := renameSquare(t, e)
	if err := e.Error(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}); !strings.Contains(err.Message, "open in it") {
		t.Errorf("the error is %q", err.Message)
	}
	if strings.Contains(read(t, f.path("shapes/rect.go")), "squared") {
		t.Error("a part of the proposal was written")
	}
}

func TestRefusedEditCanBeAcceptedAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.start(lsptest.Options{RefuseEdits: "not now"})
	e.AwaitIndex()
	id := renameSquare(t, e)
	if err := e.Error(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}); !strings.Contains(err.Message, "not now") {
		t.Errorf("the error is %q", err.Message)
	}
	var got ploke.ProposalGetResult
	e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &got)
	if got.Proposal.Status != "failed" {
		t.Errorf("status = %q, want failed, because nothing was applied", got.Proposal.Status)
	}
}

func TestCreatedFile(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	result := e.Ask(`create notes/todo.md with "buy milk"`)
	if len(result.Proposals) != 1 {
		t.Fatalf("no proposal: %s", result.Text)
	}
	path := f.path("notes/todo.md")
	if _, err := os.Stat(filepath.Dir(path)); err == nil {
		t.Error("the proposal was written before it was accepted")
	}
	var decision ploke.ProposalDecision
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: result.Proposals[0]}, &decision)
	if got := strings.TrimRight(e.Text(path), "\n"); got != "buy milk" || decision.Status != "verified" {
		t.Errorf("%s: %q", decision.Status, got)
	}
}
