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
	if err := m.makeWay(ctx, plan); err != nil {
		return err
	}
	w, err := m.newWriting(ctx, plan)
	if err != nil {
		return err
	}
	defer w.folders.close()
	if err := m.begun(ctx, w); err != nil {
		return err
	}
	plan.journal = w.id
	ctx = context.WithoutCancel(ctx) // half is worse than all or none
	err = w.prepare()
	if err == nil {
		err = m.reached(ctx, w.id, committing)
	}
	if err == nil {
		err = m.commit(w)
	}
	if err != nil {
		return m.giveUp(ctx, w, err)
	}
	return errors.Join(m.reached(ctx, w.id, written), m.cleanUp(w))
}

// commit puts the new files in place.
func (m *Manager) commit(w *writing) error {
	for _, s := range w.steps {
		p, err := s.progress(w.folders)
		if err == nil && p != before {
			err = m.stale(s.file.Path)
		}
		if err == nil {
			err = s.forward(w.folders, p)
		}
		if err != nil {
			return err
		}
	}
	return w.sync()
}

// sync makes the names durable.
func (w *writing) sync() error {
	synced := make(map[place]bool)
	for _, s := range w.steps {
		dirs := []place{s.Path.dir(), s.target().dir()}
		for _, made := range s.Made {
			dirs = append(dirs, made.dir())
		}
		for _, dir := range dirs {
			if synced[dir] {
				continue
			}
			synced[dir] = true
			if err := w.folders.sync(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// takeBack restores the files as they were, but for those that somebody else
// has changed meanwhile.
func (w *writing) takeBack() (err error) {
	for _, s := range w.steps {
		p, stepErr := s.progress(w.folders)
		if stepErr == nil && (p == after || p == between) {
			stepErr = w.have(s, s.Before, s.Old, s.file.Before)
		}
		if stepErr == nil && p != elsewhere {
			stepErr = s.back(w.folders, p)
		}
		if stepErr != nil {
			err = errors.Join(err, fmt.Errorf("%s could not be restored: %w", s.Path.Name, stepErr))
		}
	}
	return err
}

// cleanUp removes what was there for the writing alone, and folders of ours that
// nothing is left in.
func (m *Manager) cleanUp(w *writing) (err error) {
	for i := len(w.steps) - 1; i >= 0; i-- { // folders are made by the first step that wants them
		err = errors.Join(err, w.steps[i].cleanUp(w.folders))
	}
	m.removeLeft(w)
	return err
}

// giveUp takes back what was written before cause. If that fails, the journal
// keeps it for later.
func (m *Manager) giveUp(ctx context.Context, w *writing, cause error) error {
	if err := w.takeBack(); err != nil {
		return errors.Join(cause, err)
	}
	return errors.Join(cause, m.cleanUp(w), m.forget(ctx, w.id))
}
