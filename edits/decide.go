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

// decide makes one decision on a proposal: a compare-and-set on its row, before any file or
// editor is touched. change makes the decision on the proposal as it is stored now, and returns
// texts to store with it. If another process changes the proposal at the same time, change is
// called again with the result. What was not shown to the one who decides is refused with a *ChangedError.
func (m *Manager) decide(ctx context.Context, d *Decision,
	change func(p *Proposal) (texts [][]byte, err error)) (*Proposal, error) {
	if err := m.recoverAbandoned(ctx, d); err != nil {
		return nil, err
	}
	m.Proposals.mu.Lock()
	defer m.Proposals.mu.Unlock()
	return m.decideLocked(ctx, d, change)
}

// decideAsSeen is like decide, but first takes into account what the files show by now.
func (m *Manager) decideAsSeen(ctx context.Context, d *Decision,
	change func(p *Proposal) (texts [][]byte, err error)) (*Proposal, error) {
	if err := m.recoverAbandoned(ctx, d); err != nil {
		return nil, err
	}
	m.Proposals.mu.Lock()
	defer m.Proposals.mu.Unlock()
	if _, err := m.refresh(ctx, d.ID, m.settler.confirm); err != nil {
		return nil, err
	}
	return m.decideLocked(ctx, d, change)
}

func (m *Manager) decideLocked(ctx context.Context, d *Decision,
	change func(p *Proposal) (texts [][]byte, err error)) (*Proposal, error) {
	for {
		p, err := m.Proposals.Get(ctx, d.ID)
		if err != nil {
			return nil, err
		}
		if err := d.CheckTexts(p); err != nil {
			return nil, err
		}
		states, content := p.states(), p.content
		texts, err := change(p)
		if err == nil {
			err = m.Proposals.save(ctx, p, texts...)
		}
		switch {
		case errors.Is(err, errRaced):
			continue
		case err != nil:
			return nil, err
		case p.states() != states || p.content != content:
			m.Proposals.onChange(p.clone())
		}
		return p, nil
	}
}

// Accept plans the application of the selected hunks to the files as they read now. It takes
// hunks that are undecided and hunks that could not be applied before. If there are none, it
// takes hunks that an editor reported as applied, but that are not in their files. If a hunk no
// longer fits, nothing is planned, the hunk is marked stale, and a *StaleError names the file
// and the line.
func (m *Manager) Accept(ctx context.Context, d Decision) (*Plan, error) {
	var plan *Plan
	var stale *StaleError
	_, err := m.decide(ctx, &d, func(p *Proposal) ([][]byte, error) {
		chosen, err := m.choose(p, d)
		if err != nil {
			return nil, err
		}
		if plan, stale, err = m.planAll(ctx, p, chosen); err != nil || stale != nil {
			return nil, err
		}
		if err := recordAttributes(plan); err != nil {
			return nil, err
		}
		if err := m.launch(p, plan); err != nil {
			return nil, err
		}
		return plan.texts(), nil
	})
	switch {
	case err != nil:
		return nil, err
	case stale != nil:
		return nil, stale
	}
	return plan, nil
}

// planAll plans all chosen hunks and marks them accepted. If some do not fit, it marks those
// stale and returns the first conflict instead.
func (r *currentFiles) planAll(ctx context.Context, p *Proposal, chosen []choice) (*Plan, *StaleError, error) {
	s := r.newOverlay()
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

// choose returns the selected hunks that can be decided on: those that are undecided, else those
// that were reported as applied and that are not in the files.
func (m *Manager) choose(p *Proposal, d Decision) ([]choice, error) {
	match, err := m.matcher(p, d.Selection)
	if err != nil {
		return nil, err
	}
	chosen := p.matching(func(c *Change, h Hunk) bool { return h.State.open() && match(c, h) })
	if len(chosen) > 0 {
		if err := d.checkUndecided(p, match); err != nil {
			return nil, err
		}
	} else {
		chosen = p.matching(func(c *Change, h Hunk) bool { return h.State == Applied && match(c, h) })
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("nothing is left to decide: the proposal is %s", p.Status())
	}
	for _, c := range chosen {
		if err := m.plans.checkLanded(p, c.change, c.hunks); err != nil {
			return nil, err
		}
	}
	return chosen, nil
}

func (p *Proposal) matching(match func(*Change, Hunk) bool) (chosen []choice) {
	for i := range p.Changes {
		c := choice{change: p.Changes[i]}
		for _, h := range c.change.Hunks {
			if match(c.change, h) {
				c.hunks = append(c.hunks, h)
			}
		}
		if len(c.hunks) > 0 {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// matcher returns a function that reports whether a hunk is selected. It is an error if the
// selection names something that the proposal does not have.
func (r *currentFiles) matcher(p *Proposal, sel Selection) (func(*Change, Hunk) bool, error) {
	if len(sel.Files) == 0 && len(sel.Hunks) == 0 {
		return func(*Change, Hunk) bool { return true }, nil
	}
	wanted := make(map[string]bool)
	for _, name := range sel.Files {
		path, err := r.ws.Resolve(name)
		if err != nil {
			return nil, err
		}
		path = r.ws.Key(path)
		if !slices.ContainsFunc(p.Changes,
			func(c *Change) bool { return r.ws.Key(c.Path) == path || r.ws.Key(c.To) == path }) {
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
	return func(c *Change, h Hunk) bool {
		return wanted[r.ws.Key(c.Path)] || c.To != "" && wanted[r.ws.Key(c.To)] || wanted[h.ID]
	}, nil
}

// Reject turns down the selected hunks that are still undecided. If there are none, it turns
// down those that an editor reported as applied, but that are not in their files.
func (m *Manager) Reject(ctx context.Context, d Decision, reason string) (*Proposal, error) {
	return m.decideAsSeen(ctx, &d, func(p *Proposal) ([][]byte, error) {
		chosen, err := m.choose(p, d)
		if err != nil {
			return nil, err
		}
		var rejected []*Change
		for _, c := range chosen {
			c.change.setState(idsOf(c.hunks), Rejected)
			apart, err := m.setApart(ctx, c)
			if err != nil {
				return nil, err
			}
			rejected = append(rejected, apart...)
		}
		p.Changes = append(p.Changes, rejected...)
		p.DecisionReason = reason
		return nil, nil
	})
}

// setApart takes the chosen hunks out of their change, if others of it are still undecided, and
// returns them as a change of their own. What is left is what the proposal still does to the file.
func (r *currentFiles) setApart(ctx context.Context, c choice) ([]*Change, error) {
	if !c.change.pending() {
		return nil, nil
	}
	ids := idsOf(c.hunks)
	left := func(h Hunk) bool { return !slices.Contains(ids, h.ID) }
	apart := c.change.part(slices.DeleteFunc(slices.Clone(c.change.Hunks), left))
	kept := c.change.part(slices.DeleteFunc(slices.Clone(c.change.Hunks), func(h Hunk) bool { return !left(h) }))
	base, err := r.proposals.text(ctx, c.change.BaseHash)
	if err != nil {
		return nil, err
	}
	if kept.Problems, err = newProblems(kept.target(), base, textual(kept.Hunks)); err != nil {
		return nil, err
	}
	*c.change = *kept
	return []*Change{apart}, nil
}
