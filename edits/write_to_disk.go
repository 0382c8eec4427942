package edits

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"ploke-lsp/edits/rooted"
)

// WriteToDisk carries out a plan on the files themselves, without an editor: all files or none. It
// writes the new bytes to temporary files, checks each file once more, and then moves the temporary
// files into place. A file keeps its owner, mode, access control lists and extended attributes;
// where that takes writing the file in place, it does so, as for a file with several names. What
// can't be kept is refused. A file that was made meanwhile is never replaced by a new or
// renamed one. On Windows, a file gets the access control list of its folder, and a file that
// another program has open is refused with an error that names it. A file that has changed since
// the plan was made, even while it was replaced, is a *StaleError. If a write fails, the earlier
// ones are rolled back. If the program ends in the middle, Recover rolls the transaction forward or
// back. Only one process at a time writes to the files of a workspace; others wait.
func (m *Manager) WriteToDisk(ctx context.Context, plan *Plan) error {
	lock, err := m.writer.lockDisk(ctx)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := m.recoverFor(ctx, plan); err != nil {
		return err
	}
	w, err := m.writer.newTransaction(ctx, plan)
	if err != nil {
		return err
	}
	defer w.roots.Close()
	if err := m.journal.insertEntry(ctx, w); err != nil {
		return err
	}
	plan.journal = w.id
	ctx = context.WithoutCancel(ctx) // a cancelled request must not leave half of the files written
	err = w.prepare()
	if err == nil {
		err = m.journal.beginCommit(ctx, w)
	}
	if err == nil {
		err = m.writer.commit(w)
	}
	if err != nil {
		return m.writer.abort(ctx, w, err)
	}
	if err := m.journal.setPhase(ctx, w.id, written); err != nil {
		return errors.Join(err, m.writer.cleanUp(w))
	}
	m.writer.onReplace(rooted.Path{}, true)
	if late := m.writer.checkLate(w); late != nil { // the last moment at which the old files exist
		if err := m.journal.setPhase(ctx, w.id, committing); err != nil {
			w.plan.stuck = true
			return errors.Join(late, err)
		}
		return m.writer.abort(ctx, w, late)
	}
	return m.writer.cleanUp(w)
}

// commit puts the new files in place. Just before each one it checks that the file has not
// changed since the plan was made.
func (d *diskWriter) commit(w *transaction) error {
	for i, s := range w.records {
		d.onReplace(s.Path, false)
		now, err := s.state(w.roots)
		if err != nil {
			return err
		}
		if now != diskOld {
			return d.stale(s.planned.Path)
		}
		d.onReplace(s.Path, true)
		err = w.carryOut(s, func() error { return s.redo(w.roots, now) })
		if errors.Is(err, errChanged) {
			return d.stale(s.planned.Path)
		}
		if !errors.Is(err, fs.ErrExist) { // else another program's file has the name
			w.begun = i + 1
		}
		if err != nil {
			return err
		}
	}
	return w.sync()
}

// checkLate returns a *StaleError for the first file that was changed after its last check.
// The change is in the old file, which has a temporary name.
func (d *diskWriter) checkLate(w *transaction) error {
	for _, s := range w.records {
		p, err := s.state(w.roots)
		if err != nil {
			return err
		}
		if p == diskLate {
			return d.stale(s.planned.Path)
		}
	}
	return nil
}

// sync makes the names in all touched folders durable.
func (w *transaction) sync() error {
	synced := make(map[rooted.Path]bool)
	for _, s := range w.records {
		dirs := []rooted.Path{s.Path.Dir(), s.target().Dir()}
		for _, made := range s.CreatedDirs {
			dirs = append(dirs, made.Dir())
		}
		for _, dir := range dirs {
			if synced[dir] {
				continue
			}
			synced[dir] = true
			if err := w.roots.Sync(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// rollBack restores the old files of the records that were begun. Files that another program has
// changed meanwhile are left alone, and noted in w.left.
func (w *transaction) rollBack() (err error) {
	for _, s := range w.records[:w.begun] {
		p, stepErr := s.state(w.roots)
		if stepErr == nil && p == diskNew {
			stepErr = w.ensureBefore(s)
		}
		if stepErr == nil && p == diskForeign {
			w.left = append(w.left, s.Path.Name)
		} else if stepErr == nil {
			stepErr = w.carryOut(s, func() error { return s.undo(w.roots, p) })
		}
		if stepErr != nil {
			err = errors.Join(err, fmt.Errorf("%s could not be restored: %w", s.Path.Name, stepErr))
		}
	}
	return err
}

// cleanUp removes the temporary files, and created folders that are empty. If that fails, the
// journal entry stays for a later recovery.
func (d *diskWriter) cleanUp(w *transaction) (err error) {
	for i := len(w.records) - 1; i >= 0; i-- { // in reverse: the first record that needs a folder creates it
		err = errors.Join(err, w.records[i].removeTemporary(w.roots))
	}
	d.removeEmptiedDirs(w)
	w.plan.unclean = err != nil
	return err
}

// abort rolls back what was written before cause, and cleans up. If that fails, the journal
// entry stays for a later recovery.
func (d *diskWriter) abort(ctx context.Context, w *transaction, cause error) error {
	err := w.rollBack()
	if len(w.left) > 0 {
		cause = fmt.Errorf("%w\n%s: changed by another program after the new text was written, so it stays as it is now; "+
			"look at it", cause, strings.Join(w.left, ", "))
	}
	if err == nil {
		err = d.journal.setPhase(ctx, w.id, preparing) // only temporary files are left
	}
	w.plan.stuck = err != nil
	if err == nil {
		err = d.cleanUp(w)
	}
	if err == nil {
		err = d.journal.deleteEntry(ctx, w.id)
	}
	return errors.Join(cause, err)
}
