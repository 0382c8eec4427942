package edits

import (
	"errors"
	"io/fs"

	"ploke-lsp/edits/rooted"
)

// logRecord describes what is done to one file on disk. It is complete and in the journal
// before any file is replaced, so the change can be redone or undone from it.
type logRecord struct {
	Op          Op
	Path, To    rooted.Path   // To is set for OpRename
	Old, New    string        // hashes of the file's bytes; "" for no file
	After       rooted.Path   // temporary file with the new bytes, in the folder of the target; for OpDelete, an empty one
	Before      rooted.Path   // another name of the old file, in the folder of Path; a copy where files have only one name
	CreatedDirs []rooted.Path `json:"Made"` // folders that are created for the new file, outermost first
	File        int           // index in the plan's files
	// the bytes of the file itself are replaced; there are no temporary files
	InPlace  bool        `json:",omitempty"`
	Linked   bool        `json:",omitempty"` // After is another name of the old file
	Respells bool        `json:",omitempty"` // the disk takes Path and To for one name
	Copying  rooted.Path `json:",omitzero"`  // file that is made as a copy of a temporary one, see copy_new.go

	planned *PlannedFile
}

// target is where the new bytes go.
func (s *logRecord) target() rooted.Path {
	if s.Op == OpRename {
		return s.To
	}
	return s.Path
}

// diskState is how far a record has been carried out, judged by the files on disk.
type diskState int

const (
	diskOld  diskState = iota
	diskBoth           // a renamed file has both its names
	diskTorn           // a file that is written in place has bytes of both texts
	diskNew
	diskLate    // as diskNew, but another program changed the old file at the last moment
	diskForeign // another program has changed the file
)

func (s *logRecord) state(f rooted.Roots) (diskState, error) {
	if s.Respells {
		return s.stateOfRespelling(f)
	}
	path, err := f.Hash(s.Path)
	if err != nil {
		return 0, err
	}
	if s.InPlace {
		return s.stateInPlace(f, path)
	}
	before, err := f.Hash(s.Before)
	if err != nil {
		return 0, err
	}
	late := before != "" && before != s.Old
	if s.Op == OpRename {
		to, err := f.Hash(s.To)
		return s.stateOfRename(path, to, before, late), err
	}
	switch {
	case path == s.New && late:
		return diskLate, nil
	case path == s.New:
		return diskNew, nil
	case path == s.Old:
		return diskOld, nil
	}
	return diskForeign, nil
}

// stateOfRename judges by the hashes of the file at both names. A linked file that is changed at
// the last moment changes under all its names.
func (s *logRecord) stateOfRename(path, to, before string, late bool) diskState {
	switch {
	case late && s.Linked && to == before && (path == "" || path == before):
		return diskLate
	case path == s.Old && to == "":
		return diskOld
	case path == s.Old && to == s.New:
		return diskBoth
	case path == "" && to == s.New && late:
		return diskLate
	case path == "" && to == s.New:
		return diskNew
	}
	return diskForeign
}

// redo does what is left to do of the record. from is the file's state.
func (s *logRecord) redo(f rooted.Roots, from diskState) error {
	switch {
	case from == diskNew:
		return nil
	case s.InPlace:
		return s.writeInPlace(f, from, true)
	case s.Respells:
		return s.redoRespelling(f, from)
	case s.Op == OpEdit:
		return f.Rename(s.After, s.Path)
	case s.Op == OpCreate:
		return s.give(f, s.After, s.Path)
	case s.Op == OpDelete:
		return f.Remove(s.Path)
	case from == diskOld:
		if err := s.give(f, s.After, s.To); err != nil {
			return err
		}
	}
	return f.Remove(s.Path)
}

// undo takes back what was done of the record. from is the file's state.
func (s *logRecord) undo(f rooted.Roots, from diskState) error {
	switch {
	case from == diskOld:
		return nil
	case s.InPlace:
		return s.writeInPlace(f, from, false)
	case s.Respells:
		return s.undoRespelling(f)
	case s.Op == OpEdit:
		return f.Rename(s.Before, s.Path)
	case s.Op == OpCreate:
		return f.Remove(s.Path)
	case s.Op == OpDelete:
		return s.give(f, s.Before, s.Path)
	case from == diskNew, from == diskLate:
		if err := s.give(f, s.Before, s.Path); err != nil &&
			!(from == diskLate && errors.Is(err, fs.ErrExist)) { // it may have both names
			return err
		}
	}
	return f.Remove(s.To)
}

// removeTemporary removes the temporary files, and the created folders that are empty.
func (s *logRecord) removeTemporary(f rooted.Roots) error {
	var all error
	for _, p := range []rooted.Path{s.After, s.Before} {
		if p == (rooted.Path{}) {
			continue
		}
		if err := f.Remove(p); !errors.Is(err, fs.ErrNotExist) {
			all = errors.Join(all, err)
		}
	}
	s.removeCreatedDirs(f)
	return all
}
