package edits

import (
	"context"
	"errors"
	"slices"
)

// errNotMade says that the files don't read as an offered plan would leave them.
var errNotMade = errors.New("the offered change is not in the files")

// Offer plans the application of the selected hunks as Accept does, and decides nothing. An
// editor that can't be asked to apply an edit is offered the plan, and the person chooses it or
// does not. SettleOffered records it. If a hunk does not fit its file, Offer returns a
// *StaleError.
func (m *Manager) Offer(ctx context.Context, d Decision) (*Plan, error) {
	p, err := m.Proposals.Get(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	if err := d.CheckTexts(p); err != nil {
		return nil, err
	}
	chosen, err := m.choose(p, d)
	if err != nil {
		return nil, err
	}
	plan, stale, err := m.planAll(ctx, p, chosen)
	if stale != nil {
		return nil, stale
	}
	if err != nil {
		return nil, err
	}
	plan.offered = d.Shown
	return plan, m.checkPlanHeld(plan)
}

// made reports whether a planned file reads as the plan would leave it, and its hunks are still open.
func (m *Manager) made(ctx context.Context, p *Proposal, f PlannedFile) bool {
	c := p.changeOf(f.Hunks)
	if c == nil || p.applying(c) || !m.observe(ctx, f).all {
		return false
	}
	return !slices.ContainsFunc(f.Hunks, func(id string) bool { return !c.hunk(id).State.open() })
}

// SettleOffered records an offered plan as applied, if the files read as it would leave them,
// its hunks were not decided otherwise, and the proposal is still what was offered. made is
// false if there is nothing to record.
func (m *Manager) SettleOffered(ctx context.Context, plan *Plan) (made bool, err error) {
	m.Proposals.mu.Lock()
	defer m.Proposals.mu.Unlock()
	_, err = m.settle(ctx, plan, Outcome{Applied: true}, func(p *Proposal) ([]PlannedFile, error) {
		if !plan.offered.SameTexts(p.Version()) {
			return nil, errNotMade
		}
		for _, f := range plan.Files {
			if !m.made(ctx, p, f) {
				return nil, errNotMade
			}
		}
		return plan.Files, nil
	})
	if errors.Is(err, errNotMade) {
		return false, nil
	}
	return err == nil, err
}
