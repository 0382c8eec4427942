package edits

import (
	"context"
	"errors"
)

// errNotMade says that the files don't read as an offered plan would leave them.
var errNotMade = errors.New("the offered change is not in the files")

// Offer plans the application of the selected hunks as Accept does, and decides nothing. An
// editor that can't be asked to apply an edit is offered the plan, and the person chooses it or
// does not. SettleOffered records it. If a hunk does not fit its file, Offer returns a
// *StaleError.
func (m *Manager) Offer(ctx context.Context, id string, sel Selection) (*Plan, error) {
	p, err := m.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	chosen, err := m.choose(p, sel)
	if err != nil {
		return nil, err
	}
	plan, stale, err := m.planAll(ctx, p, chosen)
	if stale != nil {
		return nil, stale
	}
	return plan, err
}

// SettleOffered records an offered plan as applied, if the files read as it would leave them and
// nobody has decided on its hunks otherwise. made is false if there is nothing to record.
func (m *Manager) SettleOffered(ctx context.Context, plan *Plan) (made bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err = m.settle(ctx, plan, Outcome{Applied: true}, func(p *Proposal) ([]PlannedFile, error) {
		for _, f := range plan.Files {
			c := p.changeOf(f.Hunks)
			if c == nil || p.applying(c) || !m.look(ctx, f).all {
				return nil, errNotMade
			}
			for _, id := range f.Hunks {
				if !c.hunk(id).State.open() {
					return nil, errNotMade
				}
			}
		}
		return plan.Files, nil
	})
	if errors.Is(err, errNotMade) {
		return false, nil
	}
	return err == nil, err
}
