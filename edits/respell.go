package edits

import "ploke-lsp/edits/rooted"

// A rename respells a name if the disk takes the old and the new name for one: Foo.go becomes
// foo.go on a disk that ignores case. The file can't have both names for a moment, as in other
// renames. New bytes are put in place under the old name before that.

// prepareRespelling makes the temporary files of a record that respells a name. There are none
// if the file keeps its bytes.
func (w *transaction) prepareRespelling(s *logRecord, a *rooted.Attributes, several bool) error {
	if s.Old == s.New {
		s.Before, s.After = rooted.Path{}, rooted.Path{}
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

func (s *logRecord) stateOfRespelling(f rooted.Roots) (diskState, error) {
	name, err := f.OneOf(s.Path, s.To)
	if err != nil || name == (rooted.Path{}) {
		return diskForeign, err
	}
	hash, err := f.Hash(name)
	if err != nil {
		return 0, err
	}
	var before string
	if s.Before != (rooted.Path{}) {
		if before, err = f.Hash(s.Before); err != nil {
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

func (s *logRecord) redoRespelling(f rooted.Roots, from diskState) error {
	if from == diskOld && s.After != (rooted.Path{}) {
		if err := f.Rename(s.After, s.Path); err != nil {
			return err
		}
	}
	return f.Rename(s.Path, s.To)
}

func (s *logRecord) undoRespelling(f rooted.Roots) error {
	name, err := f.OneOf(s.Path, s.To)
	if err == nil && name == s.To {
		err = f.Rename(s.To, s.Path)
	}
	if err != nil || s.Before == (rooted.Path{}) {
		return err
	}
	return f.Rename(s.Before, s.Path)
}
