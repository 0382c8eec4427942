package lsp_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/store"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// failAfterWriting has the store fail once the files of a decision are written.
func (f *fixture) failAfterWriting() {
	f.t.Helper()
	all, err := filepath.Glob(filepath.Join(f.state, "*", "state.db"))
	if err != nil || len(all) != 1 {
		f.t.Fatal(all, err)
	}
	db, err := store.Open(f.t.Context(), all[0])
	if err != nil {
		f.t.Fatal(err)
	}
	defer db.Close()
	err = db.Write(f.t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`CREATE TRIGGER fail BEFORE UPDATE ON proposals WHEN length(NEW.in_flight) < length(OLD.in_flight)
			BEGIN SELECT RAISE(ABORT, 'disk full'); END`)
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
}

const notRecorded = "the files are written, but it could not be recorded that they are"

// TestWhatIsWrittenAndNotRecordedSaysSo accepts by a request and by a command, undoes, and has an edit accepted automatically, while the
// store fails.
func TestWhatIsWrittenAndNotRecordedSaysSo(t *testing.T) {
	t.Parallel()
	t.Run("request", func(t *testing.T) {
		f := newFixture(t)
		f.useModel(proposes...)
		e := f.startIndexed()
		id := e.Ask("go").Proposals[0]
		proposalOf(e, id)
		f.failAfterWriting()
		err := e.Try(t.Context(), ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
		if err == nil || !strings.Contains(err.Error(), notRecorded) || !exists(f.path("shapes/side.go")) {
			t.Errorf("accepted: %v", err)
		}
	})
	t.Run("command", func(t *testing.T) {
		f := newFixture(t)
		e, _ := f.startReview(lsptest.Options{})
		f.failAfterWriting()
		runCommand(e, ploke.CommandProposalAccept)
		awaitMessage(e, notRecorded, "disk full")
		if !exists(f.path("shapes/side.go")) {
			t.Error("it is not written")
		}
	})
	t.Run("undo", func(t *testing.T) {
		f := newFixture(t)
		f.useModel(proposes...)
		e := f.startIndexed()
		id := e.Ask("go").Proposals[0]
		proposalOf(e, id)
		e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
		f.failAfterWriting()
		err := e.Try(t.Context(), ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, nil)
		if err == nil || !strings.Contains(err.Error(), notRecorded) || exists(f.path("shapes/side.go")) {
			t.Errorf("undone: %v", err)
		}
	})
	t.Run("automatic acceptance", func(t *testing.T) {
		f := newFixture(t)
		f.useModel(proposes...)
		e := f.start(lsptest.Options{Capabilities: plain(nil),
			InitializationOptions: map[string]any{"edits": map[string]any{"autoAccept": true}}})
		e.AwaitProgressEnd(indexingTitle)
		f.failAfterWriting()
		runCommand(e, ploke.CommandAsk, `"go"`)
		awaitMessage(e, `the proposal "Clearer words" was accepted automatically`, notRecorded)
		if !exists(f.path("shapes/side.go")) || said(e, "ploke: proposals could not be accepted") > 0 {
			t.Errorf("the messages are %+v", e.Messages())
		}
	})
}
