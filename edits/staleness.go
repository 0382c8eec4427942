package edits

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ploke-lsp/internal/workspace"
)

// Load is like Get, but first looks at the current files. Undecided hunks that do not fit are
// marked stale; stale hunks that fit again are marked staged. A hunk that was to be applied is
// verified if the file has it, even if it was rejected since; a hunk that an editor reported as
// applied has failed if the editor shows a text without it.
func (m *Manager) Load(ctx context.Context, id string) (*Proposal, error) {
	m.Proposals.mu.Lock()
	defer m.Proposals.mu.Unlock()
	return m.refresh(ctx, id, m.settler.compareWithFiles)
}

// refresh stores what compare makes of the hunks' states. The caller holds m.mu.
func (m *Manager) refresh(ctx context.Context, id string,
	compare func(context.Context, *Proposal) error) (*Proposal, error) {
	for {
		p, err := m.Proposals.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		was := p.states()
		if err := compare(ctx, p); err != nil {
			return nil, err
		}
		if p.states() == was {
			return p, nil
		}
		err = m.Proposals.save(ctx, p)
		if errors.Is(err, errRaced) {
			continue
		}
		if err != nil {
			return nil, err
		}
		m.Proposals.onChange(p.clone())
		return p, nil
	}
}

// compareWithFiles confirms p, and updates which of its undecided hunks fit their files.
func (s *settler) compareWithFiles(ctx context.Context, p *Proposal) error {
	if err := s.confirm(ctx, p); err != nil {
		return err
	}
	for i := range p.Changes {
		c := p.Changes[i]
		if !c.pending() || p.applying(c) {
			continue
		}
		if err := s.updateStale(ctx, p, c); err != nil {
			return fmt.Errorf("proposal %s: %w", p.ID, err)
		}
	}
	return nil
}

// RefreshStale is Load for every proposal that is undecided or not confirmed. It takes as long as reading their files,
// and other calls go on meanwhile.
func (m *Manager) RefreshStale(ctx context.Context) error {
	var all error
	for _, status := range []State{Staged, Stale, Accepted, Applied, Failed, Partial} {
		ps, err := m.Proposals.List(ctx, status)
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

// updateStale marks the staged hunks of a change of p that no longer fit as stale, and the stale hunks that
// fit again as staged.
func (r *currentFiles) updateStale(ctx context.Context, p *Proposal, c *Change) error {
	s := r.newOverlay()
	for _, text := range p.unsaved {
		s.texts[workspace.Hash(text)] = text
	}
	hunks, err := s.apply(ctx, c)
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
