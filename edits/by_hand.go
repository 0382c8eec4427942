package edits

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// noticeByHand records what the person has taken back or made again by hand, as with their editor's own undo.
func (m *Manager) noticeByHand(ctx context.Context, p *Proposal) error {
	for _, state := range []State{Verified, Undone} {
		for _, group := range p.steps(state) {
			if err := m.noticeStep(ctx, p, group, state); err != nil && !errors.Is(err, errTextGone) {
				return fmt.Errorf("proposal %s: %w", p.ID, err)
			}
		}
	}
	return nil
}

// steps returns the edits of files that are in a state, in the order in which they were made. Those that one plan has
// made or taken back in a file are together, because an editor takes them back in one step.
func (p *Proposal) steps(state State) (groups [][]*Change) {
	changes := p.inOrder(func(c *Change) bool { return c.Op == OpEdit && c.Hunks[0].State == state && !p.applying(c) })
	for _, c := range changes {
		same := func(group []*Change) bool {
			return group[0].Path == c.Path && group[0].Hunks[0].Plan == c.Hunks[0].Plan
		}
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i] = append(groups[i], c)
		} else {
			groups = append(groups, []*Change{c})
		}
	}
	return groups
}

// noticeStep records that changes in the same state are in the other one, if the file shows it: they could be taken back and
// not be made, or the other way round. If lines repeat, or if the person typed there, the file shows neither.
func (m *Manager) noticeStep(ctx context.Context, p *Proposal, group []*Change, state State) error {
	now, err := m.readIfExists(ctx, group[0].Path)
	if err != nil || now == nil {
		return err
	}
	s := m.newOverlay()
	other := Undone
	step := &Proposal{Changes: make([]Change, len(group))}
	for i, c := range group {
		step.Changes[i] = *c.part(slices.Clone(c.Hunks))
	}
	if state == Undone {
		other = Verified
		if err := s.record(ctx, step, step.inOrder(func(*Change) bool { return true }), other); err != nil {
			return err
		}
	}
	making, takingBack, err := s.deeds(ctx, step.Changes)
	if err != nil {
		return err
	}
	expected, otherwise := takingBack, making
	if state == Undone {
		expected, otherwise = making, takingBack
	}
	if possible(expected, now.Text) || !possible(otherwise, now.Text) {
		return nil
	}
	for i, c := range group {
		*c = step.Changes[i]
	}
	err = s.record(ctx, p, group, other)
	p.unsaved = append(p.unsaved, s.stored()...)
	return err
}

// deeds returns what making changes does, and what taking them back does, in the order in which it can be done.
func (s *overlay) deeds(ctx context.Context, changes []Change) (making, takingBack []deed, err error) {
	for i := range changes {
		d, err := s.making(ctx, &changes[i])
		if err != nil {
			return nil, nil, err
		}
		making, takingBack = append(making, d), append(takingBack, d.back())
	}
	slices.Reverse(takingBack)
	return making, takingBack, nil
}

// possible reports whether deeds can be done one after the other in a text, apart from changes elsewhere.
func possible(deeds []deed, text []byte) bool {
	for _, d := range deeds {
		es, conflicts := rebase(d.before, text, d.edits)
		if len(conflicts) > 0 || d.from == "" {
			return false
		}
		var err error
		if text, err = Apply(text, es); err != nil {
			return false
		}
	}
	return true
}
