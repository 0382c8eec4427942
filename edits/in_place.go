package edits

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"

	"ploke-lsp/edits/rooted"
)

// errChanged says that another program has changed a file that was to be written in place. It has
// the bytes that they gave it.
var errChanged = errors.New("the file was changed by another program meanwhile")

// writeInPlace replaces the bytes of the file itself, so that it keeps its other names and its
// attributes. forward says whether to the new bytes or back to the old ones. from is the file's
// state.
func (s *logRecord) writeInPlace(f rooted.Roots, from diskState, forward bool) error {
	old, new, err := s.bothBytes()
	if err != nil {
		return err
	}
	to := new
	if !forward {
		to = old
	}
	file, err := f.Open(s.Path, os.O_RDWR)
	if err != nil {
		return err
	}
	defer file.Close()
	had, err := rooted.AttributesOf(file)
	if err != nil {
		return err
	}
	now, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	if expected := map[diskState][]byte{diskOld: old,
		diskNew: new}[from]; expected != nil && !bytes.Equal(now, expected) || !rooted.Mixed(now, old, new) {
		return errChanged
	}
	if err := overwrite(file, now, to); err != nil {
		return err
	}
	// Writing clears the setuid and setgid bits, and capabilities.
	return errors.Join(had.Set(file), file.Sync())
}

// overwrite makes the bytes to of the bytes now. If the file has grown meanwhile, it takes
// everything back.
func overwrite(file *os.File, now, to []byte) error {
	common := min(len(now), len(to))
	if _, err := file.WriteAt(to[:common], 0); err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() != int64(len(now)) {
		_, err := file.WriteAt(now[:common], 0)
		return errors.Join(errChanged, err)
	}
	if len(to) < len(now) {
		return file.Truncate(int64(len(to)))
	}
	_, err = file.WriteAt(to[common:], int64(common))
	return err
}

// stateInPlace is state for a file that is written in place. hash is that of its bytes.
func (s *logRecord) stateInPlace(f rooted.Roots, hash string) (diskState, error) {
	switch hash {
	case s.New:
		return diskNew, nil
	case s.Old:
		return diskOld, nil
	case "":
		return diskForeign, nil
	}
	old, new, err := s.bothBytes()
	if err != nil {
		return 0, err
	}
	file, err := f.Open(s.Path, os.O_RDONLY)
	if errors.Is(err, rooted.ErrNotRegular) {
		return diskForeign, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	now, err := io.ReadAll(file)
	if err == nil && rooted.Mixed(now, old, new) {
		return diskTorn, nil
	}
	return diskForeign, err
}

// bothBytes returns the old and the new bytes of the file.
func (s *logRecord) bothBytes() (old, new []byte, err error) {
	old, err1 := s.planned.Encode(s.planned.Before)
	new, err2 := s.planned.Encode(s.planned.After)
	return slices.Clip(old), slices.Clip(new), errors.Join(err1, err2)
}
