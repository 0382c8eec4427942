package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Copy is a tree that is a copy of some of a folder's files. Where Linux and the disk can, a copy
// shares its blocks with the file.
type Copy struct {
	layer  *layer
	folder string
	dir    string
	copied map[string]stamps
}

var _ Tree = (*Copy)(nil)

// stamps say whether a file or its copy has changed.
type stamps struct{ below, own stamp }

// stamp is what changes with a file's text. A program can keep the size and set the time of modification back, but not
// the time that the system itself keeps of changes.
type stamp struct {
	size, modified, changed int64 // bytes, and times as Unix nanoseconds
	mode                    fs.FileMode
}

func stampOf(info fs.FileInfo) stamp {
	return stamp{info.Size(), info.ModTime().UnixNano(), ChangedAt(info).UnixNano(), info.Mode()}
}

// NewCopy returns a tree of a folder in dir, a folder that is made. It has no files yet.
func NewCopy(folder, dir string) (*Copy, error) {
	l, err := newLayer(folder, dir)
	if err != nil {
		return nil, err
	}
	l.hide = func(string) error { return nil }
	return &Copy{layer: l, folder: folder, dir: dir, copied: map[string]stamps{}}, nil
}

// Dir returns the folder with the copy.
func (c *Copy) Dir() string { return c.dir }

// Refresh copies files, and copies those again that have changed in the folder since and that no
// command has changed. A file that was copied and is not among files, nor in the folder, goes. It
// fails with [ErrTooLarge] before it copies anything if the files have more than limit bytes.
func (c *Copy) Refresh(ctx context.Context, files []string, limit int64) error {
	infos, bytes := make(map[string]fs.FileInfo, len(files)), int64(0)
	for _, p := range files {
		info, err := c.layer.below.Lstat(p)
		if err != nil {
			continue // it has gone since it was listed
		}
		infos[p], bytes = info, bytes+info.Size()
	}
	if bytes > limit {
		return fmt.Errorf("the files of %s have %d MB, more than the %d MB that a copy may have: %w",
			c.folder, bytes>>20, limit>>20, ErrTooLarge)
	}
	for p := range c.copied {
		if _, ok := infos[p]; !ok && !c.changedOwn(p) {
			delete(c.copied, p)
			if err := c.layer.own.RemoveAll(p); err != nil {
				return err
			}
		}
	}
	for _, p := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if infos[p] == nil {
			continue
		}
		if err := c.refreshOne(p, infos[p]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return nil
}

// changedOwn reports whether a copy was changed, or laid over.
func (c *Copy) changedOwn(p string) bool {
	info, err := c.layer.own.Lstat(p)
	return err != nil || stampOf(info) != c.copied[p].own
}

func (c *Copy) refreshOne(p string, info fs.FileInfo) error {
	if _, isLaid := c.layer.laid[p]; isLaid {
		return nil
	}
	if was, ok := c.copied[p]; ok && (was.below == stampOf(info) || c.changedOwn(p)) {
		return nil
	}
	if err := c.layer.makeFolders(path.Dir(p)); err != nil {
		return err
	}
	if err := c.layer.own.RemoveAll(p); err != nil {
		return err
	}
	switch {
	case info.Mode().Type() == fs.ModeSymlink:
		target, err := c.layer.below.Readlink(p)
		if err != nil {
			return err
		}
		if err := c.layer.own.Symlink(target, p); err != nil {
			return err
		}
	case info.Mode().IsRegular():
		if err := c.copyRegular(p, info); err != nil {
			return err
		}
	default:
		return nil // a pipe, a socket or a device is not code
	}
	own, err := c.layer.own.Lstat(p)
	if err == nil {
		c.copied[p] = stamps{stampOf(info), stampOf(own)}
	}
	return err
}

func (c *Copy) copyRegular(p string, info fs.FileInfo) (err error) {
	from, err := openRegular(c.layer.below, p)
	if err != nil {
		return err
	}
	defer from.Close()
	if shareBlocks(from, c.layer.own, p) != nil {
		if err := copyText(from, c.layer.own, p); err != nil {
			return err
		}
	}
	return errors.Join(c.layer.own.Chmod(p, info.Mode().Perm()), c.layer.own.Chtimes(p, info.ModTime(), info.ModTime()))
}

// copyText writes the text of a file to a new one.
func copyText(from *os.File, own *os.Root, p string) error {
	to, err := own.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from) // Linux shares the blocks where the disk can
	return errors.Join(err, to.Close())
}

// Link puts links to folders of the folder in the copy, for commands that see the copy where it is. The next call of
// Refresh removes them.
func (c *Copy) Link(folders []string) error {
	for _, p := range folders {
		if err := c.layer.makeFolders(path.Dir(p)); err != nil {
			return err
		}
		if err := c.layer.own.RemoveAll(p); err != nil {
			return err
		}
		if err := c.layer.own.Symlink(filepath.Join(c.folder, filepath.FromSlash(p)), p); err != nil {
			return err
		}
		info, err := c.layer.own.Lstat(p)
		if err != nil {
			return err
		}
		c.copied[p] = stamps{own: stampOf(info)}
	}
	return nil
}

// Lay implements [Tree].
func (c *Copy) Lay(texts []Text) error { return c.layer.lay(texts) }

// Read implements [Tree].
func (c *Copy) Read(p string, limit int64) ([]byte, error) { return readRegular(c.layer.own, p, limit) }

// Remove implements [Tree].
func (c *Copy) Remove() error { return errors.Join(c.layer.close(), Remove(c.dir)) }

// Size implements [Tree]. It counts blocks that the copy shares with the folder, too.
func (c *Copy) Size() (bytes int64, err error) { return c.layer.size(fs.FileInfo.Size) }

// Changes implements [Tree].
func (c *Copy) Changes(skip func(folder string) bool) ([]Change, error) {
	var changes []Change
	err := fs.WalkDir(c.layer.own.FS(), ".", func(p string, entry fs.DirEntry, err error) error {
		info, err := infoOf(entry, err)
		switch {
		case info == nil || p == ".":
			return err
		case info.IsDir() && skip(p):
			return fs.SkipDir
		case info.IsDir():
			return nil
		}
		was, isCopy := c.copied[p]
		if isCopy && was.own == stampOf(info) {
			return nil
		}
		changed, err := c.layer.changed(p, info)
		switch {
		case changed:
			changes = append(changes, Change{Path: p, Mode: info.Mode(), Size: info.Size()})
		case isCopy && err == nil: // a command has touched it, and left the text as it was
			c.copied[p] = stamps{was.below, stampOf(info)}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	changes = append(changes, c.gone()...)
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes, nil
}

// gone returns the files that were copied or laid and are no longer there.
func (c *Copy) gone() (changes []Change) {
	had := make(map[string]bool, len(c.copied))
	for p := range c.copied {
		had[p] = true
	}
	for p, was := range c.layer.laid {
		had[p] = !was.gone
	}
	for p, was := range had {
		if info, err := c.layer.own.Lstat(p); was && (err != nil || info.IsDir()) {
			changes = append(changes, Change{Path: p})
		}
	}
	return changes
}

// infoOf returns what is known of an entry of a walk; nil without an error if it has gone meanwhile.
func infoOf(entry fs.DirEntry, err error) (fs.FileInfo, error) {
	if err == nil {
		info, infoErr := entry.Info()
		if infoErr == nil {
			return info, nil
		}
		err = infoErr
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return nil, err
}
