package edits

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"ploke-lsp/internal/workspace"
)

// scene is the workspace as changes leave it, made one after the other in
// memory. What the turn sees, and every plan, is read off one.
type overlay struct {
	m     *Manager
	texts map[string][]byte // by hash: those that changes are made against and the store may not have
	files []*overlayFile
}

func (m *Manager) newOverlay() *overlay { return &overlay{m: m, texts: make(map[string][]byte)} }

// sight is one file of a scene.
type overlayFile struct {
	from    string          // where it is; for a new file, where it will be
	now     *workspace.File // what it says; nil when it is not there
	path    string          // where the changes leave it; "" where there is none
	rename  *Hunk           // that moved it, if one did
	hunks   []Hunk          // that change its text: edits of now
	text    []byte          // now with the hunks
	applied []string        // ids of all hunks that were made, or found made already
}

// at returns the file that has this path in the scene, else the one that had
// it, else what the workspace has there.
func (s *overlay) at(ctx context.Context, path string) (*overlayFile, error) {
	for _, f := range s.files {
		if f.path == path {
			return f, nil
		}
	}
	for _, f := range s.files {
		if f.from == path {
			return f, nil
		}
	}
	now, err := s.m.readIfExists(ctx, path)
	if err != nil {
		return nil, err
	}
	f := &overlayFile{from: path, now: now}
	if now != nil {
		f.path, f.text = path, now.Text
	}
	s.files = append(s.files, f)
	return f, nil
}

// base returns the text that the hunks are edits of.
func (f *overlayFile) base() []byte {
	if f.now == nil {
		return nil
	}
	return f.now.Text
}

// op returns what the changes do to the file.
func (f *overlayFile) op() Op {
	switch {
	case f.path == "":
		return OpDelete
	case f.now == nil:
		return OpCreate
	case f.path != f.from:
		return OpRename
	}
	return OpEdit
}

// untouched reports whether the changes leave the file as it is.
func (f *overlayFile) unchanged() bool {
	if f.now == nil {
		return f.path == ""
	}
	return f.path == f.from && len(f.hunks) == 0
}

// dropIdle drops the hunks that have come to say what the file says already.
func (f *overlayFile) dropNoOps() {
	if f.now == nil || f.path == "" {
		return // to be there, or not to be, is a change by itself
	}
	f.hunks = slices.DeleteFunc(slices.Clone(f.hunks), func(h Hunk) bool { return string(f.now.Text[h.Edit.Start:h.Edit.End]) == h.Edit.New })
}

// file returns what path would say.
func (f *overlayFile) file(path string) (*workspace.File, error) {
	switch {
	case f.path != path:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	case f.unchanged():
		return f.now, nil
	}
	out := workspace.File{}
	if f.now != nil {
		out = *f.now
	}
	out.Path, out.Text, out.Hash = path, f.text, workspace.Hash(f.text)
	return &out, nil
}

// edit makes hunks, which are edits of f.text.
func (f *overlayFile) edit(hunks []Hunk) (err error) {
	if len(f.hunks) == 0 {
		f.hunks = hunks
	} else {
		f.hunks = compose(f.text, f.hunks, editsOf(hunks))
	}
	f.text, err = Apply(f.base(), editsOf(f.hunks))
	return err
}

// create puts the text of h at path, where no file is.
func (f *overlayFile) create(path string, h Hunk) {
	h.Edit = Edit{End: len(f.base()), New: h.Edit.New} // it may have been deleted before
	f.path, f.hunks, f.text = path, []Hunk{h}, []byte(h.Edit.New)
}

// remove deletes the file.
func (f *overlayFile) remove(h Hunk) {
	h.Edit = Edit{End: len(f.base())}
	f.path, f.rename, f.hunks, f.text = "", nil, []Hunk{h}, nil
}

// rename gives the file another path.
func (f *overlayFile) moveTo(path string, h Hunk) {
	f.path, f.rename = path, &h
	if f.path == f.from {
		f.rename = nil
	}
}

// make makes a change in the scene. It returns the hunks as edits of what the
// file said there before; with a *StaleError, those that don't fit.
func (s *overlay) apply(ctx context.Context, c *Change) ([]Hunk, error) {
	f, err := s.at(ctx, c.Path)
	if err != nil {
		return nil, err
	}
	if there := f.path == c.Path; there == (c.Op == OpCreate) {
		return c.Hunks, s.m.existenceConflict(c.Path, !there)
	}
	hunks := c.Hunks
	switch c.Op {
	case OpCreate:
		f.create(c.Path, hunks[0])
	case OpDelete:
		if hunks, err = s.rebaseHunks(ctx, c, f.text); err == nil {
			f.remove(hunks[0])
		}
	case OpRename:
		hunks, err = s.applyRename(ctx, f, c)
	default:
		hunks, err = s.applyEdits(ctx, f, c)
	}
	if err == nil {
		f.applied = append(f.applied, idsOf(c.Hunks)...)
	}
	return hunks, err
}

