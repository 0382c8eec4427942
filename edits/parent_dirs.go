package edits

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ploke-lsp/edits/rooted"
)

// findMissingDirs notes the folders that have to be created for a new file, except those that
// an earlier record creates.
func (s *logRecord) findMissingDirs(w *transaction) error {
	s.planned.CreatedDirs = nil
	if s.Op != OpCreate && s.Op != OpRename {
		return nil
	}
	for dir := s.target().Dir(); dir.Name != "."; dir = dir.Dir() {
		err := w.roots.With(dir, func(r *os.Root, name string) error {
			_, err := r.Stat(name)
			return err
		})
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if !slices.ContainsFunc(w.records, func(x *logRecord) bool { return slices.Contains(x.CreatedDirs, dir) }) {
			s.CreatedDirs = slices.Insert(s.CreatedDirs, 0, dir)
			s.planned.CreatedDirs = slices.Insert(s.planned.CreatedDirs, 0, filepath.Join(dir.Root, dir.Name))
		}
	}
	return nil
}

// createDirs creates the folders that the new file needs.
func (w *transaction) createDirs(s *logRecord) error {
	for _, dir := range s.CreatedDirs {
		if err := w.roots.With(dir, func(r *os.Root, name string) error { return r.Mkdir(name, 0o777) }); err != nil {
			return err
		}
	}
	return nil
}

// removeCreatedDirs removes the folders that were created for the new file, if they are empty.
func (s *logRecord) removeCreatedDirs(f rooted.Roots) {
	for _, dir := range slices.Backward(s.CreatedDirs) {
		if f.RemoveDir(dir) != nil {
			return // in use
		}
	}
}

// CreateDirs creates the folders that the plan's new files need, for an editor that creates
// none. The returned function removes the created folders that are still empty, and the folders
// that the plan empties.
func (m *Manager) CreateDirs(plan *Plan) (removeUnused func(), err error) {
	w := &transaction{plan: plan, roots: rooted.Roots{}}
	removeUnused = func() {
		for _, s := range slices.Backward(w.records) {
			s.removeCreatedDirs(w.roots)
		}
		m.writer.removeEmptiedDirs(w)
		w.roots.Close()
	}
	for i := range plan.Files {
		s, err := m.writer.recordOf(&plan.Files[i])
		if err == nil {
			err = s.findMissingDirs(w)
		}
		w.records = append(w.records, s)
		if err == nil {
			err = w.createDirs(s)
		}
		if err != nil {
			removeUnused()
			return nil, err
		}
	}
	return removeUnused, nil
}

// removeEmptiedDirs removes the folders that were created for files which the plan removes, if
// they are empty.
func (d *diskWriter) removeEmptiedDirs(w *transaction) {
	var left []rooted.Path
	for _, f := range w.plan.Files {
		for _, dir := range f.EmptiedDirs {
			if p, err := d.rooted(dir); err == nil {
				left = append(left, p)
			}
		}
	}
	slices.SortFunc(left, func(a, b rooted.Path) int { return cmp.Compare(len(b.Name), len(a.Name)) }) // innermost first
	for _, dir := range left {
		w.roots.RemoveDir(dir) // fails if it is in use or gone, which is fine
	}
}
