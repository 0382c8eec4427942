package edits

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// rootedPath names a file or folder by a workspace root and the path below it.
type rootedPath struct{ Root, Name string }

func (p rootedPath) dir() rootedPath { return rootedPath{p.Root, filepath.Dir(p.Name)} }

// temporary returns the path of a new temporary file in the same folder.
func (p rootedPath) temporary() rootedPath {
	return rootedPath{p.Root, filepath.Join(filepath.Dir(p.Name), ".ploke-"+rand.Text()+".tmp")}
}

// openRoots are the open workspace roots of a transaction, by path. Access through them never
// leaves a root, even if a symbolic link replaces a folder meanwhile.
type openRoots map[string]*os.Root

func (f openRoots) open(name string) (*os.Root, error) {
	if root := f[name]; root != nil {
		return root, nil
	}
	root, err := os.OpenRoot(name)
	if err == nil {
		f[name] = root
	}
	return root, err
}

func (f openRoots) close() {
	for _, root := range f {
		root.Close()
	}
}

// with calls fn with p's root and p's name.
func (f openRoots) with(p rootedPath, fn func(root *os.Root, name string) error) error {
	root, err := f.open(p.Root)
	if err != nil {
		return err
	}
	return fn(root, p.Name)
}

func (f openRoots) remove(p rootedPath) error {
	return f.with(p, func(r *os.Root, name string) error { return r.Remove(name) })
}

// link gives the file p the additional name to in the same folder. Unlike a rename, link fails
// if the name exists.
func (f openRoots) link(p, to rootedPath) error {
	return f.with(p, func(r *os.Root, name string) error { return r.Link(name, to.Name) })
}

// rename moves p to the name to in the same folder, and replaces a file of that name.
func (f openRoots) rename(p, to rootedPath) error {
	return f.with(p, func(r *os.Root, name string) error { return r.Rename(name, to.Name) })
}

// notRegular is returned by openRoots.hash for anything but a regular file. It differs from
// every hash.
const notRegular = "not a file"

// hash returns the hash of the file's bytes, or "" if there is no file.
func (f openRoots) hash(p rootedPath) (hash string, err error) {
	err = f.with(p, func(r *os.Root, name string) error {
		info, err := r.Lstat(name)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			hash = notRegular
			return nil
		}
		file, err := r.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		sum := sha256.New()
		_, err = io.Copy(sum, file)
		hash = hex.EncodeToString(sum.Sum(nil))
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return hash, err
}

// sync makes a file's bytes durable, or the names in a folder.
func (f openRoots) sync(p rootedPath) error {
	return f.with(p, func(r *os.Root, name string) error {
		file, err := r.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		return file.Sync()
	})
}

// logRecord describes what is done to one file on disk. It is complete and in the journal
// before any file is touched, so the change can be redone or undone from it.
type logRecord struct {
	Op          Op
	Path, To    rootedPath   // To is set for OpRename
	Old, New    string       // hashes of the file's bytes; "" for no file
	After       rootedPath   // temporary file with the new bytes, in the folder of the target
	Before      rootedPath   // temporary file with the old bytes, in the folder of Path
	CreatedDirs []rootedPath `json:"Made"` // folders that are created for the new file, outermost first
	File        int          // index in the plan's files

	planned *PlannedFile
}

// target is where the new bytes go.
func (s *logRecord) target() rootedPath {
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
	diskNew
	diskForeign // somebody else has changed the file
)

func (s *logRecord) state(f openRoots) (diskState, error) {
	path, err := f.hash(s.Path)
	if err != nil {
		return 0, err
	}
	if s.Op != OpRename {
		return s.stateOf(path), nil
	}
	to, err := f.hash(s.To)
	switch {
	case err != nil:
		return 0, err
	case path == s.Old && to == "":
		return diskOld, nil
	case path == s.Old && to == s.New:
		return diskBoth, nil
	case path == "" && to == s.New:
		return diskNew, nil
	}
	return diskForeign, nil
}

func (s *logRecord) stateOf(hash string) diskState {
	switch hash {
	case s.New:
		return diskNew
	case s.Old:
		return diskOld
	}
	return diskForeign
}

// redo does what is left to do of the record. from is the file's state.
func (s *logRecord) redo(f openRoots, from diskState) error {
	switch {
	case from == diskNew:
		return nil
	case s.Op == OpEdit:
		return f.rename(s.After, s.Path)
	case s.Op == OpCreate:
		return f.link(s.After, s.Path)
	case s.Op == OpDelete:
		return f.remove(s.Path)
	case from == diskOld:
		if err := f.link(s.After, s.To); err != nil {
			return err
		}
	}
	return f.remove(s.Path)
}

// undo takes back what was done of the record. from is the file's state.
func (s *logRecord) undo(f openRoots, from diskState) error {
	switch {
	case from == diskOld:
		return nil
	case s.Op == OpEdit:
		return f.rename(s.Before, s.Path)
	case s.Op == OpCreate:
		return f.remove(s.Path)
	case s.Op == OpDelete:
		return f.link(s.Before, s.Path)
	case from == diskNew:
		if err := f.link(s.Before, s.Path); err != nil {
			return err
		}
	}
	return f.remove(s.To)
}

// removeTemporary removes the temporary files, and the created folders that are empty.
func (s *logRecord) removeTemporary(f openRoots) error {
	var all error
	for _, p := range []rootedPath{s.After, s.Before} {
		if p == (rootedPath{}) {
			continue
		}
		if err := f.remove(p); !errors.Is(err, fs.ErrNotExist) {
			all = errors.Join(all, err)
		}
	}
	s.removeCreatedDirs(f)
	return all
}
