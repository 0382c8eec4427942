package edits

import (
	"context"
	"errors"
	"maps"
	"slices"

	"ploke-lsp/internal/workspace"
)

// A deed is what a plan of ours, or the person by hand, does to the text of a file: it makes a change, or takes one back.
type deed struct {
	from, to      string // the file's path before and after; "" if no other change has to follow
	before, after []byte // the text as the change knows it: it lacks what the person has typed since
	edits         []Edit // turn before into after
	order         int    // of the change
}

// making returns what making c does. Nothing follows a file that comes or goes, or a text that is not kept any more.
func (s *overlay) making(ctx context.Context, c *Change) (deed, error) {
	if c.Op == OpCreate || c.Op == OpDelete {
		return deed{}, nil
	}
	text, err := s.text(ctx, c.BaseHash)
	if errors.Is(err, errTextGone) {
		return deed{}, nil
	}
	if err != nil {
		return deed{}, err
	}
	after, err := s.after(ctx, c)
	return deed{from: c.Path, to: c.target(), before: text, after: after, edits: editsOf(textual(c.Hunks)), order: c.Order}, err
}

// back returns what takes d back.
func (d deed) back() deed {
	return deed{from: d.to, to: d.from, before: d.after, after: d.before, edits: inverse(d.before, d.edits), order: d.order}
}

// moveAlong moves the changes of p that edit the file of d along with d: those that are not in the file, and those that were
// made in it later. So they are always made against a text that has exactly those parts of the proposal that the file
// has, or had when they were made: lines that only we have changed are no conflict, and nobody has to guess from the texts
// where they went. The new texts are in s.
func (s *overlay) moveAlong(ctx context.Context, p *Proposal, d deed) error {
	if d.from == "" {
		return nil
	}
	for i := range p.Changes {
		k := &p.Changes[i]
		if k.Op != OpEdit && k.Op != OpRename || k.Path != d.from || k.inEffect() && k.Order <= d.order {
			continue
		}
		if err := s.move(ctx, k, d); err != nil && !errors.Is(err, errTextGone) {
			return err
		}
		k.Path = d.to
	}
	return nil
}

// move moves one change along with d. If both concern the same bytes, or the person typed where d applies, the change stays
// as it is, and conflicts with the text until d is taken back.
func (s *overlay) move(ctx context.Context, k *Change, d deed) error {
	base, err := s.text(ctx, k.BaseHash)
	if err != nil {
		return err
	}
	hunks := textual(k.Hunks)
	es, conflicts := rebase(d.before, base, d.edits)
	moved, ok := transform(editsOf(hunks), es)
	if len(conflicts) > 0 || !ok {
		return nil
	}
	next, err := Apply(base, es)
	if err != nil {
		return err
	}
	k.BaseHash, k.BaseVersion = workspace.Hash(next), nil
	k.Hunks = slices.Concat(k.Hunks[:len(k.Hunks)-len(hunks)], withEdits(next, hunks, moved))
	s.texts[k.BaseHash] = next
	if k.pending() {
		k.Problems, err = newProblems(k.target(), next, textual(k.Hunks))
	}
	return err
}

// inEffect reports whether the change is in its file, as far as anybody knows.
func (c *Change) inEffect() bool {
	state := c.Hunks[0].State
	return state == Applied || state == Verified
}

// stored returns the texts that changes are made against and that may not be in the store.
func (s *overlay) stored() [][]byte { return slices.Collect(maps.Values(s.texts)) }
