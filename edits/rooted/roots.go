// Package rooted reads and writes files below workspace roots, with their attributes.
//
// Its promises:
//
//   - A path is a root and a name below it. Nothing leaves the root, even if a symbolic link
//     replaces a folder meanwhile.
//   - Nothing follows a link that has the name of the file itself.
//   - [Roots.Link], [Roots.Symlink] and [Roots.Copy] never replace a file. Of a copy that fails
//     nothing stays. One that a crash has cut off can be told from a file of another program
//     ([Roots.IsTorn]).
//   - A file that gets attributes gets all of them, or an [*AttributeError] names the one that
//     it can't have. Until it has them, only its owner can read it.
//
// What is written when, so that a crash loses nothing, is decided in package edits.
package rooted

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"ploke-lsp/internal/disk"
)

// Path names a file or folder by a workspace root and the path below it.
type Path struct{ Root, Name string }

// Dir returns the folder of p.
func (p Path) Dir() Path { return Path{p.Root, filepath.Dir(p.Name)} }

func (p Path) base() string { return filepath.Base(p.Name) }

// Temporary returns the path of a new temporary file in the same folder.
func (p Path) Temporary() Path {
	return Path{p.Root, filepath.Join(filepath.Dir(p.Name), ".ploke-"+rand.Text()+".tmp")}
}

// Roots are the open workspace roots of a transaction, by path. Access through them never
// leaves a root, even if a symbolic link replaces a folder meanwhile.
type Roots map[string]*os.Root

func (f Roots) root(name string) (*os.Root, error) {
	if root := f[name]; root != nil {
		return root, nil
	}
	root, err := os.OpenRoot(name)
	if err == nil {
		f[name] = root
	}
	return root, err
}

// Close closes the roots.
func (f Roots) Close() {
	for _, root := range f {
		root.Close()
	}
}

// With calls fn with p's root and p's name.
func (f Roots) With(p Path, fn func(root *os.Root, name string) error) error {
	root, err := f.root(p.Root)
	if err != nil {
		return err
	}
	return fn(root, p.Name)
}

// Remove removes a file, a link or an empty folder.
func (f Roots) Remove(p Path) error {
	return f.With(p, func(r *os.Root, name string) error {
		return disk.Try(name, func() error { return r.Remove(name) })
	})
}

// HardLink is a variable so that tests can have a disk without hard links.
var HardLink = (*os.Root).Link

// Link gives the file p the additional name to in the same folder. Unlike a rename, it fails
// if the name exists.
func (f Roots) Link(p, to Path) error {
	return f.With(p, func(r *os.Root, name string) error { return HardLink(r, name, to.Name) })
}

// Rename moves p to the name to in the same folder, and replaces a file of that name.
func (f Roots) Rename(p, to Path) error {
	return f.With(p, func(r *os.Root, name string) error {
		return disk.Try(to.Name, func() error { return r.Rename(name, to.Name) })
	})
}

// CheckFree returns an error if another program keeps the file p from being replaced or removed.
// A rename to the same name changes nothing, but fails then.
func (f Roots) CheckFree(p Path) error { return f.Rename(p, p) }

// ErrNotRegular says that something else than a regular file has the name, such as a link.
var ErrNotRegular = errors.New("it is not a regular file any more; look at it")

// Open opens a regular file that has the name itself. It follows no link.
func (f Roots) Open(p Path, flag int) (file *os.File, err error) {
	err = f.With(p, func(r *os.Root, name string) error {
		info, err := r.Lstat(name)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return ErrNotRegular
		}
		if file, err = r.OpenFile(name, flag|syscall.O_NONBLOCK, 0); err != nil {
			return err
		}
		if now, err := file.Stat(); err != nil || !os.SameFile(info, now) {
			file.Close()
			return errors.Join(err, ErrNotRegular)
		}
		return nil
	})
	return file, err
}

// notRegular is returned by [Roots.Hash] for anything but a regular file. It differs from
// every hash.
const notRegular = "not a file"

// LinkHash is what [Roots.Hash] returns for a symbolic link. It differs from the hash of every
// file.
func LinkHash(target string) string { return "link to " + HashOf([]byte(target)) }

// Hash returns the hash of the file's bytes, "" if there is no file, or what [LinkHash] returns for a link.
func (f Roots) Hash(p Path) (hash string, err error) {
	if p == (Path{}) {
		return "", nil
	}
	file, err := f.Open(p, os.O_RDONLY)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case errors.Is(err, ErrNotRegular):
		return f.irregularHash(p), nil
	case err != nil:
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// irregularHash is what Hash returns for a link, and for what is neither a link nor a regular file.
func (f Roots) irregularHash(p Path) (hash string) {
	err := f.With(p, func(r *os.Root, name string) error {
		target, err := r.Readlink(name)
		hash = LinkHash(target)
		return err
	})
	if err != nil {
		return notRegular
	}
	return hash
}

// Symlink makes a symbolic link.
func (f Roots) Symlink(p Path, target string) error {
	return f.With(p, func(r *os.Root, name string) error { return r.Symlink(target, name) })
}

// Sync makes a file's bytes durable, or the names in a folder.
func (f Roots) Sync(p Path) error {
	return f.With(p, func(r *os.Root, name string) error {
		file, err := r.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		return disk.SyncFile(file)
	})
}

// Copy copies a file or link, with its attributes, to a name that must be free. Of a copy that
// fails it leaves nothing.
func (f Roots) Copy(p, to Path) error {
	from, err := f.Open(p, os.O_RDONLY)
	if errors.Is(err, ErrNotRegular) {
		return f.With(p, func(r *os.Root, name string) error {
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
	a, err := AttributesOf(from)
	if err != nil {
		return err
	}
	return f.With(to, func(r *os.Root, name string) error {
		file, err := r.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		if err = a.Set(file); err == nil { // before the bytes, since a file with all bytes counts as complete
			_, err = io.Copy(file, from)
		}
		if err == nil {
			err = errors.Join(a.Set(file), file.Sync()) // writing may have cleared bits of the mode
		}
		if err = errors.Join(err, file.Close()); err != nil {
			err = errors.Join(err, f.Remove(to))
		}
		return err
	})
}

// OneOf returns which of two names in one folder the folder has; none if it has neither or both.
func (f Roots) OneOf(a, b Path) (has Path, err error) {
	err = f.With(a.Dir(), func(r *os.Root, name string) error {
		dir, err := r.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may be a pipe by now
		if err != nil {
			return err
		}
		defer dir.Close()
		names, err := dir.Readdirnames(-1)
		hasA, hasB := slices.Contains(names, a.base()), slices.Contains(names, b.base())
		switch {
		case hasA && !hasB:
			has = a
		case hasB && !hasA:
			has = b
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return has, err
}

// RemoveDir removes an empty folder. It fails for anything else of that name.
func (f Roots) RemoveDir(p Path) error {
	return f.With(p, func(r *os.Root, name string) error {
		info, err := r.Lstat(name)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fs.ErrExist
		}
		return r.Remove(name)
	})
}

// HashOf returns the hash that [Roots.Hash] returns for a file with these bytes: SHA-256 in hexadecimal.
func HashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
