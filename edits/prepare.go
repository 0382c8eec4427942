package edits

import (
	"errors"
	"io/fs"
	"os"

	"ploke-lsp/edits/rooted"
	"ploke-lsp/internal/disk"
)

// prepareRecord makes the temporary files of a record, and decides how it is carried out.
func (w *transaction) prepareRecord(s *logRecord) error {
	if err := w.createDirs(s); err != nil {
		return err
	}
	if s.planned.Link {
		return w.prepareLink(s)
	}
	if s.Op == OpCreate {
		return w.writeTemporary(s.After, s, s.planned.After, s.planned.restored())
	}
	a, several, err := w.attributesOf(s.Path)
	if err != nil {
		return err
	}
	if several && s.Op == OpEdit {
		return w.prepareInPlace(s)
	}
	if err := w.roots.CheckFree(s.Path); err != nil { // before it has a temporary name that could not be removed
		return err
	}
	if s.Respells {
		return w.prepareRespelling(s, a, several)
	}
	if err := w.linkOrCopy(s, a); err != nil {
		return err
	}
	switch {
	case several && s.Op == OpDelete:
		return refuse("%s has several names (hard links), and an undo could not join them again; delete it by hand",
			s.Path.Name)
	case s.Op == OpDelete: // an empty file shows whether an undo could restore the attributes
		err = w.writeTemporary(s.After, s, nil, a)
	case s.Op == OpRename && s.Old == s.New:
		return w.linkOrMove(s, a, several)
	case several:
		return s.severalNames()
	default:
		err = w.writeTemporary(s.After, s, s.planned.After, a)
	}
	var attribute *rooted.AttributeError
	if errors.As(err, &attribute) && s.Op == OpEdit {
		return w.prepareInPlace(s)
	}
	return s.explain(err)
}

// ofLink completes the record of a symbolic link, which is deleted or made again.
func (s *logRecord) ofLink() {
	if s.Op == OpDelete {
		s.Old, s.Before = rooted.LinkHash(string(s.planned.Before)), s.Path.Temporary()
		return
	}
	s.New, s.After = rooted.LinkHash(string(s.planned.After)), s.Path.Temporary()
}

func (w *transaction) prepareLink(s *logRecord) error {
	if s.Op == OpDelete {
		return w.roots.Symlink(s.Before, string(s.planned.Before))
	}
	return w.roots.Symlink(s.After, string(s.planned.After))
}

// severalNames refuses to rename and edit a file with several names.
func (s *logRecord) severalNames() error {
	return refuse("%s has several names (hard links), so it can't be renamed and edited at once; accept the rename, and "+
		"then the edits", s.Path.Name)
}

// explain turns an error about an attribute into a refusal.
func (s *logRecord) explain(err error) error {
	var attribute *rooted.AttributeError
	if errors.As(err, &attribute) {
		return refuse("%s: %v; change the file by hand, or as a user who may do that", s.Path.Name, attribute)
	}
	return err
}

// attributesOf returns the attributes of a file, and whether it has several names.
func (w *transaction) attributesOf(p rooted.Path) (a *rooted.Attributes, several bool, err error) {
	file, err := w.roots.Open(p, os.O_RDONLY)
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, false, err
	}
	count, err := disk.Names(file, info)
	if err != nil {
		return nil, false, err
	}
	a, err = rooted.AttributesOf(file)
	return a, count > 1, err
}

