package edits

import (
	"context"
	"errors"
	"fmt"
)

// Recover finishes or takes back what a program that is gone was writing to
// files, settles what it had accepted for an editor, and looks whether the proposals
// that wait for a decision still fit their files. What another program is at work on
// at this moment is left to it.
func (m *Manager) Recover(ctx context.Context) error {
	lock := m.diskLock()
	locked, err := lock.TryLock()
	if err != nil {
		return fmt.Errorf("look whether another program is writing files: %w", err)
	}
	defer lock.Close()
	if locked {
		err = m.recoverEntries(ctx, func(*journalEntry) bool { return true })
	}
	return errors.Join(err, m.recoverAccepted(ctx), m.updateAllStale(ctx))
}

// makeWay works off the journal for a writer. What can't be worked off is only in
// the way of a plan for one of its files.
func (m *Manager) recoverFor(ctx context.Context, plan *Plan) error {
	return m.recoverEntries(ctx, func(e *journalEntry) bool { return e.sharesFile(plan) })
}

// recoverWritings works off the journal, and returns why it can't in those cases
// that matter. The lock is held, so that nobody is at work on what is in it.
func (m *Manager) recoverEntries(ctx context.Context, matters func(*journalEntry) bool) error {
	entries, err := m.entries(ctx)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if stuck := m.recoverEntry(ctx, e); stuck != nil && matters(e) {
			err = errors.Join(err, fmt.Errorf("an earlier application of the same proposal or files can't be finished nor taken back: %w", stuck))
		}
	}
	return err
}

func (m *Manager) recoverEntry(ctx context.Context, e *journalEntry) error {
	plan, err := m.planFrom(ctx, e)
	if err != nil {
		return err
	}
	w := &transaction{id: e.id, plan: plan, records: e.Steps, roots: openRoots{}}
	defer w.roots.close()
	for _, s := range w.records {
		s.planned = &plan.Files[s.File]
	}
	outcome := Outcome{Reason: "the program ended before it was written"}
	if e.phase != preparing {
		outcome.Applied = true
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

// finish does what was left to do. Where somebody has changed one of the files
// since, it takes back all the others instead.
func (w *transaction) rollForward() (done bool, err error) {
	done = true
	at := make([]diskState, len(w.records))
	for i, s := range w.records {
		if at[i], err = s.state(w.roots); err != nil {
			return false, err
		}
		done = done && at[i] != diskForeign
	}
	if !done {
		return false, errors.Join(w.rollBack(), w.sync())
	}
	for i, s := range w.records {
		if at[i] == diskOld {
			err = w.ensureTemporary(s, s.After, s.New, s.planned.After)
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

// recoverAccepted settles what was accepted by a program that is gone, and was
// for an editor to apply. Where the files read as they should, it is verified; else
// it has failed, and may be accepted again. What is in the journal is not its concern.
func (m *Manager) recoverAccepted(ctx context.Context) error {
	m.mu.Lock() // before the file's, as Accept does
	defer m.mu.Unlock()
	lock := m.newLease() // not our own, which we may hold
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

// settleForgotten settles what is accepted of p as the plan that it was, seen from
// the texts that its changes were made for.
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
	_, err := m.settle(ctx, plan, Outcome{Reason: "the program ended before the editor had applied it; accept it again"})
	return err
}

// plannedAlone is what is to be done to the file of c, if that still reads as c was
// made for.
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
