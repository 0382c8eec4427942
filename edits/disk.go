package edits

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ploke-lsp/internal/workspace"
)

// WriteToDisk carries out a plan on the files themselves, where no editor does:
// all of them or none. Each file is written beside its place and moved there,
// with its mode and byte order mark kept, after a last look at all of them; one
// that has changed since the plan was made is a *StaleError. When a move fails
// those before it are taken back.
func (m *Manager) WriteToDisk(ctx context.Context, plan *Plan) (err error) {
	var writes []*write
	defer func() {
		for _, w := range writes {
			w.cleanUp()
		}
	}()
	for _, f := range plan.Files {
		w := &write{file: f, dir: filepath.Dir(f.Path)}
		writes = append(writes, w)
		if err := m.prepare(ctx, w); err != nil {
			return err
		}
	}
	for _, w := range writes {
		if _, err := m.unchanged(ctx, w.file); err != nil {
			return err
		}
	}
	for i, w := range writes {
		if err := w.commit(); err != nil {
			return takeBack(writes[:i], err)
		}
	}
	for _, w := range writes {
		w.done = true
		if err := syncDir(w.dir); err != nil {
			return fmt.Errorf("%s is written, but may not survive a power loss: %w", w.file.Path, err)
		}
	}
	return nil
}

// takeBack restores what was written before cause.
func takeBack(writes []*write, cause error) error {
	for _, w := range writes {
		if err := w.restore(); err != nil {
			cause = errors.Join(cause, fmt.Errorf("%s could not be restored: %w", w.file.Path, err))
		}
	}
	return cause
}

// write is the replacement of one file.
type write struct {
	file          PlannedFile
	dir           string
	after, before string   // temporary files: the new text, and the old one unless the file is new
	made          []string // folders made for it, the outermost first
	done          bool
}

// prepare does all that can fail for lack of space or permission.
func (m *Manager) prepare(ctx context.Context, w *write) error {
	now, err := m.unchanged(ctx, w.file)
	if err != nil {
		return err
	}
	if w.file.Op == OpCreate {
		if w.made, err = makeFolders(w.dir); err != nil {
			return err
		}
		w.after, err = writeTemp(w.dir, 0o600, w.file.After)
		return err
	}
	info, err := os.Stat(w.file.Path)
	if err != nil {
		return err
	}
	var mark []byte
	if now.BOM {
		mark = []byte(workspace.ByteOrderMark)
	}
	if w.after, err = writeTemp(w.dir, info.Mode().Perm(), mark, w.file.After); err != nil {
		return err
	}
	w.before, err = writeTemp(w.dir, info.Mode().Perm(), mark, w.file.Before)
	return err
}

// unchanged returns the file as it is on disk, nil for one that is to be
// created, if that is what the plan was made for.
func (m *Manager) unchanged(ctx context.Context, f PlannedFile) (*workspace.File, error) {
	now, err := m.readIfExists(ctx, f.Path)
	switch {
	case err != nil:
		return nil, err
	case now == nil && f.Op == OpCreate:
		return nil, nil
	case now == nil || f.Op == OpCreate:
		return nil, &StaleError{Path: f.Path}
	case now.Open:
		return nil, fmt.Errorf("%s is open in an editor; apply the change there", f.Path)
	case now.Hash != workspace.Hash(f.Before):
		return nil, &StaleError{Path: f.Path, Line: firstDifference(f.Before, now.Text)}
	}
	return now, nil
}

// commit puts the new text in place.
func (w *write) commit() error {
	if w.file.Op != OpCreate {
		return os.Rename(w.after, w.file.Path)
	}
	// The place is taken first, so that nothing is overwritten and the mode is
	// the one that the user's new files have.
	f, err := os.OpenFile(w.file.Path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	f.Close()
	if err == nil {
		err = os.Chmod(w.after, info.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(w.after, w.file.Path)
	}
	if err != nil {
		os.Remove(w.file.Path)
	}
	return err
}

// restore undoes commit.
func (w *write) restore() error {
	if w.file.Op == OpCreate {
		return os.Remove(w.file.Path)
	}
	return os.Rename(w.before, w.file.Path)
}

// cleanUp removes what must not stay: temporary files, and, unless the file was
// created, the folders made for it.
func (w *write) cleanUp() {
	os.Remove(w.after)
	os.Remove(w.before)
	for i := len(w.made) - 1; i >= 0 && !w.done; i-- {
		os.Remove(w.made[i])
	}
}

// makeFolders makes dir and the folders around it that do not exist, and
// returns those it made.
func makeFolders(dir string) (made []string, err error) {
	if _, err := os.Stat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if made, err = makeFolders(filepath.Dir(dir)); err != nil {
		return made, err
	}
	if err = os.Mkdir(dir, 0o777); err == nil {
		made = append(made, dir)
	} else if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return made, err
}

// writeTemp writes a file of its own in dir, durably.
func writeTemp(dir string, mode fs.FileMode, parts ...[]byte) (name string, err error) {
	f, err := os.CreateTemp(dir, ".ploke-*.tmp")
	if err != nil {
		return "", err
	}
	for _, part := range parts {
		if err == nil {
			_, err = f.Write(part)
		}
	}
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return f.Name(), errors.Join(err, f.Close())
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
