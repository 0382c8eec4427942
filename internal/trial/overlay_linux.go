package trial

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// Overlay is a tree that the kernel makes of a folder and a second one above it, where it is mounted.
//
// The kernel lets no one change the folder below while an overlay is mounted, or rather promises
// nothing then. A person does change it. So each command gets a mount of its own, and what changed
// below meanwhile is for the caller to find out.
type Overlay struct {
	layer  *layer
	folder string
	dir    string
	same   map[string]stamps // what commands have touched, and left as the folder had it
}

var _ Tree = (*Overlay)(nil)

// NewOverlay returns a tree of a folder, which keeps what it has of its own in dir, a folder that is made.
func NewOverlay(folder, dir string) (*Overlay, error) {
	o := &Overlay{folder: folder, dir: dir, same: map[string]stamps{}}
	if err := os.MkdirAll(o.Work(), 0o700); err != nil {
		return nil, err
	}
	l, err := newLayer(folder, o.Upper())
	if err != nil {
		return nil, errors.Join(err, Remove(dir))
	}
	l.hide = o.hide
	o.layer = l
	return o, nil
}

// Lower returns the folder below.
func (o *Overlay) Lower() string { return o.folder }

// Upper returns the folder with what is written.
func (o *Overlay) Upper() string { return filepath.Join(o.dir, "upper") }

// Work returns a folder that the kernel needs, on the same disk as Upper.
func (o *Overlay) Work() string { return filepath.Join(o.dir, "work") }

// Lay implements [Tree].
func (o *Overlay) Lay(texts []Text) error {
	for p, was := range o.same { // the kernel goes on showing the text that a command has touched
		below, err := o.layer.below.Lstat(p)
		if err == nil && stampOf(below) == was.below {
			continue
		}
		if own, err := o.layer.own.Lstat(p); err == nil && stampOf(own) == was.own {
			o.layer.laid[p] = laid{}
		}
		delete(o.same, p)
	}
	return o.layer.lay(texts)
}

// Read implements [Tree].
func (o *Overlay) Read(p string, limit int64) ([]byte, error) {
	return readRegular(o.layer.own, p, limit)
}

// Remove implements [Tree].
func (o *Overlay) Remove() error { return errors.Join(o.layer.close(), Remove(o.dir)) }

// hide makes a whiteout, the overlay's mark of a file that is gone.
func (o *Overlay) hide(p string) error {
	folder, err := o.layer.own.Open(path.Dir(p))
	if err != nil {
		return err
	}
	defer folder.Close()
	return unix.Mknodat(int(folder.Fd()), path.Base(p), unix.S_IFCHR, 0)
}

// Size implements [Tree].
func (o *Overlay) Size() (bytes int64, err error) {
	return o.layer.size(func(info fs.FileInfo) int64 { return info.Sys().(*syscall.Stat_t).Blocks * 512 })
}

// Changes implements [Tree].
func (o *Overlay) Changes(skip func(folder string) bool) ([]Change, error) {
	w := &overlayWalk{layer: o.layer, skip: skip, same: o.same}
	if err := fs.WalkDir(o.layer.own.FS(), ".", w.visit); err != nil {
		return nil, err
	}
	for p, was := range o.layer.laid {
		if _, err := o.layer.own.Lstat(p); err != nil && !was.gone {
			w.gone(p) // a text that only the tree had leaves no mark
		}
	}
	slices.SortFunc(w.changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return w.changes, nil
}

// overlayWalk collects the changes in the folder above.
type overlayWalk struct {
	layer   *layer
	skip    func(folder string) bool
	same    map[string]stamps
	changes []Change
}

func (w *overlayWalk) visit(p string, entry fs.DirEntry, err error) error {
	info, err := infoOf(entry, err)
	if info == nil || p == "." {
		return err
	}
	below, belowErr := w.layer.below.Lstat(p)
	isBelow := belowErr == nil
	switch {
	case info.IsDir() && w.skip(p):
		return fs.SkipDir
	case info.IsDir() && isBelow && !below.IsDir():
		w.gone(p)
	case info.IsDir() && isBelow && w.opaque(p):
		return w.goneFrom(p)
	case info.IsDir():
	case isWhiteout(info):
		return w.goneAll(p, below)
	default:
		if isBelow && below.IsDir() {
			if err := w.goneAll(p, below); err != nil {
				return err
			}
		}
		changed, err := w.layer.changed(p, info)
		if changed {
			w.changes = append(w.changes, Change{Path: p, Mode: info.Mode(), Size: info.Size()})
		} else if _, isLaid := w.layer.laid[p]; isBelow && !isLaid {
			w.same[p] = stamps{stampOf(below), stampOf(info)}
		}
		return err
	}
	return nil
}

func isWhiteout(info fs.FileInfo) bool {
	return info.Mode()&fs.ModeCharDevice != 0 && info.Sys().(*syscall.Stat_t).Rdev == 0
}

// opaque reports whether a folder hides the one below: a command has removed that and made another one.
func (w *overlayWalk) opaque(p string) bool {
	f, err := w.layer.own.Open(p)
	if err != nil {
		return false
	}
	defer f.Close()
	value := make([]byte, 8)
	n, err := unix.Fgetxattr(int(f.Fd()), "user.overlay.opaque", value)
	return err == nil && string(value[:n]) == "y"
}

// gone notes that a file is gone, unless it was laid so.
func (w *overlayWalk) gone(p string) {
	if !w.layer.laid[p].gone {
		w.changes = append(w.changes, Change{Path: p})
	}
}

// goneAll notes that what is below at p is gone: a file, or all files of a folder.
func (w *overlayWalk) goneAll(p string, below fs.FileInfo) error {
	if below == nil {
		return nil
	}
	if !below.IsDir() {
		w.gone(p)
		return nil
	}
	if w.skip(p) {
		return nil
	}
	return w.goneFrom(p)
}

// goneFrom notes which files of a folder below are not in the one above.
func (w *overlayWalk) goneFrom(folder string) error {
	return fs.WalkDir(w.layer.below.FS(), folder, func(p string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case entry.IsDir() && p != folder && w.skip(p):
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		if _, err := w.layer.own.Lstat(p); err != nil {
			w.gone(p)
		}
		return nil
	})
}