func (s *overlay) applyEdits(ctx context.Context, f *overlayFile, c *Change) ([]Hunk, error) {
	hunks, err := s.rebaseHunks(ctx, c, f.text)
	if err != nil || len(hunks) == 0 {
		return hunks, err
	}
	return hunks, f.edit(hunks)
}

func (s *overlay) applyRename(ctx context.Context, f *overlayFile, c *Change) ([]Hunk, error) {
	taken, err := s.at(ctx, c.To)
	if err != nil {
		return nil, err
	}
	renaming := c.Hunks[:1:1]
	if taken.path == c.To {
		return renaming, s.m.existenceConflict(c.To, false)
	}
	hunks, err := s.applyEdits(ctx, f, c)
	if err != nil {
		return hunks, err
	}
	f.moveTo(c.To, renaming[0])
	return append(renaming, hunks...), nil
}

// makeOrFind is make, but that a change whose outcome is there already counts
// as made, and has no hunks to return.
func (s *overlay) applyOrFind(ctx context.Context, c *Change) ([]Hunk, error) {
	if found, err := s.alreadyApplied(ctx, c); found || err != nil {
		return nil, err
	}
	return s.apply(ctx, c)
}

// found reports whether the scene has already what the change would make, as
// it does when an application was cut short before it was settled, or when
// somebody made the same change by hand. If so the change counts as made.
func (s *overlay) alreadyApplied(ctx context.Context, c *Change) (bool, error) {
	f, err := s.at(ctx, c.Path)
	if err != nil {
		return false, err
	}
	if c.Op == OpDelete || c.Op == OpRename {
		if f.path == c.Path {
			return false, nil
		}
	}
	if target := c.target(); target != "" {
		if f, err = s.at(ctx, target); err != nil {
			return false, err
		}
		after, err := s.after(ctx, c)
		if err != nil || f.path != target || string(after) != string(f.text) {
			return false, err
		}
	}
	f.applied = append(f.applied, idsOf(c.Hunks)...)
	return true, nil
}

// text returns the text with the given hash.
func (s *overlay) text(ctx context.Context, hash string) ([]byte, error) {
	if text, ok := s.texts[hash]; ok {
		return text, nil
	}
	return s.m.text(ctx, hash)
}

// after returns the text that the change makes of the text that it was made for.
func (s *overlay) after(ctx context.Context, c *Change) ([]byte, error) {
	base, err := s.text(ctx, c.BaseHash)
	if err != nil {
		return nil, err
	}
	after, err := Apply(base, editsOf(c.Hunks))
	if err != nil {
		return nil, fmt.Errorf("%s: the stored change is damaged: %w", s.m.ws.Rel(c.Path), err)
	}
	return after, nil
}

// carry returns the hunks of c that change text as edits of this one. With a
// *StaleError come those that don't fit.
func (s *overlay) rebaseHunks(ctx context.Context, c *Change, text []byte) ([]Hunk, error) {
	hunks := textual(c.Hunks)
	if workspace.Hash(text) == c.BaseHash || len(hunks) == 0 {
		return hunks, nil
	}
	base, err := s.text(ctx, c.BaseHash)
	if err != nil {
		return nil, err
	}
	moved, conflicts := rebase(base, text, editsOf(hunks))
	if len(conflicts) > 0 {
		var unfit []Hunk
		for _, x := range conflicts {
			unfit = append(unfit, hunks[x.index])
		}
		stale := s.m.stale(c.Path)
		stale.Line = conflicts[0].line
		return unfit, stale
	}
	return withEdits(text, hunks, moved), nil
}

// withEdits returns copies of hunks that make the given edits of base.
func withEdits(base []byte, hunks []Hunk, es []Edit) []Hunk {
	moved := make([]Hunk, len(hunks))
	for i, h := range hunks {
		h.Edit = es[i]
		moved[i] = h
	}
	setLines(base, moved)
	return moved
}

func (m *Manager) readIfExists(ctx context.Context, path string) (*workspace.File, error) {
	f, err := m.ws.Read(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}
