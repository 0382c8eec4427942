//go:build linux || darwin

package rooted

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

func extendedOf(f *os.File, info fs.FileInfo) (x Extended, err error) {
	st := info.Sys().(*syscall.Stat_t)
	x.Owner = &Owner{int(st.Uid), int(st.Gid)}
	names, err := xattrNames(f)
	if err != nil || len(names) == 0 {
		return x, err
	}
	x.Xattrs = make(map[string][]byte)
	for _, name := range names {
		value, err := untilItFits(func(into []byte) (int, error) { return unix.Fgetxattr(int(f.Fd()), name, into) })
		if err != nil {
			return x, fmt.Errorf("read the attribute %s: %w", name, err)
		}
		x.Xattrs[name] = value
	}
	return x, nil
}

// xattrNames returns the names of f's extended attributes; none if the file system has none.
func xattrNames(f *os.File) ([]string, error) {
	list, err := untilItFits(func(into []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), into) })
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, nil
	}
	return strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 }), err
}

// untilItFits calls read with a buffer of the size that it asks for.
func untilItFits(read func(into []byte) (int, error)) ([]byte, error) {
	for {
		size, err := read(nil)
		if err != nil || size == 0 {
			return nil, err
		}
		into := make([]byte, size)
		if size, err = read(into); !errors.Is(err, unix.ERANGE) { // else it has grown
			return into[:max(size, 0)], err
		}
	}
}

// setExtended gives f exactly these attributes. What f has already is not touched, since that may
// need permission.
func (x *Extended) setExtended(f *os.File, info fs.FileInfo) error {
	now, err := extendedOf(f, info)
	if err != nil {
		return err
	}
	if x.Owner == nil {
		return nil // it was recorded by a version that did not know
	}
	if *x.Owner != *now.Owner {
		if err := f.Chown(x.Owner.User, x.Owner.Group); err != nil {
			return &AttributeError{"owner", err}
		}
	}
	for name := range now.Xattrs {
		if _, wanted := x.Xattrs[name]; !wanted { // such as the access control list that a folder gives new files
			if err := unix.Fremovexattr(int(f.Fd()), name); err != nil {
				return &AttributeError{"attributes without " + name, err}
			}
		}
	}
	for name, value := range x.Xattrs {
		if had, there := now.Xattrs[name]; there && bytes.Equal(had, value) {
			continue
		}
		if err := unix.Fsetxattr(int(f.Fd()), name, value, 0); err != nil {
			return &AttributeError{"attribute " + name, err}
		}
	}
	return nil
}
