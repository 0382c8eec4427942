package edits

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Load is Get after a look whether what is undecided fits its files as they
// are now: what does not is marked stale, what does again is not.
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

// refitAll looks whether the proposals that nobody has decided on still fit.
func (m *Manager) updateAllStale(ctx context.Context) error {
	var all error
	for _, status := range []State{Staged, Stale, Failed, Partial} {
		ps, err := m.List(ctx, status)
		if err != nil {
			return err
		}
		for _, p := range ps {
			_, err := m.Load(ctx, p.ID)
			all = errors.Join(all, err)
		}
	}
	return all
}

// refit marks as stale what of an undecided change no longer fits its file, and
// as staged what fits again.
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
