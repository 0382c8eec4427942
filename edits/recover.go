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
		err = m.recoverWritings(ctx, func(*entry) bool { return true })
	}
	return errors.Join(err, m.recoverAccepted(ctx), m.refitAll(ctx))
}

// makeWay works off the journal for a writer. What can't be worked off is only in
// the way of a plan for one of its files.
func (m *Manager) makeWay(ctx context.Context, plan *Plan) error {
	return m.recoverWritings(ctx, func(e *entry) bool { return e.shares(plan) })
}

// recoverWritings works off the journal, and returns why it can't in those cases
// that matter. The lock is held, so that nobody is at work on what is in it.
func (m *Manager) recoverWritings(ctx context.Context, matters func(*entry) bool) error {
	entries, err := m.entries(ctx)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if stuck := m.recoverWriting(ctx, e); stuck != nil && matters(e) {
			err = errors.Join(err, fmt.Errorf("an earlier application of the same proposal or files can't be finished nor taken back: %w", stuck))
		}
	}
	return err
}

func (m *Manager) recoverWriting(ctx context.Context, e *entry) error {
	plan, err := m.planOf(ctx, e)
	if err != nil {
		return err
	}
	w := &writing{id: e.id, plan: plan, steps: e.Steps, folders: folders{}}
	defer w.folders.close()
	for _, s := range w.steps {
		s.file = &plan.Files[s.File]
	}
	outcome := Outcome{Reason: "the program ended before it was written"}
	if e.phase != preparing {
		outcome.Applied = true
	}
	if e.phase == committing {
		if outcome.Applied, err = w.finish(); err != nil {
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
func (w *writing) finish() (done bool, err error) {
	done = true
	at := make([]progress, len(w.steps))
	for i, s := range w.steps {
		if at[i], err = s.progress(w.folders); err != nil {
			return false, err
		}
		done = done && at[i] != elsewhere
	}
	if !done {
		return false, errors.Join(w.takeBack(), w.sync())
	}
	for i, s := range w.steps {
		if at[i] == before {
			err = w.have(s, s.After, s.New, s.file.After)
		}
		if err == nil {
			err = s.forward(w.folders, at[i])
		}
		if err != nil {
			return false, err
		}
	}
	return true, w.sync()
}

// refitAll looks whether the proposals that nobody has decided on still fit.
func (m *Manager) refitAll(ctx context.Context) error {
	var all error
	for _, status := range []State{Staged, Stale, Failed, Partial} {
		ps, err := m.List(ctx, status)
		if err != nil {
			return err
		}
		for _, p := range ps {
			_, err := m.Load(ctx, p.ID)
			all = errors.Join(all, err)
		}
	}
	return all
}

// Load is Get after a look whether what is undecided fits its files as they
// are now: what does not is marked stale, what does again is not.
func (m *Manager) Load(ctx context.Context, id string) (*Proposal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	was := p.states()
	for i := range p.Changes {
		c := &p.Changes[i]
		if !c.pending() || m.applying(c) {
			continue
		}
		if err := m.refit(ctx, c); err != nil {
			return nil, fmt.Errorf("proposal %s: %w", id, err)
		}
	}
	if p.states() == was {
		return p, nil
	}
	if err := m.save(ctx, p); err != nil {
		return nil, err
	}
	m.onChange(p.clone())
	return p, nil
}
