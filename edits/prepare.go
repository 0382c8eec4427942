package edits

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ploke-lsp/internal/workspace"
)

// writing is the application of a plan to the disk.
type writing struct {
	id      string // of its row in the journal
	plan    *Plan
	steps   []*step
	folders folders
}

// newWriting says what has to be done, after a look at all of the files.
func (m *Manager) newWriting(ctx context.Context, plan *Plan) (*writing, error) {
	w := &writing{id: newID(), plan: plan, folders: folders{}}
	for i := range plan.Files {
		f := &plan.Files[i]
		if f.Done {
			continue
		}
		s, err := m.newStep(ctx, f)
		if err == nil {
			err = s.missingFolders(w)
		}
		if err != nil {
			w.folders.close()
			return nil, err
		}
		s.File = i
		if s.Op != OpEdit || s.Old != s.New {
			w.steps = append(w.steps, s)
		}
	}
	return w, nil
}

func (m *Manager) newStep(ctx context.Context, f *PlannedFile) (*step, error) {
	now, err := m.unchanged(ctx, f)
	if err != nil {
		return nil, err
	}
	bom := f.BOM && f.Op == OpCreate || now != nil && now.BOM
	s, err := m.stepOf(f)
	if err != nil {
		return nil, err
	}
	if f.Op != OpCreate {
		s.Old, s.Before = hashOf(bytesOf(bom, f.Before)), s.Path.beside()
	}
	if f.Op != OpDelete {
		s.New, s.After = hashOf(bytesOf(bom, f.After)), s.target().beside()
	}
	return s, nil
}

// stepOf is what is done to f, without what it needs the file's bytes for.
func (m *Manager) stepOf(f *PlannedFile) (s *step, err error) {
	s = &step{Op: f.Op, file: f}
	if s.Path, err = m.place(f.Path); err == nil && f.Op == OpRename {
		s.To, err = m.place(f.To)
	}
	return s, err
}

// bytesOf returns the text as it is on disk.
func bytesOf(bom bool, text []byte) []byte {
	if bom {
		return slices.Concat([]byte(workspace.ByteOrderMark), text)
	}
	return text
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (m *Manager) place(path string) (place, error) {
	root, ok := m.ws.RootOf(path)
	if !ok {
		return place{}, &workspace.OutsideError{Name: path, Path: path, Roots: m.ws.Roots()}
	}
	name, err := filepath.Rel(root, path)
	return place{root, name}, err
}

// unchanged returns the file as it is on disk, nil where there is none, if that
// is what the plan was made for.
func (m *Manager) unchanged(ctx context.Context, f *PlannedFile) (*workspace.File, error) {
	now, err := m.readIfExists(ctx, f.Path)
	if err != nil {
		return nil, err
	}
	if f.Op == OpRename {
		taken, err := m.readIfExists(ctx, f.To)
		if err != nil {
			return nil, err
		}
		if taken != nil {
			return nil, m.missing(f.To, false)
		}
	}
	switch {
	case now == nil && f.Op == OpCreate:
		return nil, nil
	case now == nil || f.Op == OpCreate:
		return nil, m.missing(f.Path, now == nil)
	case now.Open:
		return nil, fmt.Errorf("%s is open in an editor; apply the change there", m.ws.Rel(f.Path))
	case now.Hash != workspace.Hash(f.Before):
		stale := m.stale(f.Path)
		stale.Line = firstDifference(f.Before, now.Text)
		return nil, stale
	}
	return now, nil
}

// prepare does all that can fail for lack of space or permission. All is
// written before the first wait for the disk, which then is the only long one.
func (w *writing) prepare() error {
	for _, s := range w.steps {
		if err := w.prepareStep(s); err != nil {
			return err
		}
	}
	for _, s := range w.steps {
		for _, p := range []place{s.After, s.Before} {
			if p == (place{}) {
				continue
			}
			if err := w.folders.sync(p); err != nil {
				return err
			}
		}
	}
	return w.sync()
}

func (w *writing) prepareStep(s *step) error {
	if err := w.makeFolders(s); err != nil {
		return err
	}
	mode, err := w.mode(s)
	if err == nil && s.Old != "" {
		err = w.write(s.Before, s.Old, s.file.Before, mode)
	}
	if err == nil && s.New != "" {
		err = w.write(s.After, s.New, s.file.After, mode)
	}
	return err
}

// mode returns the permissions that the step's files have or get; nil for those
// of any new file.
func (w *writing) mode(s *step) (mode *fs.FileMode, err error) {
	mode = s.file.Mode
	err = w.folders.do(s.Path, func(r *os.Root, name string) error {
		info, err := r.Lstat(name)
		if err == nil {
			perm := info.Mode().Perm()
			mode = &perm
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return mode, err
}

// have writes a temporary file again if somebody has tidied it away meanwhile.
func (w *writing) have(s *step, p place, hash string, text []byte) error {
	if p == (place{}) {
		return nil
	}
	now, err := w.folders.read(p)
	if err != nil || now == hash {
		return err
	}
	mode, err := w.mode(s)
	if err != nil {
		return err
	}
	if err := w.folders.remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := w.write(p, hash, text, mode); err != nil {
		return err
	}
	return w.folders.sync(p)
}

// write writes a temporary file, with the mode of any new file if none is given.
func (w *writing) write(p place, hash string, text []byte, mode *fs.FileMode) error {
	return w.folders.do(p, func(r *os.Root, name string) error {
		f, err := r.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if err != nil {
			return err
		}
		_, err = f.Write(bytesOf(hashOf(text) != hash, text))
		if err == nil && mode != nil {
			err = f.Chmod(*mode)
		}
		return errors.Join(err, f.Close())
	})
}
