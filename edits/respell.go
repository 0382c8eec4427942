package edits

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// A rename respells a name if the disk takes the old and the new name for one: Foo.go becomes
// foo.go on a disk that ignores case. The file can't have both names for a moment, as in other
// renames. New bytes are put in place under the old name before that.

// prepareRespelling makes the temporary files of a record that respells a name. There are none
// if the file keeps its bytes.
func (w *transaction) prepareRespelling(s *logRecord, a *attributes, several bool) error {
	if s.Old == s.New {
		s.Before, s.After = rootedPath{}, rootedPath{}
		return nil
	}
	if several {
		return s.severalNames()
	}
	if err := w.linkOrCopy(s, a); err != nil {
		return err
	}
	return s.explain(w.writeTemporary(s.After, s, s.planned.After, a))
}

// stateOfRespelling is state for a record that respells a name.
func (s *logRecord) stateOfRespelling(f openRoots) (diskState, error) {
	name, err := f.oneOf(s.Path, s.To)
	if err != nil || name == (rootedPath{}) {
		return diskForeign, err
	}
	hash, err := f.hash(name)
	if err != nil {
		return 0, err
	}
	var before string
	if s.Before != (rootedPath{}) {
		if before, err = f.hash(s.Before); err != nil {
			return 0, err
		}
	}
	late := before != "" && before != s.Old
	switch {
	case name == s.Path && hash == s.Old:
		return diskOld, nil
	case hash != s.New:
		return diskForeign, nil
	case late:
		return diskLate, nil
	case name == s.Path:
		return diskBoth, nil
	}
	return diskNew, nil
}

// oneOf returns which of two names in one folder the folder has; none if it has neither or both.
func (f openRoots) oneOf(a, b rootedPath) (has rootedPath, err error) {
	err = f.with(a.dir(), func(r *os.Root, name string) error {
		dir, err := r.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may be a pipe by now
		if err != nil {
			return err
		}
		defer dir.Close()
		names, err := dir.Readdirnames(-1)
		hasA, hasB := slices.Contains(names, a.base()), slices.Contains(names, b.base())
		switch {
		case hasA && !hasB:
			has = a
		case hasB && !hasA:
			has = b
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return has, err
}

// redoRespelling is redo for a record that respells a name.
func (s *logRecord) redoRespelling(f openRoots, from diskState) error {
	if from == diskOld && s.After != (rootedPath{}) {
		if err := f.rename(s.After, s.Path); err != nil {
			return err
		}
	}
	return f.rename(s.Path, s.To)
}

// undoRespelling is undo for a record that respells a name.
func (s *logRecord) undoRespelling(f openRoots) error {
	name, err := f.oneOf(s.Path, s.To)
	if err == nil && name == s.To {
		err = f.rename(s.To, s.Path)
	}
	if err != nil || s.Before == (rootedPath{}) {
		return err
	}
	return f.rename(s.Before, s.Path)
}
