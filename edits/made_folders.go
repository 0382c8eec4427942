package edits

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// missingFolders notes the folders that have to be made for a new file, but
// those that a step before makes.
func (s *step) missingFolders(w *writing) error {
	s.file.Made = nil
	if s.Op != OpCreate && s.Op != OpRename {
		return nil
	}
	for dir := s.target().dir(); dir.Name != "."; dir = dir.dir() {
		err := w.folders.do(dir, func(r *os.Root, name string) error {
			_, err := r.Stat(name)
			return err
		})
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if !slices.ContainsFunc(w.steps, func(x *step) bool { return slices.Contains(x.Made, dir) }) {
			s.Made = slices.Insert(s.Made, 0, dir)
			s.file.Made = slices.Insert(s.file.Made, 0, filepath.Join(dir.Root, dir.Name))
		}
	}
	return nil
}

// makeFolders makes the folders that the new file needs.
func (w *writing) makeFolders(s *step) error {
	for _, dir := range s.Made {
		if err := w.folders.do(dir, func(r *os.Root, name string) error { return r.Mkdir(name, 0o777) }); err != nil {
			return err
		}
	}
	return nil
}

// removeFolders removes the folders that were made for the new file, if nothing
// is in them.
func (s *step) removeFolders(f folders) {
	for _, dir := range slices.Backward(s.Made) {
		if f.removeFolder(dir) != nil {
			return // it is in use
		}
	}
}

// MakeFolders makes the folders that the plan's new files need, for an editor
// that makes none. The returned function removes those that nothing was put into,
// and those that the plan leaves empty.
func (m *Manager) MakeFolders(plan *Plan) (tidy func(), err error) {
	w := &writing{plan: plan, folders: folders{}}
	tidy = func() {
		for _, s := range slices.Backward(w.steps) {
			s.removeFolders(w.folders)
		}
		m.removeLeft(w)
		w.folders.close()
	}
	for i := range plan.Files {
		s, err := m.stepOf(&plan.Files[i])
		if err == nil {
			err = s.missingFolders(w)
		}
		w.steps = append(w.steps, s)
		if err == nil {
			err = w.makeFolders(s)
		}
		if err != nil {
			tidy()
			return nil, err
		}
	}
	return tidy, nil
}

// removeLeft removes the folders that were made for files which the plan takes
// away, if nothing else is in them.
func (m *Manager) removeLeft(w *writing) {
	var left []place
	for _, f := range w.plan.Files {
		for _, dir := range f.Left {
			if p, err := m.place(dir); err == nil {
				left = append(left, p)
			}
		}
	}
	slices.SortFunc(left, func(a, b place) int { return cmp.Compare(len(b.Name), len(a.Name)) }) // the innermost first
	for _, dir := range left {
		w.folders.removeFolder(dir) // unless it is in use, or gone
	}
}

// removeFolder removes an empty folder, and nothing else that has its name.
func (f folders) removeFolder(p place) error {
	return f.do(p, func(r *os.Root, name string) error {
		info, err := r.Lstat(name)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fs.ErrExist
		}
		return r.Remove(name)
	})
}
