package edits

import (
	"errors"
	"io/fs"

	"ploke-lsp/edits/rooted"
)

// A temporary file gets its place as a second name (a hard link), which fails if another file
// has that name. Disks without hard links, such as exFAT, get a copy under the name instead, which
// is created only if no file has it. A copy takes time, so the journal says beforehand which file is
// being made. What a crash leaves of it is removed before anything else.

// noLinksError says that the disk gives no file a second name.
type noLinksError struct {
	wanted rooted.Path // the second name
	err    error
}

func (e *noLinksError) Error() string { return e.err.Error() }
func (e *noLinksError) Unwrap() error { return e.err }

// give gives the temporary file p its place to. It fails with [fs.ErrExist] if there is a file.
func (s *logRecord) give(f rooted.Roots, p, to rooted.Path) error {
	if s.Copying == to {
		return f.Copy(p, to)
	}
	err := f.Link(p, to)
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
	if errors.Is(err, fs.ErrExist) { // another program made it
		s.Copying = rooted.Path{}
	}
	return err
}

// removeTorn removes a copy that a program which died has not completed.
func (w *transaction) removeTorn() error {
	for _, s := range w.records {
		if s.Copying == (rooted.Path{}) {
			continue
		}
		from := s.After
		if s.Copying == s.Path && s.Op != OpCreate {
			from = s.Before
		}
		torn, err := w.roots.IsTorn(s.Copying, from)
		if err == nil && torn {
			err = w.roots.Remove(s.Copying)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
