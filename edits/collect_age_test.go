package edits

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/workspace"
)

// TestCollectBySize keeps the texts of the newest decided proposals that fit.
func TestCollectBySize(t *testing.T) {
	text := strings.Repeat("text\n", 50) // not long enough to be compressed
	b := newFixture(t, map[string]string{"old.txt": "old\n" + text, "new.txt": "new\n" + text})
	old := b.apply(b.stage("1", Operation{Op: OpDelete, Path: "old.txt"}), Selection{})
	newer := b.apply(b.stage("2", Operation{Op: OpDelete, Path: "new.txt"}), Selection{})
	err := b.Proposals.db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE blobs SET used_at = 0`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	kept := func(text string) bool {
		_, err := b.Proposals.text(t.Context(), workspace.Hash([]byte(text)))
		return err == nil
	}
	size := int64(len("old\n" + text))
	for _, bound := range []int64{0, 2 * size} {
		if err := b.Proposals.Collect(t.Context(), 0, bound); err != nil {
			t.Fatal(err)
		}
		if !kept("old\n"+text) || !kept("new\n"+text) {
			t.Fatalf("a text within the bound of %d is gone", bound)
		}
	}
	if err := b.Proposals.Collect(t.Context(), 0, 2*size-1); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Undo(t.Context(), latest(b.Proposals, old.ID, Selection{})); err == nil || !strings.Contains(err.Error(), "not kept") {
		t.Errorf("undoing the proposal beyond the bound: %v", err)
	}
	if p := b.undo(newer); p.Status() != Undone {
		t.Errorf("undoing the one within the bound: %s", p.Status())
	}
}

// TestCollectByAge makes all proposals old. What waits, the newest proposals, and those of
// conversations that are there stay.
func TestCollectByAge(t *testing.T) {
	files := map[string]string{"waits.txt": "waits\n", "told.txt": "told\n", "deleted.txt": "deleted\n", "rejected.txt": "rejected\n"}
	for i := range alwaysKept {
		files[fmt.Sprintf("%d.txt", i)] = fmt.Sprintf("%d\n", i)
	}
	b := newFixture(t, files)
	remove := func(path string) *Proposal { return b.stage(path, Operation{Op: OpDelete, Path: path}) }
	waits := b.stage("waits", b.replaceOnce("waits", "waits.txt", "waits", "waited"))
	told := b.apply(remove("told.txt"), Selection{})
	deleted := b.apply(remove("deleted.txt"), Selection{})
	rejected := remove("rejected.txt")
	if _, err := b.Reject(t.Context(), latest(b.Proposals, rejected.ID, Selection{}), ""); err != nil {
		t.Fatal(err)
	}
	var newest *Proposal
	for i := range alwaysKept {
		newest = b.apply(remove(fmt.Sprintf("%d.txt", i)), Selection{})
	}
	err := b.Proposals.db.Write(t.Context(), func(tx *sql.Tx) error {
		for _, statement := range []string{
			`INSERT INTO conversations (id, created_at, updated_at) VALUES ('there', 0, 0)`,
			`UPDATE proposals SET conversation_id = CASE id WHEN '` + told.ID + `' THEN 'there' ELSE 'deleted' END, updated_at = 0`,
			`UPDATE blobs SET used_at = 0`,
		} {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	for _, age := range []time.Duration{0, time.Since(time.UnixMilli(0)) + time.Hour} { // forever, and older than everything
		if err := b.Proposals.Collect(t.Context(), age, 0); err != nil {
			t.Fatal(err)
		}
		if all, err := b.Proposals.List(t.Context(), ""); err != nil || len(all) != alwaysKept+4 {
			t.Fatalf("%d proposals are left after %v: %v", len(all), age, err)
		}
	}
	if err := b.Proposals.Collect(t.Context(), time.Hour, 0); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []*Proposal{deleted, rejected} {
		if _, err := b.Proposals.Get(t.Context(), gone.ID); !errors.As(err, new(*NotFoundError)) {
			t.Errorf("a decided proposal of a deleted conversation: %v", err)
		}
	}
	if _, err := b.Proposals.text(t.Context(), workspace.Hash([]byte("deleted\n"))); err == nil {
		t.Error("a text that nothing needs is kept")
	}
	if _, err := b.Undo(t.Context(), latest(b.Proposals, told.ID, Selection{})); err == nil || !strings.Contains(err.Error(), "not kept") {
		t.Errorf("undoing an old proposal: %v", err)
	}
	if p := b.undo(b.get(newest)); p.Status() != Undone {
		t.Errorf("undoing one of the newest proposals: %s", p.Status())
	}
	if p := b.apply(b.get(waits), Selection{}); p.Status() != Verified {
		t.Errorf("accepting what waits: %s", p.Status())
	}
}