// prepareInPlace replaces the preparation of a record: the file itself will be written, without
// temporary files. The texts are in the store.
func (w *transaction) prepareInPlace(s *logRecord) error {
	for _, p := range []rooted.Path{s.Before, s.After} {
		if err := w.roots.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	file, err := w.roots.Open(s.Path, os.O_RDWR)
	if err != nil {
		return refuse("%s can't be replaced without losing its owner, its attributes or its other names, and can't be "+
			"written: %v; change its permissions, or reject the change", s.Path.Name, err)
	}
	defer file.Close()
	a, err := rooted.AttributesOf(file)
	if err != nil {
		return err
	}
	if special := a.Mode & (fs.ModeSetuid | fs.ModeSetgid); special != 0 && os.Geteuid() != 0 { // writing clears it
		return s.explain(&rooted.AttributeError{Name: "setuid or setgid bit", Err: fs.ErrPermission})
	}
	s.InPlace, s.Before, s.After = true, rooted.Path{}, rooted.Path{}
	return nil
}

// linkOrCopy gives the old file another name. Thus a rollback brings back the file itself, and
// what another program writes to it at the last moment is not lost. Where a file can have only
// one name, it is copied.
func (w *transaction) linkOrCopy(s *logRecord, a *rooted.Attributes) error {
	if err := w.roots.Link(s.Path, s.Before); err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return s.explain(w.writeTemporary(s.Before, s, s.planned.Before, a))
}

// linkOrMove prepares the new name of a file that keeps its bytes. Another disk gets a copy.
func (w *transaction) linkOrMove(s *logRecord, a *rooted.Attributes, several bool) error {
	if s.Path.Root == s.To.Root && w.roots.Link(s.Path, s.After) == nil {
		s.Linked = true
		return nil
	}
	if several {
		return refuse("%s has several names (hard links), which it would lose on another disk or in another folder of the "+
			"workspace; rename it by hand", s.Path.Name)
	}
	return s.explain(w.writeTemporary(s.After, s, s.planned.After, a))
}

// ensureAfter makes the temporary file with the new bytes again if another program has removed it. The
// old file is in place.
func (w *transaction) ensureAfter(s *logRecord) error {
	now, err := w.roots.Hash(s.After)
	if err != nil || s.After == (rooted.Path{}) || s.New == "" || now == s.New {
		return err
	}
	if s.planned.Link {
		return w.roots.Symlink(s.After, string(s.planned.After))
	}
	if err := w.roots.Remove(s.After); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if s.Linked {
		return w.roots.Link(s.Path, s.After)
	}
	a := s.planned.restored()
	if s.Op != OpCreate {
		if a, _, err = w.attributesOf(s.Path); err != nil {
			return err
		}
	}
	if err := w.writeTemporary(s.After, s, s.planned.After, a); err != nil {
		return err
	}
	return w.roots.Sync(s.After)
}

// ensureBefore makes the temporary file with the old bytes again if another program has removed it. The
// new file is in place.
func (w *transaction) ensureBefore(s *logRecord) error {
	now, err := w.roots.Hash(s.Before)
	if err != nil || s.Before == (rooted.Path{}) || s.Old == "" || now != "" {
		return err
	}
	if s.planned.Link {
		return w.roots.Symlink(s.Before, string(s.planned.Before))
	}
	if s.Linked {
		return w.roots.Link(s.To, s.Before)
	}
	a := s.planned.restored()
	if s.Op != OpDelete {
		if a, _, err = w.attributesOf(s.target()); err != nil {
			return err
		}
	}
	if err := w.writeTemporary(s.Before, s, s.planned.Before, a); err != nil {
		return err
	}
	return w.roots.Sync(s.Before)
}

// writeTemporary writes a temporary file of the record. No other user can read it before it has
// the attributes. Nil attributes mean those of a new file.
func (w *transaction) writeTemporary(p rooted.Path, s *logRecord, text []byte, a *rooted.Attributes) error {
	data, err := s.planned.Encode(text)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o666)
	if a != nil {
		mode = 0o600
	}
	return w.roots.With(p, func(r *os.Root, name string) error {
		f, err := r.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if err != nil {
			return err
		}
		if _, err = f.Write(data); err == nil && a != nil {
			err = a.Set(f)
		}
		if err == nil {
			err = disk.SyncWritten(f)
		}
		return errors.Join(err, f.Close())
	})
}
