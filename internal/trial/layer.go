package trial

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"time"
)

// layer is a folder on disk that holds what a tree has of its own.
type layer struct {
	below *os.Root // the folder; only read
	own   *os.Root
	laid  map[string]laid
	hide  func(path string) error // makes the tree have no such file, although the folder has it
}

// laid is what was laid at a path.
type laid struct {
	sum  [sha256.Size]byte
	gone bool
}

// newLayer returns a layer in dir, which is made.
func newLayer(folder, dir string) (*layer, error) {
	below, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, errors.Join(err, below.Close())
	}
	own, err := os.OpenRoot(dir)
	if err != nil {
		return nil, errors.Join(err, below.Close())
	}
	return &layer{below: below, own: own, laid: map[string]laid{}}, nil
}

func (l *layer) close() error { return errors.Join(l.below.Close(), l.own.Close()) }

// size adds up the sizes of what was written.
func (l *layer) size(sizeOf func(fs.FileInfo) int64) (bytes int64, err error) {
	err = fs.WalkDir(l.own.FS(), ".", func(_ string, entry fs.DirEntry, err error) error {
		info, infoErr := infoOf(entry, err)
		if info != nil {
			bytes += sizeOf(info)
		}
		return infoErr
	})
	return bytes, err
}

// original returns what the folder has at a path.
func (l *layer) original(p string) (Text, error) {
	data, err := readRegular(l.below, p, maxText)
	if errors.Is(err, fs.ErrNotExist) {
		return Text{Path: p, Gone: true}, nil
	}
	return Text{Path: p, Data: data}, err
}

