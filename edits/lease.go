package edits

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// hold says to other processes that this one has plans in flight, so that none
// takes what is accepted for forgotten. The system takes the lock, which many may
// share, from a process that dies. Each hold needs a letGo after it.
func (m *Manager) hold(ctx context.Context) error {
	if _, err := m.lease.TryRLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("wait for another program that looks for forgotten edits: %w", err)
	}
	return nil
}

// letGo ends hold if no plan is in flight any more.
func (m *Manager) letGo() {
	if len(m.inFlight) == 0 {
		m.lease.Unlock() // if it can't, others leave what is accepted alone for longer
	}
}

func (m *Manager) newLease() *flock.Flock {
	return flock.New(filepath.Join(filepath.Dir(m.db.Path()), "applying.lock"))
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
		inJournal[e.planID] = true
	}
	var all error
	for _, status := range []State{Accepted, Partial} {
		ps, err := m.List(ctx, status)
		if err != nil {
			return err
		}
		for _, p := range ps {
			if !inJournal[p.ID] {
				all = errors.Join(all, m.settleForgotten(ctx, p))
			}
		}
	}
	return all
}

// settleForgotten settles what is accepted of p as the plan that it was, seen from
// the texts that its changes were made for.
func (m *Manager) settleForgotten(ctx context.Context, p *Proposal) error {
	plan := &Plan{ProposalID: p.ID, into: Verified}
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
		f, err := m.plannedAlone(ctx, p.Changes[i].part(accepted))
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
func (m *Manager) plannedAlone(ctx context.Context, c *Change) (f PlannedFile, err error) {
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
