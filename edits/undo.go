package edits

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ploke-lsp/internal/workspace"
)

// Undo plans to take back everything in a proposal that was applied. A file that nobody has
// changed since gets its bytes back. If somebody changed other places of the file, the undo is
// merged with these changes. If somebody changed the same place, or would lose text, nothing is
// planned and a *StaleError says where.
func (m *Manager) Undo(ctx context.Context, id string) (*Plan, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, chosen, err := m.changesIn(ctx, id, "undone", Applied, Verified)
	if err != nil {
		return nil, err
	}
	s := m.newOverlay()
	slices.Reverse(chosen)
	for _, c := range chosen {
		back, err := s.inverse(ctx, c)
		if err != nil {
			return nil, err
		}
		made, err := s.applyOrFind(ctx, back)
		var stale *StaleError
		if errors.As(err, &stale) {
			stale.undoing = true
		}
		if err != nil {
			return nil, err
		}
		if made == nil && c.Hunks[0].State == Applied {
			return nil, fmt.Errorf("%s does not contain the change yet that the editor reported as made; save the file in the editor and try again", m.ws.Rel(c.Path))
		}
	}
	return m.startPlan(ctx, p, &Plan{ProposalID: p.ID, Files: s.plan(), target: Undone}, chosen, nil)
}

// Redo plans to apply again what Undo took back. The rules of Undo apply.
func (m *Manager) Redo(ctx context.Context, id string) (*Plan, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, chosen, err := m.changesIn(ctx, id, "redone", Undone)
	if err != nil {
		return nil, err
	}
	s := m.newOverlay()
	plan := &Plan{ProposalID: p.ID, target: Verified}
	for _, c := range chosen {
		again, err := s.reapply(ctx, c)
		if err != nil {
			return nil, err
		}
		plan.redone = append(plan.redone, *again)
	}
	plan.Files = s.plan()
	return m.startPlan(ctx, p, plan, chosen, slices.Collect(maps.Values(s.texts)))
}

// changesIn returns the proposal and those of its changes that are in one of the states, in the
// order in which they were made.
func (m *Manager) changesIn(ctx context.Context, id, what string, states ...State) (*Proposal, []*Change, error) {
	p, err := m.Get(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	var chosen []*Change
	for i := range p.Changes {
		c := &p.Changes[i]
		if !slices.Contains(states, c.Hunks[0].State) {
			continue
		}
		if m.applying(c) {
			return nil, nil, fmt.Errorf("%s is being changed already; wait for the outcome", m.ws.Rel(c.Path))
		}
		chosen = append(chosen, c)
	}
	if len(chosen) == 0 {
		return nil, nil, fmt.Errorf("nothing in the proposal can be %s: it is %s", what, p.Status())
	}
	return p, chosen, nil
}

// startPlan stores everything that settling the plan will need, and puts the plan in flight.
func (m *Manager) startPlan(ctx context.Context, p *Proposal, plan *Plan, chosen []*Change, texts [][]byte) (*Plan, error) {
	for i := range plan.Files {
		restoreAttributes(&plan.Files[i], chosen)
	}
	if err := recordAttributes(plan); err != nil {
		return nil, err
	}
	if err := m.save(ctx, p, append(texts, plan.texts()...)...); err != nil {
		return nil, err
	}
	m.setInFlight(plan, true)
	return plan, nil
}

// restoreAttributes gives a file that is created again the attributes of the deleted file. A
// file that is removed takes along the folders that were created for it.
func restoreAttributes(f *PlannedFile, chosen []*Change) {
	for _, c := range chosen {
		if slices.Contains(f.Hunks, c.Hunks[0].ID) {
			f.EmptiedDirs = append(f.EmptiedDirs, c.CreatedDirs...)
		}
		if f.Op == OpCreate && c.Deleted != nil && c.Path == f.Path {
			f.Encoding, f.Mode, f.Extended = c.Deleted.Encoding, &c.Deleted.Mode, c.Deleted.Extended
		}
	}
}

// inverse returns the change that takes c back.
func (s *overlay) inverse(ctx context.Context, c *Change) (*Change, error) {
	base, err := s.text(ctx, c.BaseHash)
	if err != nil {
		return nil, err
	}
	after, err := s.after(ctx, c)
	if err != nil {
		return nil, err
	}
	back := &Change{Op: c.Op, Path: c.target(), BaseHash: workspace.Hash(after), Charset: c.Charset, Link: c.Link, Hunks: slices.Clone(c.Hunks)}
	s.texts[back.BaseHash] = after
	switch c.Op {
	case OpCreate:
		back.Op = OpDelete
	case OpDelete:
		back.Op, back.Path = OpCreate, c.Path
	case OpRename:
		back.To = c.Path
	}
	shift := 0
	for i, h := range c.Hunks {
		e := h.Edit
		back.Hunks[i].Edit = Edit{Start: e.Start + shift, End: e.Start + shift + len(e.New), New: string(base[e.Start:e.End])}
		shift += e.shift()
	}
	return back, nil
}

// reapply applies c in the overlay. It returns c as a change of the text that the file had
// there.
func (s *overlay) reapply(ctx context.Context, c *Change) (*Change, error) {
	f, err := s.at(ctx, c.Path)
	if err != nil {
		return nil, err
	}
	text, again := f.text, *c
	hunks, err := s.applyOrFind(ctx, c)
	if err != nil || hunks == nil {
		return &again, err
	}
	again.BaseHash, again.BaseVersion, again.Hunks = workspace.Hash(text), nil, hunks
	s.texts[again.BaseHash] = text
	return &again, nil
}

// settleUndoRedo records the outcome of an undo or redo for one file. If it failed, the hunks
// keep their states.
func (p *Proposal) settleUndoRedo(plan *Plan, f PlannedFile, state State) error {
	if state == Failed {
		return nil
	}
	for _, c := range plan.redone {
		if slices.Contains(f.Hunks, c.Hunks[0].ID) {
			*p.changeOf(idsOf(c.Hunks)) = c
		}
	}
	for _, id := range f.Hunks {
		c := p.changeOf([]string{id})
		if c == nil {
			return errors.New("the plan does not belong to the proposal; look at it again")
		}
		c.setState([]string{id}, state)
		c.CreatedDirs = f.CreatedDirs
	}
	return nil
}
