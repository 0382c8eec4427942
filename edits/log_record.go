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

// place is a file or folder by a root of the workspace and its path beneath it.
type rootedPath struct{ Root, Name string }

func (p rootedPath) dir() rootedPath { return rootedPath{p.Root, filepath.Dir(p.Name)} }

// beside returns a name of ours in the folder of p that nobody has.
func (p rootedPath) temporary() rootedPath {
	return rootedPath{p.Root, filepath.Join(filepath.Dir(p.Name), ".ploke-"+rand.Text()+".tmp")}
}

// folders are the open roots of a writing. Nothing outside of them is reached
// through it, even if a symbolic link takes the place of a folder meanwhile.
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

// do calls a method of p's root with p's name.
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

// link gives the file p the second name to, which nobody may have: unlike a
// rename it replaces nothing. Both are in one folder.
func (f openRoots) link(p, to rootedPath) error {
	return f.with(p, func(r *os.Root, name string) error { return r.Link(name, to.Name) })
}

// replace moves p to the name to, in the same folder.
func (f openRoots) rename(p, to rootedPath) error {
	return f.with(p, func(r *os.Root, name string) error { return r.Rename(name, to.Name) })
}

// otherwise is what read says of anything but a file: no hash is like it.
const notRegular = "not a file"

// read returns the hash of the file's bytes, "" where there is none.
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

// step is what is done to one file on disk. All of it is known, and in the
// journal, before anything is touched.
type logRecord struct {
	Op          Op
	Path, To    rootedPath   // To is set for OpRename
	Old, New    string       // hashes of the file's bytes; "" for no file
	After       rootedPath   // temporary: the new bytes, beside their place
	Before      rootedPath   // temporary: the old bytes, beside theirs
	CreatedDirs []rootedPath `json:"Made"` // folders that are made for the new file, the outermost first
	File        int          // its index in the plan

	planned *PlannedFile
}

// target is where the new bytes go.
func (s *logRecord) target() rootedPath {
	if s.Op == OpRename {
		return s.To
	}
	return s.Path
}

// progress is how far a step has come, as the disk tells.
type diskState int

const (
	diskOld  diskState = iota
	diskBoth           // the file has both its names
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

// forward does what is left to do of the step.
func (s *logRecord) redo(f openRoots, p diskState) error {
	switch {
	case p == diskNew:
		return nil
	case s.Op == OpEdit:
		return f.rename(s.After, s.Path)
	case s.Op == OpCreate:
		return f.link(s.After, s.Path)
	case s.Op == OpDelete:
		return f.remove(s.Path)
	case p == diskOld:
		if err := f.link(s.After, s.To); err != nil {
			return err
		}
	}
	return f.remove(s.Path)
}

// back takes back what was done of the step.
func (s *logRecord) undo(f openRoots, p diskState) error {
	switch {
	case p == diskOld:
		return nil
	case s.Op == OpEdit:
		return f.rename(s.Before, s.Path)
	case s.Op == OpCreate:
		return f.remove(s.Path)
	case s.Op == OpDelete:
		return f.link(s.Before, s.Path)
	case p == diskNew:
		if err := f.link(s.Before, s.Path); err != nil {
			return err
		}
	}
	return f.remove(s.To)
}

// cleanUp removes what was there for the writing alone; the folders made for
// a new file only go if nothing is in them.
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
