package edits

import (
	"context"
	"errors"
	"fmt"
)

// Recover brings files and proposals into a consistent state after a program ended in the
// middle of its work. It finishes or undoes interrupted writes to files, and settles what was
// accepted for an editor to apply. Work of other programs that are still running is left alone.
func (m *Manager) Recover(ctx context.Context) error {
	lock := m.diskLock()
	locked, err := lock.TryLock()
	if err != nil {
		return fmt.Errorf("check whether another program is writing files: %w", err)
	}
	defer lock.Close()
	if locked {
		err = m.recoverEntries(ctx, func(*journalEntry) bool { return true })
	}
	return errors.Join(err, m.recoverAccepted(ctx))
}

// recoverFor works off the journal before plan is written. An entry that cannot be worked off
// is an error only if it shares a file with plan.
func (m *Manager) recoverFor(ctx context.Context, plan *Plan) error {
	return m.recoverEntries(ctx, func(e *journalEntry) bool { return e.sharesFile(plan) })
}

// recoverEntries works off the journal. It returns the errors of the entries that matter. The
// caller holds the disk lock, so no other process works on an entry.
func (m *Manager) recoverEntries(ctx context.Context, matters func(*journalEntry) bool) error {
	entries, err := m.entries(ctx)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if stuck := m.recoverEntry(ctx, e); stuck != nil && matters(e) {
			err = errors.Join(err, fmt.Errorf("an earlier write to the same files can't be finished or undone: %w", stuck))
		}
	}
	return err
}

func (m *Manager) recoverEntry(ctx context.Context, e *journalEntry) error {
	plan, err := m.planFrom(ctx, e)
	if err != nil {
		return err
	}
	w := &transaction{id: e.id, plan: plan, records: e.Steps, begun: len(e.Steps), roots: openRoots{}}
	defer w.roots.close()
	for _, s := range w.records {
		s.planned = &plan.Files[s.File]
	}
	outcome := Outcome{Reason: "the program ended before the files were written; accept it again"}
	if e.phase != preparing {
		outcome.Applied = true
	}
	if e.phase == written && m.checkLate(w) != nil {
		e.phase = committing
	}
	if e.phase == committing {
		if outcome.Applied, err = w.rollForward(); err != nil {
			return err
		}
	}
	if err := m.cleanUp(w); err != nil {
		return err
	}
	_, err = m.Settle(ctx, plan, outcome)
	return err
}

// rollForward does what is left to do. If somebody has changed one of the files since, it rolls
// back all other files instead.
func (w *transaction) rollForward() (done bool, err error) {
	done = true
	at := make([]diskState, len(w.records))
	for i, s := range w.records {
		if at[i], err = s.state(w.roots); err != nil {
			return false, err
		}
		done = done && at[i] != diskForeign && at[i] != diskLate
	}
	if !done {
		return false, errors.Join(w.rollBack(), w.sync())
	}
	for i, s := range w.records {
		if at[i] == diskOld {
			err = w.ensureAfter(s)
		}
		if err == nil {
			err = s.redo(w.roots, at[i])
		}
		if err != nil {
			return false, err
		}
	}
	return true, w.sync()
}

// recoverAccepted settles what a program that is gone had accepted for an editor to apply.
// Hunks whose file reads as planned are verified; all others have failed and may be accepted
// again. Proposals in the journal are left to recoverEntries.
func (m *Manager) recoverAccepted(ctx context.Context) error {
	m.mu.Lock() // locked before the file lock, in the same order as in Accept
	defer m.mu.Unlock()
	lock := m.newLease() // not our own lock, which this process may hold
	locked, err := lock.TryLock()
	if err != nil || !locked {
		return err
	}
	defer lock.Close()
	written, err := m.entries(ctx)
	if err != nil {
		return err
	}
	inJournal := make(map[string]bool)
	for _, e := range written {
		inJournal[e.proposalID] = true
	}
	var all error
	for _, status := range []State{Accepted, Partial} {
		ps, err := m.List(ctx, status)
		if err != nil {
			return err
		}
		for _, p := range ps {
			if !inJournal[p.ID] {
				all = errors.Join(all, m.settleOrphaned(ctx, p))
			}
		}
	}
	return all
}

// settleOrphaned settles the accepted hunks of p. It rebuilds their plan from the texts that
// the changes were made against.
func (m *Manager) settleOrphaned(ctx context.Context, p *Proposal) error {
	plan := &Plan{ProposalID: p.ID, target: Verified}
	for i := range p.Changes {
		var accepted []Hunk
		for _, h := range p.Changes[i].Hunks {
			if h.State == Accepted {
				accepted = append(accepted, h)
			}
		}
		if len(accepted) == 0 {
			continue
		}
		f, err := m.plannedFor(ctx, p.Changes[i].part(accepted))
		if err != nil {
			return err
		}
		plan.Files = append(plan.Files, f)
	}
	if len(plan.Files) == 0 {
		return nil
	}
	_, err := m.settle(ctx, plan, Outcome{Reason: "the program ended before the editor applied it; accept it again"})
	return err
}

// plannedFor returns what c does to its file, based on the text that c was made against.
func (m *Manager) plannedFor(ctx context.Context, c *Change) (f PlannedFile, err error) {
	f = PlannedFile{Op: c.Op, Path: c.Path, To: c.To, Edits: editsOf(textual(c.Hunks)), Hunks: idsOf(c.Hunks)}
	if c.Op != OpCreate {
		if f.Before, err = m.text(ctx, c.BaseHash); err != nil {
			return f, err
		}
	}
	after, err := Apply(f.Before, f.Edits)
	if c.Op != OpDelete {
		f.After = after
	}
	return f, err
}
