package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Entry is a file or folder that Walk or List found. Its content has not been read.
type Entry struct {
	Path    string
	Rel     string
	Size    int64 // bytes
	ModTime time.Time
	Skip    Skip // why it is skipped, or ""
	Dir     bool // a folder: reported by List, and by Walk if it can't be read
}

// Walk visits the files below root, which must be a root folder, sorted by name at each
// level. It does not visit ignored files and the data of version control. Other skipped
// files are visited with the reason. Symbolic links are not followed. A file or folder
// that can't be read is visited as Unreadable. A folder that is itself a root is left out.
// An error from visit, or from ctx, stops the walk and is returned.
func (w *Workspace) Walk(ctx context.Context, root string, visit func(Entry) error) error {
	r := w.rootOf(root)
	if r == nil || r.dir != root {
		return fmt.Errorf("%s is not a folder of the workspace", root)
	}
	w.learnNames(r)
	return newWalker(w, r, visit).run(ctx)
}

// Skipped returns the reason to skip a path, by its name, the ignore rules of the folders
// above it, and whether it is a symbolic link. It does not check the file's size, mode and
// content. A path outside the roots is Ignored. The rules are those that the last Walk
// read.
func (w *Workspace) Skipped(path string) Skip {
	path = filepath.Clean(path)
	if real := w.canonical(path); real != path {
		if w.rootOf(path) != nil && !w.SameName(path, real) {
			return Symlink
		}
		path = real
	}
	info, err := os.Lstat(path)
	return w.skipResolved(path, err == nil && info.IsDir())
}

// skipResolved is like Skipped, for a path without symbolic links.
func (f *folders) skipResolved(path string, isDir bool) Skip {
	r := f.rootOf(path)
	switch {
	case r == nil:
		return Ignored
	case path == r.dir:
		return ""
	}
	return r.skipBeneath(path, isDir)
}

// skipBeneath returns the reason to skip path, or one of the folders above it.
func (r *root) skipBeneath(path string, isDir bool) Skip {
	parent := filepath.Dir(path)
	if parent != r.dir {
		if skip := r.skipBeneath(parent, true); skip != "" {
			return skip
		}
	}
	return r.rules.skip(r.rules.get(parent), path, isDir)
}

// List returns the files and folders below dir, down to depth levels (1: only its own
// entries), in Walk's order. A folder precedes its content. Ignored entries are left out.
// Other skipped entries have the reason.
func (w *Workspace) List(ctx context.Context, dir string, depth int) ([]Entry, error) {
	dir, err := w.Resolve(dir)
	if err != nil {
		return nil, err
	}
	if skip := w.Skipped(dir); skip != "" {
		return nil, &SkippedError{Rel: w.Rel(dir), Skip: skip}
	}
	return w.list(ctx, w.rootOf(dir), dir, depth, nil)
}

func (w *Workspace) list(ctx context.Context, r *root, dir string, depth int, into []Entry) ([]Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	folder, entries, err := openFolder(dir)
	if err != nil {
		return nil, withPath(err, w.Rel(dir))
	}
	defer folder.Close()
	rules := r.rules.get(dir)
	for _, d := range entries {
		path := joinName(dir, d.Name())
		skip := r.rules.skip(rules, path, d.IsDir())
		if skip == Ignored {
			continue
		}
		e := w.entry(folder, d, path, w.Rel(path), skip)
		at := len(into)
		into = append(into, e)
		if !e.Dir || depth <= 1 {
			continue
		}
		below, err := w.list(ctx, r, path, depth-1, into)
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			into[at].Skip = Unreadable
			continue
		}
		into = below
	}
	return into, nil
}
