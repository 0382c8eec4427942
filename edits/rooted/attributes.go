package rooted

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Extended are the attributes that not every system has.
type Extended struct {
	Owner  *Owner            `json:",omitempty"`
	Xattrs map[string][]byte `json:",omitempty"` // extended attributes by name, with the access control lists
}

// Owner is who a file belongs to.
type Owner struct{ User, Group int }

const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// Attributes are those that a new file gets from the file that it replaces.
type Attributes struct {
	Mode fs.FileMode
	Extended
}

// AttributesOf returns the attributes of an open file.
func AttributesOf(f *os.File) (*Attributes, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	extended, err := extendedOf(f, info)
	return &Attributes{info.Mode() & modeBits, extended}, err
}

// AttributeError says that a file can't have an attribute of the file that it replaces.
type AttributeError struct {
	Name string
	Err  error
}

func (e *AttributeError) Error() string {
	return fmt.Sprintf("its %s can't be kept: %v", e.Name, e.Err)
}
func (e *AttributeError) Unwrap() error { return e.Err }

// Set gives f the attributes. The mode comes last, since a change of the owner or of the bytes
// clears some of its bits, and since until then no other user may read the file.
func (a *Attributes) Set(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := a.setExtended(f, info); err != nil {
		return err
	}
	if info, err = f.Stat(); err != nil || info.Mode()&modeBits == a.Mode {
		return err
	}
	if err := f.Chmod(a.Mode); err != nil {
		return &AttributeError{"mode", err}
	}
	if info, err = f.Stat(); err == nil && info.Mode()&modeBits != a.Mode { // the system may ignore setgid
		err = &AttributeError{"mode", fs.ErrPermission}
	}
	return err
}

// AttributesAt returns the attributes of a regular file.
func AttributesAt(path string) (*Attributes, error) {
	roots := Roots{}
	defer roots.Close()
	file, err := roots.Open(Path{filepath.Dir(path), filepath.Base(path)}, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return AttributesOf(file)
}
