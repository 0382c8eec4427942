package edits

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"ploke-lsp/internal/workspace"
)

// phase is how far a writing has come, as its row in the journal says.
type phase string

const (
	preparing  phase = "preparing"  // files of ours may be there; all others are as they were
	committing phase = "committing" // all is prepared, and files are being replaced
	written    phase = "written"    // all are; only the proposal does not say so yet
)

const lockRetry = 20 * time.Millisecond

// lockDisk waits until no other process writes to the workspace's files. The
// system takes the lock from a process that dies, so that it is the lease of
// whoever writes.
func (m *Manager) lockDisk(ctx context.Context) (*flock.Flock, error) {
	lock := m.diskLock()
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return nil, fmt.Errorf("wait for another program that is writing files: %w", err)
	}
	return lock, nil
}

func (m *Manager) diskLock() *flock.Flock {
	return flock.New(filepath.Join(filepath.Dir(m.db.Path()), "writing.lock"))
}

// entry is a writing at rest.
type journalEntry struct {
	Plan       storedPlan
	Steps      []*logRecord
	phase      phase
	id         string
	proposalID string // the proposal's id
}

// shares reports whether a file of the entry is one of the plan's.
func (e *journalEntry) sharesFile(plan *Plan) bool {
	names := make(map[string]bool)
	for _, f := range e.Plan.Files {
		names[f.Path], names[f.To] = true, true
	}
	return slices.ContainsFunc(plan.Files, func(f PlannedFile) bool { return names[f.Path] || f.To != "" && names[f.To] })
}

// storedPlan is a Plan whose texts are in the store.
type storedPlan struct {
	Files  []storedFile
	Target State    `json:"Into"`
	Redone []Change `json:"Remade"`
}

type storedFile struct {
	PlannedFile
	Old string // hash of Before; "" where there is no file
}

// begun puts the writing into the journal, durably.
func (m *Manager) insertEntry(ctx context.Context, w *transaction) error {
	e := journalEntry{Steps: w.records, Plan: storedPlan{Target: w.plan.target, Redone: w.plan.redone}}
	for _, f := range w.plan.Files {
		stored := storedFile{PlannedFile: f}
		if f.Before != nil {
			stored.Old = workspace.Hash(f.Before)
		}
		stored.Before, stored.After = nil, nil
		e.Plan.Files = append(e.Plan.Files, stored)
	}
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	err = m.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO applications (id, proposal_id, phase, body, created_at) VALUES (?, ?, ?, ?, ?)`,
			w.id, w.plan.ProposalID, preparing, string(body), time.Now().UnixMilli())
		return err
	})
	if err != nil {
		return fmt.Errorf("note what is to be written: %w", err)
	}
	return nil
}

// reached notes how far the writing has come, durably where that decides what
// becomes of it.
func (m *Manager) setPhase(ctx context.Context, id string, p phase) error {
	return m.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE applications SET phase = ? WHERE id = ?`, p, id)
		return err
	})
}

func (m *Manager) deleteEntry(ctx context.Context, id string) error {
	return m.db.Write(ctx, func(tx *sql.Tx) error { return deleteEntryTx(ctx, tx, id) })
}

func deleteEntryTx(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM applications WHERE id = ?`, id)
	return err
}

// entries returns the writings that are in the journal, the oldest first.
func (m *Manager) entries(ctx context.Context) ([]*journalEntry, error) {
	rows, err := m.db.Read().QueryContext(ctx, `SELECT id, proposal_id, phase, body FROM applications ORDER BY created_at, id`)
	if err != nil {
		return nil, fmt.Errorf("read what was being written: %w", err)
	}
	defer rows.Close()
	var all []*journalEntry
	for rows.Next() {
		var e journalEntry
		var body []byte
		if err := rows.Scan(&e.id, &e.proposalID, &e.phase, &body); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, &e); err != nil {
			return nil, fmt.Errorf("read what was being written: %w", err)
		}
		all = append(all, &e)
	}
	return all, rows.Err()
}

// plan returns the entry's plan with its texts.
func (m *Manager) planFrom(ctx context.Context, e *journalEntry) (*Plan, error) {
	plan := &Plan{ProposalID: e.proposalID, target: e.Plan.Target, redone: e.Plan.Redone, journal: e.id}
	for _, stored := range e.Plan.Files {
		f := stored.PlannedFile
		if stored.Old != "" {
			var err error
			if f.Before, err = m.text(ctx, stored.Old); err != nil {
				return nil, err
			}
		}
		after, err := Apply(f.Before, f.Edits)
		if err != nil {
			return nil, err
		}
		if f.Op != OpDelete {
			f.After = after
		}
		plan.Files = append(plan.Files, f)
	}
	return plan, nil
}
