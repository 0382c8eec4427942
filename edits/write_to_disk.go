package edits

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// WriteToDisk carries out a plan on the files themselves, where no editor does:
// all of them or none. New bytes are written beside their place and moved
// there, with mode and byte order mark kept, after a last look at each file; one
// that has changed since the plan was made is a *StaleError. When a step fails
// those before it are taken back. When the program ends in the middle, Recover
// finishes or takes back the rest. One process at a time writes to the files of
// a workspace; others wait.
func (m *Manager) WriteToDisk(ctx context.Context, plan *Plan) error {
	lock, err := m.lockDisk(ctx)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := m.recoverFor(ctx, plan); err != nil {
		return err
	}
	w, err := m.newTransaction(ctx, plan)
	if err != nil {
		return err
	}
	defer w.roots.close()
	if err := m.insertEntry(ctx, w); err != nil {
		return err
	}
	plan.journal = w.id
	ctx = context.WithoutCancel(ctx) // half is worse than all or none
	err = w.prepare()
	if err == nil {
		err = m.setPhase(ctx, w.id, committing)
	}
	if err == nil {
		err = m.commit(w)
	}
	if err != nil {
		return m.abort(ctx, w, err)
	}
	return errors.Join(m.setPhase(ctx, w.id, written), m.cleanUp(w))
}

// commit puts the new files in place.
func (m *Manager) commit(w *transaction) error {
	for _, s := range w.records {
		p, err := s.state(w.roots)
		if err == nil && p != diskOld {
			err = m.stale(s.planned.Path)
		}
		if err == nil {
			err = s.redo(w.roots, p)
		}
		if err != nil {
			return err
		}
	}
	return w.sync()
}

// sync makes the names durable.
func (w *transaction) sync() error {
	synced := make(map[rootedPath]bool)
	for _, s := range w.records {
		dirs := []rootedPath{s.Path.dir(), s.target().dir()}
		for _, made := range s.CreatedDirs {
			dirs = append(dirs, made.dir())
		}
		for _, dir := range dirs {
			if synced[dir] {
				continue
			}
			synced[dir] = true
			if err := w.roots.sync(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// takeBack restores the files as they were, but for those that somebody else
// has changed meanwhile.
func (w *transaction) rollBack() (err error) {
	for _, s := range w.records {
		p, stepErr := s.state(w.roots)
		if stepErr == nil && (p == diskNew || p == diskBoth) {
			stepErr = w.ensureTemporary(s, s.Before, s.Old, s.planned.Before)
		}
		if stepErr == nil && p != diskForeign {
			stepErr = s.undo(w.roots, p)
		}
		if stepErr != nil {
			err = errors.Join(err, fmt.Errorf("%s could not be restored: %w", s.Path.Name, stepErr))
		}
	}
	return err
}

// cleanUp removes what was there for the writing alone, and folders of ours that
// nothing is left in.
func (m *Manager) cleanUp(w *transaction) (err error) {
	for i := len(w.records) - 1; i >= 0; i-- { // folders are made by the first step that wants them
		err = errors.Join(err, w.records[i].removeTemporary(w.roots))
	}
	m.removeEmptiedDirs(w)
	return err
}

// giveUp takes back what was written before cause. If that fails, the journal
// keeps it for later.
func (m *Manager) abort(ctx context.Context, w *transaction, cause error) error {
	if err := w.rollBack(); err != nil {
		return errors.Join(cause, err)
	}
	return errors.Join(cause, m.cleanUp(w), m.deleteEntry(ctx, w.id))
}
