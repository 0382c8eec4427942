package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// opened is a file that the workspace serves: its buffer, or the open file.
type opened struct {
	path   string // canonical
	rel    string
	buffer *File
	file   *os.File // its owner closes it
	info   fs.FileInfo
}

// open finds what a name means now. Nearly all names are of files that no symbolic link
// leads to; only the others are worth a look at each part of their path.
func (w *Workspace) open(ctx context.Context, name string) (opened, error) {
	if err := ctx.Err(); err != nil {
		return opened{}, err
	}
	if o, ok := w.openDirect(name); ok {
		return o, nil
	}
	path, err := w.served(name)
	if err != nil {
		return opened{}, err
	}
	if f, ok := w.buffer(path); ok {
		return opened{path: path, buffer: f}, nil
	}
	rel := w.Rel(path)
	f, info, err := openRegular(path, rel, w.maxFileBytes.Load(), w.openConfined)
	return opened{path, rel, nil, f, info}, err
}

// openConfined opens a canonical path. A link that has taken a folder's place since it
// was resolved leads nowhere or, on systems that can't say so, not out of the root.
func (w *Workspace) openConfined(path string) (*os.File, error) {
	f, err := openDirect(path)
	if !errors.Is(err, errors.ErrUnsupported) {
		return f, err
	}
	r := w.rootOf(path)
	if r == nil {
		return nil, &OutsideError{Name: path, Path: path, Roots: w.Roots()}
	}
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.OpenFile(relTo(r.dir, path), os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// openDirect opens a file by an absolute path without symbolic links, if it is one to be
// served.
func (w *Workspace) openDirect(path string) (o opened, ok bool) {
	if !filepath.IsAbs(path) || filepath.Clean(path) != path || w.rootOf(path) == nil || w.skipResolved(path, false) != "" {
		return o, false
	}
	if f, open := w.buffer(path); open {
		return opened{path: path, buffer: f}, true
	}
	f, err := openDirect(path)
	if err != nil {
		return o, false
	}
	info, err := f.Stat()
	rel := w.Rel(path)
	if err != nil || checkRegular(rel, info, w.maxFileBytes.Load()) != nil {
		f.Close()
		return o, false
	}
	return opened{path: path, rel: rel, file: f, info: info}, true
}
