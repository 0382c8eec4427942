package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Entry is a file as Walk finds it, without a look inside.
type Entry struct {
	Path    string
	Rel     string
	Size    int64 // bytes
	ModTime time.Time
	Skip    Skip // why it is left out; "" when it isn't
	Dir     bool // a folder: only List reports these, and Walk those it can't read
}

// Walk visits the files beneath root, a root folder, in the order of their
// names, a folder's files where its name stands. Ignored files and the data of
// version control are not visited; others that are left out are visited with
// the reason. Symbolic links are not followed, and what can't be read is
// visited as Unreadable. An error of visit, or of ctx, ends the walk and is
// returned. A folder that is a root of its own is left to its own walk.
func (w *Workspace) Walk(ctx context.Context, root string, visit func(Entry) error) error {
	r := w.rootOf(root)
	if r == nil || r.dir != root {
		return fmt.Errorf("%s is not a folder of the workspace", root)
	}
	return newWalker(w, r, visit).run(ctx)
}

// Skipped is the decision about one path by its name, the ignore rules of the
// folders it is in, and whether it is a symbolic link; its size, mode and
// content are not looked at. What is outside the roots is Ignored. The rules
// are those that the last Walk found.
func (w *Workspace) Skipped(path string) Skip {
	path = filepath.Clean(path)
	if real := w.canonical(path); real != path {
		if w.rootOf(path) != nil {
			return Symlink
		}
		path = real
	}
	info, err := os.Lstat(path)
	return w.skipResolved(path, err == nil && info.IsDir())
}

// skipResolved is Skipped for a path without symbolic links.
func (w *Workspace) skipResolved(path string, isDir bool) Skip {
	r := w.rootOf(path)
	switch {
	case r == nil:
		return Ignored
	case path == r.dir:
		return ""
	}
	return r.skipBeneath(path, isDir)
}

// skipBeneath decides about path after each of the folders around it.
func (r *root) skipBeneath(path string, isDir bool) Skip {
	parent := filepath.Dir(path)
	if parent != r.dir {
		if skip := r.skipBeneath(parent, true); skip != "" {
			return skip
		}
	}
	return r.rules.skip(r.rules.get(parent), path, isDir)
}

// List returns the files and folders beneath dir, down to depth levels (1: its
// own entries), in Walk's order, each folder before what it holds. Ignored
// ones are left out, others that are not served carry the reason.
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
		return nil, renamed(err, w.Rel(dir))
	}
	defer folder.Close()
	rules := r.rules.get(dir)
	for _, d := range entries {
		path := under(dir, d.Name())
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
