package edits

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ploke-lsp/internal/workspace"
)

// Attributes are the properties of a file other than its text.
type Attributes struct {
	workspace.Encoding
	Mode fs.FileMode // permissions, with the setuid, setgid and sticky bits
	Extended
}

// Extended are the attributes that not every system has.
type Extended struct {
	Owner  *Owner            `json:",omitempty"`
	Xattrs map[string][]byte `json:",omitempty"` // extended attributes by name, with the access control lists
}

// Owner is who a file belongs to.
type Owner struct{ User, Group int }

const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// attributes are those that a new file gets from the file that it replaces.
type attributes struct {
	Mode fs.FileMode
	Extended
}

func attributesOf(f *os.File) (*attributes, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	extended, err := extendedOf(f, info)
	return &attributes{info.Mode() & modeBits, extended}, err
}

// attributeError says that a file can't have an attribute of the file that it replaces.
type attributeError struct {
	name string
	err  error
}

func (e *attributeError) Error() string {
	return fmt.Sprintf("its %s can't be kept: %v", e.name, e.err)
}
func (e *attributeError) Unwrap() error { return e.err }

// set gives f the attributes. The mode comes last, since a change of the owner or of the bytes
// clears some of its bits, and since until then nobody else may read the file.
func (a *attributes) set(f *os.File) error {
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
		return &attributeError{"mode", err}
	}
	if info, err = f.Stat(); err == nil && info.Mode()&modeBits != a.Mode { // the system may ignore setgid
		err = &attributeError{"mode", fs.ErrPermission}
	}
	return err
}

// restored returns the attributes that a file had before it was deleted; nil for a new file.
func (f *PlannedFile) restored() *attributes {
	if f.Mode == nil {
		return nil
	}
	return &attributes{*f.Mode, f.Extended}
}

// recordAttributes notes the attributes of files that the plan deletes, for a later undo.
func recordAttributes(plan *Plan) error {
	for i := range plan.Files {
		f := &plan.Files[i]
		if f.Op != OpDelete || f.Before == nil || f.Link {
			continue
		}
		a, err := attributesAt(f.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the file exists only in the editor
		}
		if err != nil {
			return err
		}
		f.Mode, f.Extended = &a.Mode, a.Extended
	}
	return nil
}

// attributesAt returns the attributes of a regular file.
func attributesAt(path string) (*attributes, error) {
	roots := openRoots{}
	defer roots.close()
	file, err := roots.open(rootedPath{filepath.Dir(path), filepath.Base(path)}, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return attributesOf(file)
}
