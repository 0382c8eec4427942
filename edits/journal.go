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
)

// phase is how far a transaction has come, as stored in the journal.
type phase string

const (
	preparing  phase = "preparing"  // temporary files may exist; all other files are unchanged
	committing phase = "committing" // everything is prepared, and files are being replaced
	written    phase = "written"    // all files are replaced; only the proposal is not settled yet
)

const lockRetry = 20 * time.Millisecond

// lockDisk waits until no other process writes to the workspace's files. The operating system
// releases the lock of a process that dies.
func (d *diskWriter) lockDisk(ctx context.Context) (*flock.Flock, error) {
	lock := d.diskLock()
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return nil, fmt.Errorf("wait for another program that is writing files: %w", err)
	}
	return lock, nil
}

func (d *diskWriter) diskLock() *flock.Flock {
	return flock.New(filepath.Join(filepath.Dir(d.proposals.db.Path()), "writing.lock"))
}

// journal has the transactions that are being written to files.
type journal struct{ proposals *Proposals }

// journalEntry is a stored transaction.
type journalEntry struct {
	Plan       storedPlan
	Steps      []*logRecord
	phase      phase
	id         string
	proposalID string
}

// shareFile reports whether the entry and the plan have a file in common.
func (d *diskWriter) shareFile(e *journalEntry, plan *Plan) bool {
	names := make(map[string]bool)
	for _, f := range e.Plan.Files {
		names[d.ws.Key(f.Path)], names[d.ws.Key(f.To)] = true, true
	}
	return slices.ContainsFunc(plan.Files, func(f PlannedFile) bool {
		return names[d.ws.Key(f.Path)] || f.To != "" && names[d.ws.Key(f.To)]
	})
}

// storedPlan is a Plan without its texts, which are in the store.
type storedPlan struct {
	ID     string `json:",omitempty"`
	Files  []storedFile
	Target State    `json:"Into"`
	Redone []Change `json:"Remade"`
}

type storedFile struct {
	PlannedFile
	Old string // hash of Before; "" if there is no file
}

// insertEntry stores the transaction in the journal, durably.
func (j *journal) insertEntry(ctx context.Context, w *transaction) error {
	body, err := w.journalBody()
	if err != nil {
		return err
	}
	err = j.proposals.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO applications (id, proposal_id, phase, body, created_at) VALUES (?, ?, ?, ?, ?)`,
			w.id, w.plan.ProposalID, preparing, body, time.Now().UnixMilli())
		return err
	})
	if err != nil {
		return fmt.Errorf("write the journal entry: %w", err)
	}
	return nil
}

func (w *transaction) journalBody() (string, error) {
	body, err := json.Marshal(journalEntry{Steps: w.records, Plan: w.plan.stored()})
	return string(body), err
}

// beginCommit stores, durably, that everything is prepared, and how.
func (j *journal) beginCommit(ctx context.Context, w *transaction) error {
	body, err := w.journalBody()
	if err != nil {
		return err
	}
	return j.proposals.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE applications SET phase = ?, body = ? WHERE id = ?`, committing, body, w.id)
		return err
	})
}

// setPhase stores how far the transaction has come, durably.
func (j *journal) setPhase(ctx context.Context, id string, p phase) error {
	return j.proposals.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE applications SET phase = ? WHERE id = ?`, p, id)
		return err
	})
}

func (j *journal) deleteEntry(ctx context.Context, id string) error {
	return j.proposals.db.Write(ctx, func(tx *sql.Tx) error { return deleteEntryTx(ctx, tx, id) })
}

func deleteEntryTx(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM applications WHERE id = ?`, id)
	return err
}

// entries returns the transactions in the journal, oldest first.
func (j *journal) entries(ctx context.Context) ([]*journalEntry, error) {
	rows, err := j.proposals.db.Read().QueryContext(ctx,
		`SELECT id, proposal_id, phase, body FROM applications ORDER BY created_at, id`)
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
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
			return nil, fmt.Errorf("read the journal: %w", err)
		}
		all = append(all, &e)
	}
	return all, rows.Err()
}

// planFrom returns the entry's plan with its texts.
func (j *journal) planFrom(ctx context.Context, e *journalEntry) (*Plan, error) {
	plan := &Plan{id: e.Plan.ID, ProposalID: e.proposalID, target: e.Plan.Target, redone: e.Plan.Redone, journal: e.id}
	for _, stored := range e.Plan.Files {
		f := stored.PlannedFile
		if stored.Old != "" {
			var err error
			if f.Before, err = j.proposals.text(ctx, stored.Old); err != nil {
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
