package workspace

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// openedFile is a file that the workspace serves: a buffer, or a file on disk.
type openedFile struct {
	path   string // canonical
	rel    string
	buffer *File
	file   diskFile // closed by the owner of the openedFile
	info   stat
}

// diskFile is an open file on disk.
type diskFile interface {
	io.Reader
	io.ReaderAt
	io.Closer
	stat() (stat, error)
}

// osFile is a diskFile of the standard library.
type osFile struct{ *os.File }

func (f osFile) stat() (stat, error) {
	info, err := f.Stat()
	if err != nil {
		return stat{}, err
	}
	return newStat(info), nil
}

// open opens the file that a name refers to. It first tries the name as a path without
// symbolic links, since most paths have none. Only if that fails does it resolve each part
// of the path.
func (w *Workspace) open(ctx context.Context, name string) (openedFile, error) {
	if err := ctx.Err(); err != nil {
		return openedFile{}, err
	}
	if o, ok := w.openDirect(name); ok {
		return o, nil
	}
	path, err := w.resolveServed(name)
	if err != nil {
		return openedFile{}, err
	}
	if f, err := w.buffer(path); f != nil || err != nil {
		return openedFile{path: path, buffer: f.at(path)}, err
	}
	rel := w.Rel(path)
	f, info, err := openRegular(path, rel, w.maxFileBytes.Load(), w.openConfined)
	return openedFile{path, rel, nil, f, info}, err
}

// openConfined opens a canonical path. If a symbolic link has replaced a folder since the
// path was resolved, it fails or, on systems that can't tell, it stays within the root.
func (w *Workspace) openConfined(path string) (diskFile, error) {
	f, err := openDirect(path)
	if !errors.Is(err, errors.ErrUnsupported) {
		return f, err
	}
	r := w.rootOf(path)
	if r == nil {
		return nil, &OutsideError{Name: path, Path: path, Roots: w.Roots()}
	}
	return openBelow(r.dir, relTo(r.dir, path))
}

// openBelow opens a file below a folder, which no link leads out of. It does not wait for the other end of a pipe.
func openBelow(dir, name string) (diskFile, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return osFile{file}, nil
}

// openAnywhere opens a file without waiting for the other end of a pipe.
func openAnywhere(path string) (diskFile, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return osFile{file}, nil
}

// openDirect opens a file by an absolute path without symbolic links. If the workspace
// does not serve the path, ok is false.
func (w *Workspace) openDirect(path string) (o openedFile, ok bool) {
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return o, false
	}
	// Where several names stand for one, the path has to be spelled first.
	if r := w.rootOf(path); r == nil || !r.names.exact() || w.skipResolved(path, false) != "" {
		return o, false
	}
	if f, err := w.buffer(path); f != nil || err != nil {
		return openedFile{path: path, buffer: f}, err == nil
	}
	f, err := openDirect(path)
	if err != nil {
		return o, false
	}
	info, err := f.stat()
	rel := w.Rel(path)
	if err != nil || checkRegular(rel, info, w.maxFileBytes.Load()) != nil {
		f.Close()
		return o, false
	}
	return openedFile{path: path, rel: rel, file: f, info: info}, true
}
