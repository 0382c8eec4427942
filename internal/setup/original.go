package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// maxBytes is the size above which a file is taken for something else than a configuration.
const maxBytes = 4 << 20

// original is a file as it was read.
type original struct {
	path string
	text []byte
	info fs.FileInfo // nil if there is no file
}

// read reads the file. It refuses one that must not be written.
func (f File) read() (original, error) {
	o := original{path: f.Path}
	err := errors.Join(f.checkLinks(), f.checkWorkspace())
	if err != nil {
		return o, err
	}
	o.info, err = os.Lstat(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		o.info = nil
		return o, nil
	case err != nil:
		return o, err
	case !o.info.Mode().IsRegular() || o.info.Size() > maxBytes:
		return o, fmt.Errorf("%s is not a file of settings", f.Path)
	case o.info.Mode().Perm()&0o200 == 0:
		return o, fmt.Errorf("%s is read-only", f.Path)
	}
	if o.text, err = os.ReadFile(f.Path); err != nil {
		return o, err
	}
	if !utf8.Valid(o.text) || bytes.IndexByte(o.text, 0) >= 0 {
		return o, fmt.Errorf("%s is not UTF-8 text", f.Path)
	}
	return o, nil
}

// copyInfix is in the name of each copy, between the file's name and the time.
const copyInfix = ".before-ploke-"

// copy puts a copy of the file beside it, and returns its path.
func (o original) copy(now time.Time) (string, error) {
	base := o.path + copyInfix + now.Format("20060102-150405")
	path := base
	for n := 2; ; n++ {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, o.info.Mode().Perm())
		if errors.Is(err, fs.ErrExist) && n < 100 {
			path = fmt.Sprintf("%s-%d", base, n)
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = file.Write(o.text)
		return path, errors.Join(err, file.Sync(), file.Close())
	}
}

// hasCopies reports whether there are copies of the file: then it was there before Write.
func (o original) hasCopies() bool {
	entries, err := os.ReadDir(filepath.Dir(o.path))
	return err != nil || slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), filepath.Base(o.path)+copyInfix)
	})
}

// replace gives the file another text, at once or not at all.
func (o original) replace(text []byte) error {
	folder := filepath.Dir(o.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	part, err := os.CreateTemp(folder, ".ploke-lsp-setup-") // only its owner can read it
	if err != nil {
		return err
	}
	_, err = part.Write(text)
	if o.info != nil {
		err = errors.Join(err, part.Chmod(o.info.Mode().Perm()), keepOwner(part, o.info))
	}
	err = errors.Join(err, part.Sync(), part.Close())
	if err == nil {
		err = o.unchanged()
	}
	if err == nil {
		err = os.Rename(part.Name(), o.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return syncFolder(folder)
}

// unchanged returns an error if the file is no longer as it was read.
func (o original) unchanged() error {
	text, err := os.ReadFile(o.path)
	if errors.Is(err, fs.ErrNotExist) && o.info == nil {
		return nil
	}
	if err == nil && (o.info == nil || !bytes.Equal(text, o.text)) {
		err = fmt.Errorf("%s was changed meanwhile; try again", o.path)
	}
	return err
}

// syncFolder makes the names in a folder last.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" { // where folders can't be opened for this
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
