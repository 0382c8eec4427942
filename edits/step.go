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
type place struct{ Root, Name string }

func (p place) dir() place { return place{p.Root, filepath.Dir(p.Name)} }

// beside returns a name of ours in the folder of p that nobody has.
func (p place) beside() place {
	return place{p.Root, filepath.Join(filepath.Dir(p.Name), ".ploke-"+rand.Text()+".tmp")}
}

// folders are the open roots of a writing. Nothing outside of them is reached
// through it, even if a symbolic link takes the place of a folder meanwhile.
type folders map[string]*os.Root

func (f folders) open(name string) (*os.Root, error) {
	if root := f[name]; root != nil {
		return root, nil
	}
	root, err := os.OpenRoot(name)
	if err == nil {
		f[name] = root
	}
	return root, err
}

func (f folders) close() {
	for _, root := range f {
		root.Close()
	}
}

// do calls a method of p's root with p's name.
func (f folders) do(p place, fn func(root *os.Root, name string) error) error {
	root, err := f.open(p.Root)
	if err != nil {
		return err
	}
	return fn(root, p.Name)
}

func (f folders) remove(p place) error {
	return f.do(p, func(r *os.Root, name string) error { return r.Remove(name) })
}

// link gives the file p the second name to, which nobody may have: unlike a
// rename it replaces nothing. Both are in one folder.
func (f folders) link(p, to place) error {
	return f.do(p, func(r *os.Root, name string) error { return r.Link(name, to.Name) })
}

// replace moves p to the name to, in the same folder.
func (f folders) replace(p, to place) error {
	return f.do(p, func(r *os.Root, name string) error { return r.Rename(name, to.Name) })
}

// otherwise is what read says of anything but a file: no hash is like it.
const otherwise = "not a file"

// read returns the hash of the file's bytes, "" where there is none.
func (f folders) read(p place) (hash string, err error) {
	err = f.do(p, func(r *os.Root, name string) error {
		info, err := r.Lstat(name)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			hash = otherwise
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
func (f folders) sync(p place) error {
	return f.do(p, func(r *os.Root, name string) error {
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
type step struct {
	Op       Op
	Path, To place   // To is set for OpRename
	Old, New string  // hashes of the file's bytes; "" for no file
	After    place   // temporary: the new bytes, beside their place
	Before   place   // temporary: the old bytes, beside theirs
	Made     []place // folders that are made for the new file, the outermost first
	File     int     // its index in the plan

	file *PlannedFile
}

// target is where the new bytes go.
func (s *step) target() place {
	if s.Op == OpRename {
		return s.To
	}
	return s.Path
}

// progress is how far a step has come, as the disk tells.
type progress int

const (
	before  progress = iota
	between          // the file has both its names
	after
	elsewhere // somebody else has changed the file
)

func (s *step) progress(f folders) (progress, error) {
	path, err := f.read(s.Path)
	if err != nil {
		return 0, err
	}
	if s.Op != OpRename {
		return s.at(path), nil
	}
	to, err := f.read(s.To)
	switch {
	case err != nil:
		return 0, err
	case path == s.Old && to == "":
		return before, nil
	case path == s.Old && to == s.New:
		return between, nil
	case path == "" && to == s.New:
		return after, nil
	}
	return elsewhere, nil
}

func (s *step) at(hash string) progress {
	switch hash {
	case s.New:
		return after
	case s.Old:
		return before
	}
	return elsewhere
}

// forward does what is left to do of the step.
func (s *step) forward(f folders, p progress) error {
	switch {
	case p == after:
		return nil
	case s.Op == OpEdit:
		return f.replace(s.After, s.Path)
	case s.Op == OpCreate:
		return f.link(s.After, s.Path)
	case s.Op == OpDelete:
		return f.remove(s.Path)
	case p == before:
		if err := f.link(s.After, s.To); err != nil {
			return err
		}
	}
	return f.remove(s.Path)
}

// back takes back what was done of the step.
func (s *step) back(f folders, p progress) error {
	switch {
	case p == before:
		return nil
	case s.Op == OpEdit:
		return f.replace(s.Before, s.Path)
	case s.Op == OpCreate:
		return f.remove(s.Path)
	case s.Op == OpDelete:
		return f.link(s.Before, s.Path)
	case p == after:
		if err := f.link(s.Before, s.Path); err != nil {
			return err
		}
	}
	return f.remove(s.To)
}

// cleanUp removes what was there for the writing alone; the folders made for
// a new file only go if nothing is in them.
func (s *step) cleanUp(f folders) error {
	var all error
	for _, p := range []place{s.After, s.Before} {
		if p == (place{}) {
			continue
		}
		if err := f.remove(p); !errors.Is(err, fs.ErrNotExist) {
			all = errors.Join(all, err)
		}
	}
	s.removeFolders(f)
	return all
}
