package edits

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// Selection names the part of a proposal that is decided on: all hunks of the given files, and
// the given hunks. An empty Selection means everything.
type Selection struct {
	Files []string // paths, in any form that the workspace resolves
	Hunks []string // ids
}

// Accept plans the application of the selected hunks to the files as they read now. It takes
// hunks that are undecided and hunks that could not be applied before. If a hunk no longer
// fits, nothing is planned, the hunk is marked stale, and a *StaleError names the file and the
// line.
func (m *Manager) Accept(ctx context.Context, id string, sel Selection) (*Plan, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	chosen, err := m.choose(p, sel)
	if err != nil {
		return nil, err
	}
	if err := m.acquireLease(ctx); err != nil {
		return nil, err
	}
	defer m.releaseLease()
	plan, stale, err := m.planAll(ctx, p, chosen)
	if err != nil {
		return nil, err
	}
	if err := recordAttributes(plan); err != nil {
		return nil, err
	}
	if err := m.save(ctx, p, plan.texts()...); err != nil {
		return nil, err
	}
	m.onChange(p)
	if stale != nil {
		return nil, stale
	}
	m.setInFlight(plan, true)
	return plan, nil
}

// planAll plans all chosen hunks and marks them accepted. If some do not fit, it marks those
// stale and returns the first conflict instead.
func (m *Manager) planAll(ctx context.Context, p *Proposal, chosen []choice) (*Plan, *StaleError, error) {
	s := m.newOverlay()
	var first *StaleError
	for _, c := range chosen {
		unfit, err := s.applyOrFind(ctx, c.change.part(c.hunks))
		var stale *StaleError
		switch {
		case errors.As(err, &stale):
			c.change.setState(idsOf(unfit), Stale)
			first = cmp.Or(first, stale)
		case err != nil:
			return nil, nil, err
		}
	}
	if first == nil {
		for _, c := range chosen {
			c.change.setState(idsOf(c.hunks), Accepted)
		}
	}
	return &Plan{ProposalID: p.ID, Files: s.plan(), target: Verified}, first, nil
}

// choice is the part of a change that is decided on.
type choice struct {
	change *Change
	hunks  []Hunk
}

// choose returns the selected hunks that are still undecided.
func (m *Manager) choose(p *Proposal, sel Selection) ([]choice, error) {
	match, err := m.matcher(p, sel)
	if err != nil {
		return nil, err
	}
	var chosen []choice
	for i := range p.Changes {
		c := choice{change: &p.Changes[i]}
		for _, h := range c.change.Hunks {
			if !h.State.open() || !match(c.change, h) {
				continue
			}
			if m.inFlight[h.ID] {
				return nil, fmt.Errorf("%s is being applied already; wait for the outcome", m.ws.Rel(c.change.Path))
			}
			c.hunks = append(c.hunks, h)
		}
		if len(c.hunks) > 0 {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("nothing is left to decide: the proposal is %s", p.Status())
	}
	return chosen, nil
}

// matcher returns a function that reports whether a hunk is selected. It is an error if the
// selection names something that the proposal does not have.
func (m *Manager) matcher(p *Proposal, sel Selection) (func(*Change, Hunk) bool, error) {
	if len(sel.Files) == 0 && len(sel.Hunks) == 0 {
		return func(*Change, Hunk) bool { return true }, nil
	}
	wanted := make(map[string]bool)
	for _, name := range sel.Files {
		path, err := m.ws.Resolve(name)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(p.Changes, func(c Change) bool { return c.Path == path || c.To == path }) {
			return nil, fmt.Errorf("the proposal does not change %s", name)
		}
		wanted[path] = true
	}
	for _, id := range sel.Hunks {
		if p.hunk(id) == nil {
			return nil, fmt.Errorf("the proposal has no hunk %s", id)
		}
		wanted[id] = true
	}
	return func(c *Change, h Hunk) bool { return wanted[c.Path] || c.To != "" && wanted[c.To] || wanted[h.ID] }, nil
}

// applying reports whether a plan in flight changes hunks of c.
func (m *Manager) applying(c *Change) bool {
	return slices.ContainsFunc(c.Hunks, func(h Hunk) bool { return m.inFlight[h.ID] })
}

func (m *Manager) setInFlight(plan *Plan, applying bool) {
	for _, f := range plan.Files {
		for _, id := range f.Hunks {
			if applying {
				m.inFlight[id] = true
			} else {
				delete(m.inFlight, id)
			}
		}
	}
}

// Reject turns down everything in the proposal that is still undecided.
func (m *Manager) Reject(ctx context.Context, id, reason string) (*Proposal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	chosen, err := m.choose(p, Selection{})
	if err != nil {
		return nil, err
	}
	for _, c := range chosen {
		c.change.setState(idsOf(c.hunks), Rejected)
	}
	p.DecisionReason = reason
	if err := m.save(ctx, p); err != nil {
		return nil, err
	}
	m.onChange(p.clone())
	return p, nil
}