// lay lays texts, and what the folder has at the paths that were laid before and are not named now.
// These get a new time of modification, too: a build that has seen the other text must see that it
// is another one again.
func (l *layer) lay(texts []Text) error {
	want := map[string]Text{}
	for _, p := range slices.Collect(maps.Keys(l.laid)) {
		t, err := l.original(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		want[p] = t
	}
	for _, t := range texts {
		if !fs.ValidPath(t.Path) || t.Path == "." {
			return fmt.Errorf("%q is not a path in the tree", t.Path)
		}
		want[t.Path] = t
	}
	for _, p := range slices.Sorted(maps.Keys(want)) {
		if err := l.layOne(want[p]); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return nil
}

// maxText is how many bytes a text may have.
const maxText = 64 << 20

func (l *layer) layOne(t Text) error {
	if t.Gone {
		return l.layGone(t.Path)
	}
	now := laid{sum: sha256.Sum256(t.Data)}
	if has, err := readRegular(l.own, t.Path, maxText); err == nil && bytes.Equal(has, t.Data) {
		l.laid[t.Path] = now
		return nil
	}
	if err := l.makeFolders(path.Dir(t.Path)); err != nil {
		return err
	}
	if err := l.own.RemoveAll(t.Path); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info, err := l.below.Lstat(t.Path); err == nil && info.Mode().IsRegular() {
		mode = info.Mode().Perm()
	}
	if err := l.own.WriteFile(t.Path, t.Data, mode|0o200); err != nil {
		return err
	}
	l.laid[t.Path] = now
	// The kernel's own times go by ticks: what a build has made in this one would not be older.
	modified := time.Now()
	return errors.Join(l.own.Chmod(t.Path, mode), l.own.Chtimes(t.Path, modified, modified))
}

func (l *layer) layGone(p string) error {
	l.laid[p] = laid{gone: true}
	if parent := path.Dir(p); !l.isFolder(parent) {
		if info, err := l.below.Lstat(p); err != nil || info == nil {
			return nil // neither has it
		}
		if err := l.makeFolders(parent); err != nil {
			return err
		}
	}
	if err := l.own.RemoveAll(p); err != nil {
		return err
	}
	if _, err := l.below.Lstat(p); err != nil {
		return nil
	}
	return l.hide(p)
}

func (l *layer) isFolder(p string) bool {
	info, err := l.own.Lstat(p)
	return err == nil && info.IsDir()
}

// makeFolders makes the folder p and those above it, with the permissions that they have below.
// What a command has put in their place goes.
func (l *layer) makeFolders(p string) error {
	if p == "." || l.isFolder(p) {
		return nil
	}
	if err := l.makeFolders(path.Dir(p)); err != nil {
		return err
	}
	if err := l.own.RemoveAll(p); err != nil {
		return err
	}
	mode := fs.FileMode(0o755)
	if info, err := l.below.Lstat(p); err == nil && info.IsDir() {
		mode = info.Mode().Perm()
	}
	if err := l.own.Mkdir(p, mode|0o700); err != nil {
		return err
	}
	return l.own.Chmod(p, mode|0o700)
}

// changed reports whether the layer's own file at p is another one than was laid, or than the folder has.
func (l *layer) changed(p string, info fs.FileInfo) (bool, error) {
	was, isLaid := l.laid[p]
	if isLaid && was.gone {
		return true, nil
	}
	if !info.Mode().IsRegular() {
		return !l.sameLink(p, info), nil
	}
	if !isLaid {
		below, err := l.below.Lstat(p)
		if err != nil || !below.Mode().IsRegular() || below.Size() != info.Size() ||
			below.Mode().Perm()&0o111 != info.Mode().Perm()&0o111 {
			return true, nil
		}
		same, err := sameBytes(l.below, l.own, p)
		return !same, err
	}
	if info.Size() > maxText {
		return true, nil
	}
	data, err := readRegular(l.own, p, maxText)
	return err == nil && sha256.Sum256(data) != was.sum, err
}

// sameLink reports whether p is a link to the same name as the one below.
func (l *layer) sameLink(p string, info fs.FileInfo) bool {
	if info.Mode().Type() != fs.ModeSymlink {
		return false
	}
	own, err := l.own.Readlink(p)
	below, belowErr := l.below.Readlink(p)
	return err == nil && belowErr == nil && own == below
}

// sameBytes reports whether a file reads the same in both.
func sameBytes(a, b *os.Root, p string) (bool, error) {
	first, err := openRegular(a, p)
	if err != nil {
		return false, err
	}
	defer first.Close()
	second, err := openRegular(b, p)
	if err != nil {
		return false, err
	}
	defer second.Close()
	const piece = 64 << 10
	one, other := make([]byte, piece), make([]byte, piece)
	for {
		n, err := io.ReadFull(first, one)
		m, otherErr := io.ReadFull(second, other)
		if !bytes.Equal(one[:n], other[:m]) {
			return false, nil
		}
		if atEnd(err) || atEnd(otherErr) {
			return atEnd(err) && atEnd(otherErr), nil
		}
		if err := errors.Join(err, otherErr); err != nil {
			return false, err
		}
	}
}

func atEnd(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// readRegular reads a regular file of at most limit bytes.
func readRegular(root *os.Root, p string, limit int64) ([]byte, error) {
	f, err := openRegular(root, p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = ErrTooLarge
	}
	return data, err
}

// openRegular opens a file. It neither follows a link nor waits for a pipe.
func openRegular(root *os.Root, p string) (*os.File, error) {
	info, err := root.Lstat(p)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: p, Err: errNotRegular}
	}
	f, err := root.OpenFile(p, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(&fs.PathError{Op: "open", Path: p, Err: errNotRegular}, err, f.Close())
	}
	return f, nil
}

var errNotRegular = errors.New("it is not a regular file")

// Remove removes a folder with all that is in it, also where commands have taken away the permission to do so.
func Remove(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil || !errors.Is(err, fs.ErrPermission) {
		return err
	}
	root, rootErr := os.OpenRoot(dir)
	if rootErr != nil {
		return errors.Join(err, rootErr)
	}
	allow(root, ".")
	return errors.Join(os.RemoveAll(dir), root.Close())
}

// allow lets the user list and change a folder and those in it.
func allow(root *os.Root, folder string) {
	_ = root.Chmod(folder, 0o700) // what can't be allowed shows in what can't be removed
	f, err := root.Open(folder)
	if err != nil {
		return
	}
	entries, _ := f.ReadDir(-1)
	f.Close()
	for _, e := range entries {
		if e.IsDir() {
			allow(root, path.Join(folder, e.Name()))
		}
	}
}
