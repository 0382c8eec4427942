package trials

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/trial"
)

// dependencies are names of folders, ignored as a rule, with code of others. A command needs them and does not write in
// them; they are too large to be copied. Other ignored folders have what can be built again.
var dependencies = []string{
	"node_modules", ".venv", "venv", "vendor", "bower_components", "jspm_packages", ".yarn", ".pnpm-store", "deps", "Pods",
	"elm-stuff", ".bundle", "packages", "_opam",
}

// copy makes the tree a copy, which has no files yet.
func (t *tree) copy(folder string) (err error) {
	t.copied, err = trial.NewCopy(folder, filepath.Join(t.dir, "tree"))
	t.Tree = t.copied
	return err
}

// refresh copies what the folder has, if the tree is a copy: all files but those in folders that the command leaves
// out. Of these, dependencies are there, to be read.
func (t *tree) refresh(ctx context.Context, box sandbox.Sandbox, c Command, maxBytes int64) error {
	if t.copied == nil {
		return nil
	}
	files, bound, err := listing(c.Folder, c.Skip)
	if err != nil {
		return err
	}
	err = t.copied.Refresh(ctx, files, maxBytes)
	if errors.Is(err, trial.ErrTooLarge) {
		return &sandbox.LaunchError{Reason: err.Error() + " (trial.megabytes)"}
	}
	if err != nil {
		return err
	}
	dir := t.copied.Dir()
	if box.Protection().Mounts {
		t.mounts = []sandbox.Mount{{At: c.Folder, From: dir, Writable: true}}
	} else {
		t.mounts, err = []sandbox.Mount{{At: dir, From: dir, Writable: true}}, t.copied.Link(bound)
	}
	for _, p := range bound {
		folder := filepath.Join(c.Folder, filepath.FromSlash(p))
		t.mounts = append(t.mounts, sandbox.Mount{At: folder, From: folder})
	}
	return err
}

// listing returns the files of a folder that are copied, and the folders that are only read.
func listing(folder string, skip func(folder string) bool) (files, bound []string, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(p string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
			return nil // it has gone meanwhile, or a command could not read it, either
		case err != nil || p == ".":
			return err
		case !entry.IsDir():
			files = append(files, p)
			return nil
		case path.Base(p) == ".git", skip(p) && slices.Contains(dependencies, path.Base(p)):
			bound = append(bound, p)
			return fs.SkipDir
		case skip(p):
			return fs.SkipDir
		}
		return nil
	})
	return files, bound, err
}

// renamer writes what it gets with another name for a folder: a copy's files have those of the folder's for the reader.
type renamer struct {
	to       io.Writer
	old, new []byte
	kept     []byte // the end of what came, if it is a beginning of old
}

func (r *renamer) Write(p []byte) (int, error) {
	if bytes.Equal(r.old, r.new) {
		return r.to.Write(p)
	}
	text := bytes.ReplaceAll(append(r.kept, p...), r.old, r.new)
	n := len(text)
	for i := max(0, n-len(r.old)+1); i < n; i++ {
		if bytes.HasPrefix(r.old, text[i:]) {
			n = i
		}
	}
	r.kept = bytes.Clone(text[n:])
	return len(p), r.write(text[:n])
}

// end writes what is kept.
func (r *renamer) end() error { return r.write(r.kept) }

func (r *renamer) write(text []byte) (err error) {
	if len(text) > 0 {
		_, err = r.to.Write(text)
	}
	return err
}
