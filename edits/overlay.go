package edits

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"

	"ploke-lsp/internal/workspace"
)

// overlay holds file states in memory that are laid over the disk: the workspace as a sequence
// of changes leaves it. A turn's view and every plan are read from an overlay.
type overlay struct {
	now   *currentFiles
	texts map[string][]byte // base texts by hash that may not be in the store
	files []*overlayFile
}

func (r *currentFiles) newOverlay() *overlay { return &overlay{now: r, texts: make(map[string][]byte)} }

type overlayFile struct {
	from    string          // current path; for a new file, its future path
	now     *workspace.File // current content; nil if the file does not exist
	path    string          // path after the changes; "" if the file is deleted or does not exist
	rename  *Hunk           // the hunk that renamed the file, if any
	hunks   []Hunk          // edits of now
	text    []byte          // now with the hunks applied
	charset string          // that the file had when one of the changes was made
	link    bool            // one of the changes is to a symbolic link
	applied []string        // ids of all hunks that were applied or found to be in effect already
}

// known returns the file of the overlay that has this path, else the one that had it before the changes, else nil.
func (s *overlay) known(path string) *overlayFile {
	i := slices.IndexFunc(s.files, func(f *overlayFile) bool { return s.same(f.path, path) })
	if i < 0 {
		i = slices.IndexFunc(s.files, func(f *overlayFile) bool { return s.same(f.from, path) })
	}
	if i < 0 {
		return nil
	}
	return s.files[i]
}

// at returns the file that has this path in the overlay, else the file that had it before the
// changes, else the file that the workspace has there.
func (s *overlay) at(ctx context.Context, path string) (*overlayFile, error) {
	if f := s.known(path); f != nil {
		return f, nil
	}
	now, err := s.now.readIfExists(ctx, path)
	if err != nil {
		return nil, err
	}
	f := &overlayFile{from: path, now: now}
	if now != nil {
		if s.same(now.Path, path) {
			f.from = now.Path // as the disk spells it
		}
		f.path, f.text = f.from, now.Text
	}
	s.files = append(s.files, f)
	return f, nil
}

// same reports whether two paths are spellings of one name; see [workspace.Workspace.SameName].
func (s *overlay) same(a, b string) bool { return s.now.ws.SameName(a, b) }

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

// unchanged reports whether the changes leave the file as it is.
func (f *overlayFile) unchanged() bool {
	if f.now == nil {
		return f.path == ""
	}
	return f.path == f.from && len(f.hunks) == 0
}

// dropNoOps drops the hunks that no longer change anything.
func (f *overlayFile) dropNoOps() {
	if f.now == nil || f.path == "" {
		return // creating or deleting a file is a change even without a change of text
	}
	f.hunks = slices.DeleteFunc(slices.Clone(f.hunks),
		func(h Hunk) bool { return string(f.now.Text[h.Edit.Start:h.Edit.End]) == h.Edit.New })
}

// file returns the content that path has in the overlay.
func (s *overlay) file(f *overlayFile, path string) (*workspace.File, error) {
	switch {
	case !s.same(f.path, path):
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	case f.unchanged():
		return f.now, nil
	}
	out := workspace.File{}
	if f.now != nil {
		out = *f.now
	}
	out.Path, out.Text, out.Hash = f.path, f.text, workspace.Hash(f.text)
	return &out, nil
}

// edit applies hunks, which are edits of f.text.
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
	h.Edit = Edit{End: len(f.base()), New: h.Edit.New} // the base is not empty if the file was deleted before
	f.path, f.hunks, f.text = path, []Hunk{h}, []byte(h.Edit.New)
}

func (f *overlayFile) remove(h Hunk) {
	h.Edit = Edit{End: len(f.base())}
	f.path, f.rename, f.hunks, f.text = "", nil, []Hunk{h}, nil
}

// moveTo gives the file another path.
func (f *overlayFile) moveTo(path string, h Hunk) {
	f.path, f.rename = path, &h
	if f.path == f.from {
		f.rename = nil
	}
}

// apply makes a change in the overlay. It returns the hunks as edits of the file's text before
// the change. With a *StaleError it returns the hunks that do not fit.
func (s *overlay) apply(ctx context.Context, c *Change) ([]Hunk, error) {
	f, err := s.at(ctx, c.Path)
	if err != nil {
		return nil, err
	}
	if there := s.same(f.path, c.Path); there == (c.Op == OpCreate) {
		return c.Hunks, s.now.existenceConflict(c.Path, !there)
	}
	if f.now != nil && f.now.Link != c.Link {
		return c.Hunks, s.now.stale(c.Path)
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
		f.applied, f.charset, f.link = append(f.applied, idsOf(c.Hunks)...), cmp.Or(f.charset, c.Charset), c.Link
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
	renaming := c.Hunks[:1:1]
	taken, err := s.taken(ctx, f, c.To)
	if err != nil {
		return nil, err
	}
	if taken {
		return renaming, s.now.existenceConflict(c.To, false)
	}
	hunks, err := s.applyEdits(ctx, f, c)
	if err != nil {
		return hunks, err
	}
	f.moveTo(c.To, renaming[0])
	return append(renaming, hunks...), nil
}

// taken reports whether another file than f has a path.
func (s *overlay) taken(ctx context.Context, f *overlayFile, path string) (bool, error) {
	other, err := s.at(ctx, path)
	if err != nil || other != f {
		return err == nil && s.same(other.path, path), err
	}
	// It is f in another spelling, unless the disk of this folder tells the two apart.
	there, err := s.now.readIfExists(ctx, path)
	return there != nil && there.Path == path && f.from != path, err
}

// applyOrFind is like apply, but accepts a change that is in effect already. Then it returns no
// hunks.
func (s *overlay) applyOrFind(ctx context.Context, c *Change) ([]Hunk, error) {
	if found, err := s.alreadyApplied(ctx, c); found || err != nil {
		return nil, err
	}
	return s.apply(ctx, c)
}

// alreadyApplied reports whether the overlay already has the result of the change. That happens
// if an application was interrupted before it was settled, or if a person made the same change
// by hand. Then the change counts as applied.
func (s *overlay) alreadyApplied(ctx context.Context, c *Change) (bool, error) {
	f, err := s.at(ctx, c.Path)
	if err != nil {
		return false, err
	}
	if c.Op == OpDelete || c.Op == OpRename {
		if s.same(f.path, c.Path) && f.path != c.To {
			return false, nil
		}
	}
	if target := c.target(); target != "" {
		if f, err = s.at(ctx, target); err != nil {
			return false, err
		}
		after, err := s.after(ctx, c)
		if err != nil || !s.same(f.path, target) || string(after) != string(f.text) {
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
	return s.now.proposals.text(ctx, hash)
}

// after returns the change's base text with its hunks applied.
func (s *overlay) after(ctx context.Context, c *Change) ([]byte, error) {
	base, err := s.text(ctx, c.BaseHash)
	if err != nil {
		return nil, err
	}
	after, err := Apply(base, editsOf(c.Hunks))
	if err != nil {
		return nil, fmt.Errorf("%s: the stored change is damaged: %w", s.now.ws.Rel(c.Path), err)
	}
	return after, nil
}

// rebaseHunks returns the text hunks of c as edits of text. With a *StaleError it returns the
// hunks that do not fit.
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
		stale := s.now.stale(c.Path)
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
