package lsp_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestLineEndsStay has files changed whose lines end in different ways, in an editor that gives
// all lines of a document the same end. Each line keeps its end, and undo restores each byte.
func TestLineEndsStay(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before string // "": the file is created
		after  string
		disk   bool // the file is written, since the editor would change its other lines
	}{
		"CRLF":        {"one\r\nb\r\nthree\r\n", "one\r\nB\r\nBB\r\nthree\r\n", false},
		"LF":          {"one\nb\nthree\n", "one\nB\nBB\nthree\n", false},
		"mixed":       {"one\r\nb\nthree\r\n", "one\r\nB\r\nBB\nthree\r\n", true},
		"old Mac":     {"one\rb\rthree\r", "one\rB\rBB\rthree\r", true},
		"no line end": {"b", "B\r\nBB", false},
		"new":         {"", "B\r\nBB\r\n", false},
	} {
		for _, open := range []bool{false, true} {
			if open && (tt.disk || tt.before == "") {
				continue // the editor's text has other line ends than the disk's
			}
			t.Run(fmt.Sprintf("%s, open %v", name, open), func(t *testing.T) {
				f := newFixture(t)
				call := llmtest.Call{ID: "1", Name: "create_file", Arguments: `{"file":"f.txt","content":"B\nBB\n"}`}
				if tt.before != "" {
					f.write("f.txt", tt.before)
					call = llmtest.Call{ID: "1", Name: "apply_code_edit",
						Arguments: `{"reason":"r","edits":[{"mode":"replace","file":"f.txt","old":"b","new":"B\nBB"}]}`}
				}
				f.useModel(llmtest.Turn{Calls: []llmtest.Call{call}}, llmtest.Turn{Text: []string{"Done."}})
				e := f.start(lsptest.Options{OneLineEnd: true})
				e.AwaitIndex()
				path := f.path("f.txt")
				if open {
					e.Open(path)
				}
				id := e.Ask("change it").Proposals[0]
				text := func() string {
					if tt.disk {
						return read(t, path)
					}
					return e.Text(path)
				}
				var decision ploke.ProposalDecision
				e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, &decision)
				if decision.Status != "verified" || text() != tt.after {
					t.Errorf("accepted: %s, %q", decision.Status, text())
				}
				e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, &decision)
				switch _, err := os.Stat(path); {
				case decision.Status != "undone":
					t.Errorf("undone: %s", decision.Status)
				case tt.before == "" && err == nil:
					t.Error("the new file is still there")
				case tt.before != "" && text() != tt.before:
					t.Errorf("undone: %q", text())
				}
				e.Call(ploke.MethodProposalRedo, ploke.ProposalParams{ID: id}, &decision)
				if decision.Status != "verified" || text() != tt.after {
					t.Errorf("redone: %s, %q", decision.Status, text())
				}
				if got := statusOf(e, id); got != "verified" || strings.Contains(text(), "\r\r") {
					t.Errorf("looked at again: %s", got)
				}
			})
		}
	}
}
