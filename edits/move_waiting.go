package edits

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ploke-lsp/internal/workspace"
)

// moveWaiting makes the hunks that were left when c was applied refer to the text without c, if it
// was undone, or with it, if it was made again. Otherwise hunks on adjacent lines would no longer
// fit. They move only while they are edits of exactly the text that they were split off with, so
// that their new places are certain.
func (s *settler) moveWaiting(ctx context.Context, p *Proposal, c *Change) error {
	if c.Split == nil || c.Op != OpEdit {
		return nil
	}
	before, err := s.proposals.textOf(ctx, p, c.Split.BaseHash)
	if errors.Is(err, errTextGone) {
		return nil
	}
	if err != nil {
		return err
	}
	after, err := Apply(before, c.Split.Edits)
	if err != nil {
		return fmt.Errorf("%s: the stored change is damaged: %w", s.ws.Rel(c.Path), err)
	}
	from, to, made := before, after, c.Split.Edits
	if c.Hunks[0].State == Undone {
		from, to, made = after, before, inverted(before, made)
	}
	for i := range p.Changes {
		w := p.Changes[i]
		if w.Op != OpEdit || w.Path != c.Path || !w.pending() || p.applying(w) || w.BaseHash != workspace.Hash(from) {
			continue
		}
		hunks, ok := movedHunks(w.Hunks, made)
		if !ok {
			continue
		}
		w.BaseHash, w.BaseVersion, w.Hunks = workspace.Hash(to), nil, hunks
		setLines(to, w.Hunks)
		if w.Problems, err = newProblems(w.Path, to, w.Hunks); err != nil {
			return err
		}
		p.unsaved = append(p.unsaved, to)
	}
	return nil
}

// inverted returns the edits that take edits of a text back.
func inverted(text []byte, es []Edit) []Edit {
	back := make([]Edit, len(es))
	shift := 0
	for i, e := range es {
		back[i] = Edit{Start: e.Start + shift, End: e.Start + shift + len(e.New), New: string(text[e.Start:e.End])}
		shift += e.shift()
	}
	return back
}

// movedHunks returns hunks of a text as hunks of the text that edits make of it. It reports whether
// their places are certain: they must not overlap the edits, nor insert at the same place.
func movedHunks(hunks []Hunk, es []Edit) ([]Hunk, bool) {
	hunks = slices.Clone(hunks)
	for i := range hunks {
		h := &hunks[i].Edit
		shift := 0
		for _, e := range es {
			switch inserts := e.Start == e.End && h.Start == h.End && e.Start == h.Start; {
			case inserts || h.End > e.Start && e.End > h.Start:
				return nil, false
			case e.End <= h.Start:
				shift += e.shift()
			}
		}
		h.Start += shift
		h.End += shift
	}
	return hunks, true
}
