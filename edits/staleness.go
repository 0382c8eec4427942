package edits

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Load is like Get, but first checks whether the undecided hunks fit the current files. Hunks
// that do not fit are marked stale; stale hunks that fit again are marked staged.
func (m *Manager) Load(ctx context.Context, id string) (*Proposal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	was := p.states()
	for i := range p.Changes {
		c := &p.Changes[i]
		if !c.pending() || m.applying(c) {
			continue
		}
		if err := m.updateStale(ctx, c); err != nil {
			return nil, fmt.Errorf("proposal %s: %w", id, err)
		}
	}
	if p.states() == was {
		return p, nil
	}
	if err := m.save(ctx, p); err != nil {
		return nil, err
	}
	m.onChange(p.clone())
	return p, nil
}

// RefreshStale is Load for every undecided proposal. It takes as long as reading their files,
// and other calls go on meanwhile.
func (m *Manager) RefreshStale(ctx context.Context) error {
	var all error
	for _, status := range []State{Staged, Stale, Failed, Partial} {
		ps, err := m.List(ctx, status)
		if err != nil {
			return err
		}
		for _, p := range ps {
			var deleted *NotFoundError
			if _, err := m.Load(ctx, p.ID); err != nil && !errors.As(err, &deleted) {
				all = errors.Join(all, err)
			}
		}
	}
	return all
}

// updateStale marks the staged hunks of c that no longer fit as stale, and the stale hunks that
// fit again as staged.
func (m *Manager) updateStale(ctx context.Context, c *Change) error {
	hunks, err := m.newOverlay().apply(ctx, c)
	var stale *StaleError
	if err != nil && !errors.As(err, &stale) {
		return err
	}
	for i, h := range c.Hunks {
		unfit := stale != nil && slices.ContainsFunc(hunks, func(u Hunk) bool { return u.ID == h.ID })
		switch {
		case h.State == Staged && unfit:
			c.Hunks[i].State = Stale
		case h.State == Stale && !unfit:
			c.Hunks[i].State = Staged
		}
	}
	return nil
}
