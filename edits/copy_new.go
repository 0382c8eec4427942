package edits

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// A temporary file gets its place as a second name (a hard link), which fails if somebody's file
// has that name. Disks without hard links, such as exFAT, get a copy under the name instead, which
// is created only if nobody has it. A copy takes time, so the journal says beforehand which file is
// being made. What a crash leaves of it is removed before anything else.

// noLinksError says that the disk gives no file a second name.
type noLinksError struct {
	wanted rootedPath // the second name
	err    error
}

func (e *noLinksError) Error() string { return e.err.Error() }
func (e *noLinksError) Unwrap() error { return e.err }

// give gives the temporary file p its place to. It fails with [fs.ErrExist] if there is a file.
func (s *logRecord) give(f openRoots, p, to rootedPath) error {
	if s.Copying == to {
		return f.copyNew(p, to)
	}
	err := f.link(p, to)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &noLinksError{to, err}
}

// carryOut calls step, which redoes or undoes the record. Where the disk has no hard links, it
// notes in the journal what is copied, and calls step again.
func (w *transaction) carryOut(s *logRecord, step func() error) error {
	err := step()
	var noLinks *noLinksError
	if !errors.As(err, &noLinks) {
		return err
	}
	s.Copying = noLinks.wanted
	if err := w.store(); err != nil {
		return err
	}
	err = step()
	if errors.Is(err, fs.ErrExist) { // it is somebody else's
		s.Copying = rootedPath{}
	}
	return err
}

// copyNew copies a file or link, with its attributes, to a name that must be free. Of a copy that
// fails it leaves nothing.
func (f openRoots) copyNew(p, to rootedPath) error {
	from, err := f.open(p, os.O_RDONLY)
	if errors.Is(err, errNotRegular) {
		return f.with(p, func(r *os.Root, name string) error {
			target, err := r.Readlink(name)
			if err != nil {
				return err
			}
			return r.Symlink(target, to.Name)
		})
	}
	if err != nil {
		return err
	}
	defer from.Close()
	a, err := attributesOf(from)
	if err != nil {
		return err
	}
	return f.with(to, func(r *os.Root, name string) error {
		file, err := r.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		if err = a.set(file); err == nil { // before the bytes, since a file with all bytes counts as complete
			_, err = io.Copy(file, from)
		}
		if err == nil {
			err = errors.Join(a.set(file), file.Sync()) // writing may have cleared bits of the mode
		}
		if err = errors.Join(err, file.Close()); err != nil {
			err = errors.Join(err, f.remove(to))
		}
		return err
	})
}

// removeTorn removes a copy that a program which died has not completed.
func (w *transaction) removeTorn() error {
	for _, s := range w.records {
		if s.Copying == (rootedPath{}) {
			continue
		}
		from := s.After
		if s.Copying == s.Path && s.Op != OpCreate {
			from = s.Before
		}
		torn, err := w.roots.isTorn(s.Copying, from)
		if err == nil && torn {
			err = w.roots.remove(s.Copying)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isTorn reports whether a file is an incomplete copy of another one: it has its first bytes, or
// zeros, which some file systems leave after a power failure. It is false if one of them is missing.
func (f openRoots) isTorn(copied, from rootedPath) (bool, error) {
	part, err1 := f.read(copied)
	whole, err2 := f.read(from)
	for _, err := range []error{err1, err2} {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular) {
			return false, nil
		}
	}
	return !bytes.Equal(part, whole) && mixed(part, nil, whole), errors.Join(err1, err2)
}

func (f openRoots) read(p rootedPath) ([]byte, error) {
	file, err := f.open(p, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}
