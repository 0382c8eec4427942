package edits

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"ploke-lsp/internal/workspace"
)

// observation is what the workspace shows of a planned file.
type observation struct {
	there     []string // ids of the hunks that are in the file
	all       bool     // every hunk is in the file
	unchanged bool     // the file reads as before the plan
	open      bool     // an editor has the file open, so its text is what the editor shows
}

// observe compares the file with its plan. Changes elsewhere in the file do not matter. Of a file
// that can't be read, it observes nothing.
func (r *currentFiles) observe(ctx context.Context, f PlannedFile) (s observation) {
	before, err := r.readIfExists(ctx, f.Path)
	if err != nil {
		return s
	}
	after := before
	if f.Op == OpRename {
		if after, err = r.readIfExists(ctx, f.To); err != nil {
			return s
		}
		before, after = tellApart(f, before, after)
	}
	f = r.inEditorsLineEnds(ctx, f)
	target := f.target()
	s.open = before != nil && before.Open || after != nil && after.Open
	s.unchanged = (before == nil) == (f.Before == nil) && (before == nil || bytes.Equal(before.Text, f.Before))
	moved := target == f.Path || before == nil // the file is no longer at its old path, if it has to leave it
	switch {
	case target == "":
		s.all = moved
		_, err := os.Lstat(f.Path)
		s.open = s.open && err == nil // Helix deletes the file and keeps its text open
	case moved && after != nil:
		s.all = bytes.Equal(after.Text, f.After) || len(f.Edits) > 0 && len(f.missing(after.Text)) == 0
	}
	if s.all {
		s.there = f.Hunks
	} else if !s.unchanged {
		s.there = f.found(moved, before, after)
	}
	return s
}

// tellApart returns the files at the old and the new name of a rename. If they are one file, it
// is at the name that the disk shows.
func tellApart(f PlannedFile, before, after *workspace.File) (_, _ *workspace.File) {
	switch {
	case !f.Respells || before == nil || after == nil || before.Path != after.Path:
		return before, after
	case after.Path == f.To:
		return nil, after
	}
	return before, nil
}

// found returns the ids of the hunks that are in a file which has only a part of them.
func (f *PlannedFile) found(moved bool, before, after *workspace.File) (ids []string) {
	hunks := f.Hunks
	now := before
	if f.Op == OpRename {
		if moved && after != nil {
			now, ids = after, hunks[:1:1]
		}
		hunks = hunks[1:]
	} else if f.Op != OpEdit {
		return nil
	}
	if now == nil || len(hunks) != len(f.Edits) {
		return ids // edits that several hunks share
	}
	missing := f.missing(now.Text)
	for i, id := range hunks {
		if !slices.Contains(missing, i) {
			ids = append(ids, id)
		}
	}
	return ids
}

// missing returns the indices of the edits that text does not have.
func (f *PlannedFile) missing(text []byte) (indices []int) {
	var made []Edit // the ranges of the edits in After
	shift := 0
	for _, e := range f.Edits {
		made = append(made, Edit{Start: e.Start + shift, End: e.Start + shift + len(e.New)})
		shift += e.shift()
	}
	_, conflicts := rebase(f.After, text, made)
	for _, c := range conflicts {
		indices = append(indices, c.index)
	}
	return indices
}

// part returns the plan of the hunks with the given ids, each of which has an edit of its own.
func (f PlannedFile) part(ids []string) PlannedFile {
	if len(ids) == len(f.Hunks) {
		return f
	}
	part := f
	part.Hunks, part.Edits = nil, nil
	renames := len(f.Hunks) - len(f.Edits)
	for i, id := range f.Hunks {
		if !slices.Contains(ids, id) {
			continue
		}
		part.Hunks = append(part.Hunks, id)
		if i >= renames {
			part.Edits = append(part.Edits, f.Edits[i-renames])
		}
	}
	return part
}

// IsInEffect reports whether every file reads as planned, apart from changes elsewhere.
func (m *Manager) IsInEffect(ctx context.Context, plan *Plan) bool {
	return !slices.ContainsFunc(plan.Files, func(f PlannedFile) bool { return !m.observe(ctx, f).all })
}

// confirm updates the states of the hunks that were to be applied by what their files say now, and of those that the
// person's editor has taken back or made again.
// Hunks that a plan in flight changes are left alone, and so are those whose texts are not kept
// any more.
func (s *settler) confirm(ctx context.Context, p *Proposal) error {
	for i := range p.Changes { // split appends more, which are compared already
		if p.applying(p.Changes[i]) {
			continue
		}
		if err := s.confirmChange(ctx, p, p.Changes[i]); err != nil && !errors.Is(err, errTextGone) {
			return fmt.Errorf("proposal %s: %w", p.ID, err)
		}
	}
	return s.recall(ctx, p)
}

func (s *settler) confirmChange(ctx context.Context, p *Proposal, c *Change) error {
	tried := slices.DeleteFunc(slices.Clone(c.Hunks), func(h Hunk) bool { return !h.tried() })
	if len(tried) == 0 {
		return nil
	}
	f, err := s.plannedFor(ctx, c.part(tried))
	if err != nil {
		return err
	}
	seen := s.observe(ctx, f)
	for _, h := range tried {
		if h.State == Accepted || h.State == Applied && (seen.open || !seen.unchanged) {
			c.setState([]string{h.ID}, Failed)
		}
	}
	if len(seen.there) == 0 {
		return nil
	}
	base, err := s.split(ctx, p, c, f.part(seen.there), Verified)
	p.unsaved = append(p.unsaved, base)
	return err
}

// tried reports whether the hunk was to be applied, and was not seen in its file.
func (h *Hunk) tried() bool {
	switch h.State {
	case Accepted, Applied, Failed:
		return true
	}
	return h.State == Rejected && h.Plan != ""
}
