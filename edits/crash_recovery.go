package edits

import (
	"context"
	"errors"
	"fmt"

	"ploke-lsp/edits/rooted"
)

// Recover brings files and proposals into a consistent state after a program ended in the
// middle of its work. It finishes or undoes interrupted writes to files, and settles what was
// planned for an editor. Work of other programs that are still running is left alone.
func (m *Manager) Recover(ctx context.Context) error {
	lock := m.writer.diskLock()
	locked, err := lock.TryLock()
	if err != nil {
		return fmt.Errorf("check whether another program is writing files: %w", err)
	}
	if !locked {
		return nil // the next decision on a proposal recovers what concerns it
	}
	defer lock.Close()
	err = m.recoverEntries(ctx, func(*journalEntry) bool { return true })
	ps, listErr := m.Proposals.queryProposals(ctx, `WHERE in_flight <> '{}'`)
	err = errors.Join(err, listErr)
	for _, p := range ps {
		err = errors.Join(err, m.settleAbandoned(ctx, p.ID))
	}
	return err
}

// recoverFor works off the journal before plan is written, and confirms that plan still belongs
// to this process. An entry that cannot be worked off is an error only if it shares a file with
// plan.
func (m *Manager) recoverFor(ctx context.Context, plan *Plan) error {
	if err := m.plans.extend(ctx, plan); err != nil {
		return err
	}
	return m.recoverEntries(ctx, func(e *journalEntry) bool { return m.writer.shareFile(e, plan) })
}

// recoverEntries works off the journal. It returns the errors of the entries that matter. The
// caller holds the disk lock, so no other process works on an entry.
func (m *Manager) recoverEntries(ctx context.Context, matters func(*journalEntry) bool) error {
	entries, err := m.journal.entries(ctx)
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
	p, err := m.Proposals.Get(ctx, e.proposalID)
	if err != nil {
		return err
	}
	f, inFlight := p.inFlight[e.Plan.ID]
	if e.phase == written && inFlight && !m.plans.abandoned(f) {
		return nil // its owner is about to settle it
	}
	w, err := m.writer.transactionOf(ctx, e)
	if err != nil {
		return err
	}
	defer w.roots.Close()
	if err := w.removeTorn(); err != nil {
		return err
	}
	if !inFlight && e.Plan.ID != "" {
		return m.writer.finishSettled(ctx, w)
	}
	outcome := Outcome{Reason: "the program ended before the files were written; accept it again"}
	if e.phase != preparing {
		outcome.Applied = true
	}
	if e.phase == written && m.writer.checkLate(w) != nil {
		e.phase = committing
	}
	if e.phase == committing {
		if outcome.Applied, err = w.rollForward(); err != nil {
			return err
		}
	}
	if err := m.writer.cleanUp(w); err != nil {
		return err
	}
	_, err = m.Settle(ctx, w.plan, outcome)
	var settled *TakenOverError
	if errors.As(err, &settled) { // by its owner, after the journal was read
		return m.journal.deleteEntry(ctx, e.id)
	}
	return err
}

// transactionOf returns the transaction of a journal entry, which may have been carried out.
func (d *diskWriter) transactionOf(ctx context.Context, e *journalEntry) (*transaction, error) {
	plan, err := d.journal.planFrom(ctx, e)
	if err != nil {
		return nil, err
	}
	w := &transaction{id: e.id, plan: plan, records: e.Steps, begun: len(e.Steps), roots: rooted.Roots{}}
	w.store = func() error { return d.journal.beginCommit(ctx, w) }
	for _, s := range w.records {
		s.planned = &plan.Files[s.File]
	}
	return w, nil
}

// finishSettled ends a transaction whose plan is settled already, but whose temporary files could
// not be removed then.
func (d *diskWriter) finishSettled(ctx context.Context, w *transaction) error {
	if err := d.cleanUp(w); err != nil {
		return err
	}
	return d.journal.deleteEntry(ctx, w.id)
}

// rollForward does what is left to do. If one of the files was changed since, it rolls
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
			err = w.carryOut(s, func() error { return s.redo(w.roots, at[i]) })
		}
		if err != nil {
			return false, err
		}
	}
	return true, w.sync()
}
