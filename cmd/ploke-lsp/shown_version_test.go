package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
)

// A waitingNote is a proposal of another process that writes a note, and that the process may amend.
type waitingNote struct {
	t           *testing.T
	state, root string
	db          *store.DB
	edits       *edits.Manager
	proposal    *edits.Proposal
	text        string
}

func newWaitingNote(t *testing.T) *waitingNote {
	n := &waitingNote{t: t, state: t.TempDir(), root: manyFiles(t, 1)}
	n.run("list") // creates the state
	var err error
	n.db, err = store.Open(t.Context(), filepath.Join(store.Folder(n.state, n.root), "state.db"))
	check(t, err)
	t.Cleanup(func() { n.db.Close() })
	ws, err := workspace.New([]string{n.root}, workspace.Options{})
	check(t, err)
	n.edits = edits.New(n.db, ws, edits.Options{})
	n.propose("harmless\n")
	return n
}

// propose makes the proposal write a text.
func (n *waitingNote) propose(text string) {
	n.t.Helper()
	operation := edits.Operation{Op: edits.OpCreate, Path: "note.md", Text: text}
	if n.proposal != nil {
		operation = edits.Operation{Op: edits.OpEdit, Path: "note.md", BaseHash: workspace.Hash([]byte(n.text)),
			Edits: []edits.Edit{{Start: 0, End: len(n.text), New: text}}}
	}
	p, err := n.edits.Staging.Stage(n.t.Context(), edits.Batch{RequestID: "turn", Title: "A note", Operations: []edits.Operation{operation}})
	check(n.t, err)
	if n.proposal != nil && p.ID != n.proposal.ID {
		n.t.Fatal("it is another proposal")
	}
	n.proposal, n.text = p, text
}

func (n *waitingNote) flags(args ...string) []string {
	return append([]string{"proposals", "--state-dir", n.state, "--workspace", n.root}, args...)
}

// run runs an action of proposals and returns what it prints.
func (n *waitingNote) run(args ...string) (out string, failed bool) {
	n.t.Helper()
	text, err := program(n.t, n.flags(args...)...).CombinedOutput()
	return string(text), err != nil
}

// shown returns the arguments that show prints for a decision on what it has printed.
func (n *waitingNote) shown() []string {
	n.t.Helper()
	out, _ := n.run("show", n.proposal.ID)
	_, command, found := strings.Cut(out, "to decide on exactly this: ploke-lsp proposals accept ")
	if !found || !strings.Contains(out, "+"+n.text) {
		n.t.Fatalf("show prints %s", out)
	}
	return strings.Fields(command)
}

// checkWaits checks that a decision was refused, and that the proposal waits.
func (n *waitingNote) checkWaits(out string, failed bool) {
	n.t.Helper()
	now, err := n.edits.Proposals.Get(n.t.Context(), n.proposal.ID)
	check(n.t, err)
	if _, err := os.Stat(filepath.Join(n.root, "note.md")); !failed || err == nil || now.Status() != edits.Staged ||
		!strings.Contains(out, "the proposal has changed; look again") {
		n.t.Errorf("failed %v, the proposal is %s, the file: %v; it says %s", failed, now.Status(), err, out)
	}
}

// TestTheVersionOfACommandIsWhatWasPrinted has another process amend a proposal between what show prints and the command that it names.
func TestTheVersionOfACommandIsWhatWasPrinted(t *testing.T) {
	t.Parallel()
	n := newWaitingNote(t)
	for _, verb := range []string{"accept", "reject"} {
		arguments := append([]string{verb}, n.shown()...)
		n.propose("evil after " + verb + "\n")
		n.checkWaits(n.run(arguments...))
	}
	out, failed := n.run(append([]string{"accept"}, n.shown()...)...)
	written, err := os.ReadFile(filepath.Join(n.root, "note.md"))
	if failed || err != nil || string(written) != n.text {
		t.Errorf("after another look the file reads %q, %v: %s", written, err, out)
	}
}

// TestACommandThatWritesAndCanNotRecordItSaysSo has the store fail once the file is written.
func TestACommandThatWritesAndCanNotRecordItSaysSo(t *testing.T) {
	t.Parallel()
	n := newWaitingNote(t)
	check(t, n.db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`CREATE TRIGGER fail BEFORE UPDATE ON proposals WHEN length(NEW.in_flight) < length(OLD.in_flight)
			BEGIN SELECT RAISE(ABORT, 'disk full'); END`)
		return err
	}))
	out, failed := n.run("accept", n.proposal.ID, string(n.proposal.Version()))
	if _, err := os.Stat(filepath.Join(n.root, "note.md")); err != nil || !failed || !strings.Contains(out, "the files are written, but") ||
		!strings.Contains(out, "disk full") {
		t.Errorf("failed %v, the file: %v; it says %s", failed, err, out)
	}
}
