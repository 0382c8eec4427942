package rooted

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// IsTorn reports whether a file is an incomplete copy of another one: it has its first bytes, or
// zeros, which some file systems leave after a power failure. It is false if one of them is missing.
func (f Roots) IsTorn(copied, from Path) (bool, error) {
	part, err1 := f.Read(copied)
	whole, err2 := f.Read(from)
	for _, err := range []error{err1, err2} {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNotRegular) {
			return false, nil
		}
	}
	return !bytes.Equal(part, whole) && Mixed(part, nil, whole), errors.Join(err1, err2)
}

// Read returns the bytes of a regular file.
func (f Roots) Read(p Path) ([]byte, error) {
	file, err := f.Open(p, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// Mixed reports whether each byte of now is the one of old or of new at that place, as after a
// crash in the middle of writing. Where the file has grown, the system may have left zeros.
func Mixed(now, old, new []byte) bool {
	if len(now) < min(len(old), len(new)) || len(now) > max(len(old), len(new)) {
		return false
	}
	for i, c := range now {
		isOld, isNew := i < len(old) && c == old[i], i < len(new) && c == new[i]
		if !isOld && !isNew && (i < len(old) || c != 0) {
			return false
		}
	}
	return true
}
