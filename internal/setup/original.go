package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ploke-lsp/internal/disk"
)

// maxBytes is the size above which a file is taken for something else than a configuration.
const maxBytes = 4 << 20

// original is a file as it was read.
type original struct {
	path string
	mark []byte // the byte order mark before the text, if it has one
	text []byte
	info fs.FileInfo // nil if there is no file
}

// read reads the file. It refuses one that must not be written.
func (f Location) read() (original, error) {
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
	case o.info.Mode().IsRegular() && o.info.Mode().Perm()&0o200 == 0:
		return o, fmt.Errorf("%s is read-only", f.Path)
	}
	o.mark, o.text, err = readSettings(f.Path)
	return o, err
}

// readSettings reads a file of settings, and refuses what can't be one. UTF-16 has bytes that are
// 0, or a mark that no UTF-8 has.
func readSettings(path string) (mark, text []byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxBytes {
		return nil, nil, fmt.Errorf("%s is not a file of settings", path)
	}
	text, err = os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return nil, nil, fmt.Errorf("%s is not UTF-8 text; save it as UTF-8 first", path)
	}
	rest := bytes.TrimPrefix(text, bom)
	return text[:len(text)-len(rest)], rest, nil
}

// bytes returns the file with another text.
func (o original) bytes(text []byte) []byte { return slices.Concat(o.mark, text) }

// copyInfix is in the name of each copy, between the file's name and the time.
const copyInfix = ".before-ploke-"

// copy puts a copy next to the file, and returns its path.
func (o original) copy(now time.Time) (string, error) {
	base := o.path + copyInfix + now.Format("20060102-150405")
	path := base
	for n := 2; ; n++ {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) && n < 100 {
			path = fmt.Sprintf("%s-%d", base, n)
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = file.Write(o.bytes(o.text))
		return path, errors.Join(err, o.giveMode(file), file.Sync(), file.Close())
	}
}

// giveMode gives another file the mode and the owner of the original.
func (o original) giveMode(file *os.File) error {
	return errors.Join(keepOwner(file, o.info), file.Chmod(o.info.Mode().Perm()))
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
	_, err = part.Write(o.bytes(text))
	if o.info != nil {
		err = errors.Join(err, o.giveMode(part))
	}
	err = errors.Join(err, part.Sync(), part.Close())
	if err == nil {
		err = o.unchanged()
	}
	if err == nil {
		err = disk.Rename(part.Name(), o.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return disk.SyncFolder(folder)
}

// unchanged returns an error if the file is no longer as it was read.
func (o original) unchanged() error {
	text, err := os.ReadFile(o.path)
	if errors.Is(err, fs.ErrNotExist) && o.info == nil {
		return nil
	}
	if err == nil && (o.info == nil || !bytes.Equal(text, o.bytes(o.text))) {
		err = fmt.Errorf("%s was changed meanwhile; try again", o.path)
	}
	return err
}
