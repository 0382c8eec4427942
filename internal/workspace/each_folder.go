package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// EachFolder calls enter with root, which must be a root folder, and with each folder below
// it that Walk visits, before it reads the folder. It stops with the error of enter. It reads the ignore
// rules again, as Walk does. A folder that can't be read has no folders in it.
func (w *Workspace) EachFolder(ctx context.Context, root string, enter func(dir string) error) error {
	r := w.rootOf(root)
	if r == nil || r.dir != root {
		return fmt.Errorf("%s is not a folder of the workspace", root)
	}
	others := slices.DeleteFunc(slices.Clone(w.Roots()), func(other string) bool { return other == root })
	return w.eachFolder(ctx, r, root, others, enter)
}

func (w *Workspace) eachFolder(ctx context.Context, r *root, dir string, others []string,
	enter func(dir string) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := enter(dir); err != nil {
		return err
	}
	opened, entries, err := openFolder(dir)
	if err != nil {
		if dir == r.dir && errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	opened.Close()
	var outer *rules
	if dir != r.dir {
		outer = r.rules.get(filepath.Dir(dir))
	}
	rules := r.rules.load(dir, outer, anyName)
	for _, e := range entries {
		path := joinName(dir, e.Name())
		if !e.IsDir() || slices.Contains(others, path) || r.rules.skip(rules, path, true) != "" {
			continue
		}
		if err := w.eachFolder(ctx, r, path, others, enter); err != nil {
			return err
		}
	}
	return nil
}

// IsIgnoreFile reports whether a file of this name holds ignore rules.
func IsIgnoreFile(name string) bool { return slices.Contains(ignoreFiles[:], name) }
