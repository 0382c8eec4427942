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
	"syscall"

	"ploke-lsp/internal/disk"
)

// rootedPath names a file or folder by a workspace root and the path below it.
type rootedPath struct{ Root, Name string }

func (p rootedPath) dir() rootedPath { return rootedPath{p.Root, filepath.Dir(p.Name)} }

func (p rootedPath) base() string { return filepath.Base(p.Name) }

// temporary returns the path of a new temporary file in the same folder.
func (p rootedPath) temporary() rootedPath {
	return rootedPath{p.Root, filepath.Join(filepath.Dir(p.Name), ".ploke-"+rand.Text()+".tmp")}
}

// openRoots are the open workspace roots of a transaction, by path. Access through them never
// leaves a root, even if a symbolic link replaces a folder meanwhile.
type openRoots map[string]*os.Root

func (f openRoots) root(name string) (*os.Root, error) {
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
	root, err := f.root(p.Root)
	if err != nil {
		return err
	}
	return fn(root, p.Name)
}

func (f openRoots) remove(p rootedPath) error {
	return f.with(p, func(r *os.Root, name string) error {
		return disk.Try(name, func() error { return r.Remove(name) })
	})
}

// hardLink is a variable so that tests can have a disk without hard links.
var hardLink = (*os.Root).Link

// link gives the file p the additional name to in the same folder. Unlike a rename, link fails
// if the name exists.
func (f openRoots) link(p, to rootedPath) error {
	return f.with(p, func(r *os.Root, name string) error { return hardLink(r, name, to.Name) })
}

// rename moves p to the name to in the same folder, and replaces a file of that name.
func (f openRoots) rename(p, to rootedPath) error {
	return f.with(p, func(r *os.Root, name string) error {
		return disk.Try(to.Name, func() error { return r.Rename(name, to.Name) })
	})
}

// checkFree returns an error if another program keeps the file p from being replaced or removed.
// A rename to the same name changes nothing, but fails then.
func (f openRoots) checkFree(p rootedPath) error { return f.rename(p, p) }

// errNotRegular says that something else than a regular file has the name, such as a link.
var errNotRegular = errors.New("it is not a regular file any more; look at it")

// open opens a regular file that has the name itself. It follows no link.
func (f openRoots) open(p rootedPath, flag int) (file *os.File, err error) {
	err = f.with(p, func(r *os.Root, name string) error {
		info, err := r.Lstat(name)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return errNotRegular
		}
		if file, err = r.OpenFile(name, flag|syscall.O_NONBLOCK, 0); err != nil {
			return err
		}
		if now, err := file.Stat(); err != nil || !os.SameFile(info, now) {
			file.Close()
			return errors.Join(err, errNotRegular)
		}
		return nil
	})
	return file, err
}

// notRegular is returned by openRoots.hash for anything but a regular file. It differs from
// every hash.
const notRegular = "not a file"

// linkHash is returned by openRoots.hash for a symbolic link. It differs from the hash of every
// file.
func linkHash(target string) string { return "link to " + hashOf([]byte(target)) }

// hash returns the hash of the file's bytes, or "" if there is no file.
func (f openRoots) hash(p rootedPath) (hash string, err error) {
	if p == (rootedPath{}) {
		return "", nil
	}
	file, err := f.open(p, os.O_RDONLY)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case errors.Is(err, errNotRegular):
		err = f.with(p, func(r *os.Root, name string) error {
			target, err := r.Readlink(name)
			hash = linkHash(target)
			return err
		})
		if err != nil {
			return notRegular, nil
		}
		return hash, nil
	case err != nil:
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// symlink makes a symbolic link.
func (f openRoots) symlink(p rootedPath, target string) error {
	return f.with(p, func(r *os.Root, name string) error { return r.Symlink(target, name) })
}

// sync makes a file's bytes durable, or the names in a folder.
func (f openRoots) sync(p rootedPath) error {
	return f.with(p, func(r *os.Root, name string) error {
		file, err := r.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		return disk.SyncFile(file)
	})
}
