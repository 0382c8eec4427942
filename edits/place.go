package edits

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"ploke-lsp/internal/workspace"
)

// Placed is the undecided part of what a proposal does to one file, in the file as it is now.
type Placed struct {
	Op       Op
	Path, To string          // as in Change
	File     *workspace.File // nil if there is no file
	Reason   string          // why the file as a whole does not fit; "" if it does
	Hunks    []PlacedHunk    // in the file's order
}

// PlacedHunk is an undecided hunk. Edit is an edit of the file's text as it is now, unless the
// file as a whole does not fit. If the hunk is stale, Edit is not to be made: it is the lines with which
// the hunk conflicts, and the lines that it proposes.
type PlacedHunk struct {
	ID      string
	Renames bool
	Edit    Edit
	Stale   bool
}

// Place finds the places of a proposal's undecided hunks in the files as they are now, in the order in
// which the proposal named the files. What is being applied is left out.
func (r *Preview) Place(ctx context.Context, p *Proposal) (all []Placed, err error) {
	for i := range p.Changes {
		c := p.Changes[i]
		if !c.pending() || p.applying(c) {
			continue
		}
		placed, err := r.place(ctx, c)
		if err != nil {
			return nil, err
		}
		all = append(all, placed)
	}
	first := p.firstChanges()
	slices.SortStableFunc(all, func(a, b Placed) int { return cmp.Compare(first[a.Path], first[b.Path]) })
	return all, nil
}

// firstChanges returns the index of the first change of each file, decided or not, so that its
// place in a review stays when a part of it is decided.
func (p *Proposal) firstChanges() map[string]int {
	first := make(map[string]int, len(p.Changes))
	for i := range slices.Backward(p.Changes) {
		c := p.Changes[i]
		first[c.Path], first[c.target()] = i, i
	}
	return first
}

// Touches reports whether something undecided in p changes the file at a canonical path, under
// its old or its new name.
func (r *Preview) Touches(p *Proposal, path string) bool { return r.pending(p, path) != nil }

func (r *Preview) place(ctx context.Context, c *Change) (Placed, error) {
	placed := Placed{Op: c.Op, Path: c.Path, To: c.To}
	for _, h := range c.Hunks {
		if h.State.open() {
			placed.Hunks = append(placed.Hunks, PlacedHunk{ID: h.ID, Renames: h.Renames, Edit: h.Edit})
		}
	}
	var err error
	if placed.File, err = r.readIfExists(ctx, c.Path); err != nil {
		placed.Reason = err.Error()
		return placed, ctx.Err()
	}
	switch there := placed.File != nil; {
	case there == (c.Op == OpCreate):
		placed.Reason = r.existenceConflict(c.Path, !there).Error()
	case there && placed.File.Hash != c.BaseHash:
		return placed, r.movePlaces(ctx, c, &placed)
	}
	return placed, nil
}

// movePlaces moves the hunks from the text that they were made against to the current one.
func (r *Preview) movePlaces(ctx context.Context, c *Change, placed *Placed) error {
	base, err := r.proposals.text(ctx, c.BaseHash)
	if errors.Is(err, errTextGone) {
		placed.Reason = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	hunks := placed.Hunks
	if len(hunks) > 0 && hunks[0].Renames {
		hunks = hunks[1:]
	}
	var es []Edit
	for _, h := range hunks {
		es = append(es, h.Edit)
	}
	moved, conflicts := rebase(base, placed.File.Text, es)
	for i := range hunks {
		if len(conflicts) > 0 && conflicts[0].index == i {
			proposed := widened(base, hunks[i].Edit)
			hunks[i].Edit, hunks[i].Stale = Edit{Start: conflicts[0].start, End: conflicts[0].end, New: proposed.New}, true
			conflicts = conflicts[1:]
			continue
		}
		hunks[i].Edit, moved = moved[0], moved[1:]
	}
	return nil
}

// WholeLines returns the hunk's edit of text, the file's text as it is now, as an edit of whole
// lines. A stale hunk's is one already.
func (h *PlacedHunk) WholeLines(text []byte) Edit {
	if h.Stale {
		return h.Edit
	}
	return widened(text, h.Edit)
}

// widened returns an edit of whole lines of text that does the same as e.
func widened(text []byte, e Edit) Edit {
	start, end := wholeLines(text, e)
	return Edit{Start: start, End: end, New: string(text[start:e.Start]) + e.New + string(text[e.End:end])}
}

// ChangedFile reports whether something of p was applied to the file at a canonical path, and can
// be undone.
func (r *Preview) ChangedFile(p *Proposal, path string) bool {
	return slices.ContainsFunc(p.Changes, func(c *Change) bool {
		state := c.Hunks[0].State
		return r.ws.SameName(c.target(), path) && (state == Applied || state == Verified)
	})
}

// ChangedAny reports whether something of p was applied and can be undone.
func (p *Proposal) ChangedAny() bool { return p.has(Applied) || p.has(Verified) }
