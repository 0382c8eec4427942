package edits

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ploke-lsp/internal/workspace"
)

// Undo plans to take back everything in a proposal that was applied, whatever the decision selects.
// A file that was not changed since gets its bytes back. If other places of the file were changed,
// the undo is merged with these changes. If the same place was changed, or text would be lost,
// nothing is planned and a *StaleError says where.
func (m *Manager) Undo(ctx context.Context, d Decision) (*Plan, error) {
	return m.decideBack(ctx, d, "undone", []State{Applied, Verified}, func(chosen []*Change) (*Plan, [][]byte, error) {
		s := m.newOverlay()
		slices.Reverse(chosen)
		for _, c := range chosen {
			if err := s.revert(ctx, c); err != nil {
				return nil, nil, err
			}
		}
		return &Plan{Files: s.plan(), target: Undone}, nil, nil
	})
}

// Redo plans to apply again what Undo took back. The rules of Undo apply.
func (m *Manager) Redo(ctx context.Context, d Decision) (*Plan, error) {
	return m.decideBack(ctx, d, "redone", []State{Undone}, func(chosen []*Change) (*Plan, [][]byte, error) {
		s := m.newOverlay()
		plan := &Plan{target: Verified}
		for _, c := range chosen {
			again, err := s.reapply(ctx, c)
			if err != nil {
				return nil, nil, err
			}
			plan.redone = append(plan.redone, *again)
		}
		plan.Files = s.plan()
		return plan, slices.Collect(maps.Values(s.texts)), nil
	})
}

// decideBack decides to undo or redo the changes that are in one of the states, which make
// plans. It stores everything that settling the plan will need.
func (m *Manager) decideBack(ctx context.Context, d Decision, what string, states []State,
	make func([]*Change) (*Plan, [][]byte, error)) (plan *Plan, err error) {
	_, err = m.decideAsSeen(ctx, &d, func(p *Proposal) (texts [][]byte, err error) {
		chosen, err := m.changesIn(p, what, states)
		if err != nil {
			return nil, err
		}
		if plan, texts, err = make(chosen); err != nil {
			return nil, err
		}
		plan.ProposalID = p.ID
		for i := range plan.Files {
			restoreAttributes(&plan.Files[i], chosen)
		}
		if err := recordAttributes(plan); err != nil {
			return nil, err
		}
		if err := m.launch(p, plan); err != nil {
			return nil, err
		}
		return append(texts, plan.texts()...), nil
	})
	if err != nil {
		return nil, err
	}
	return plan, nil
}

// changesIn returns those of the proposal's changes that are in one of the states, in the order
// in which they were made.
func (m *Manager) changesIn(p *Proposal, what string, states []State) (chosen []*Change, err error) {
	for i := range p.Changes {
		c := p.Changes[i]
		if !slices.Contains(states, c.Hunks[0].State) {
			continue
		}
		if err := m.plans.checkLanded(p, c, c.Hunks); err != nil {
			return nil, err
		}
		chosen = append(chosen, c)
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("nothing in the proposal can be %s: it is %s", what, p.Status())
	}
	return chosen, nil
}

// revert takes c back in the overlay.
func (s *overlay) revert(ctx context.Context, c *Change) error {
	back, err := s.inverse(ctx, c)
	if err != nil {
		return err
	}
	made, err := s.applyOrFind(ctx, back)
	var stale *StaleError
	if errors.As(err, &stale) {
		stale.undoing = true
	}
	if err == nil && made == nil && c.Hunks[0].State == Applied {
		return fmt.Errorf("%s does not contain the change that the editor reported as made; save the file in the editor "+
			"and try again, or accept or reject the change", s.now.ws.Rel(c.Path))
	}
	return err
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
	back := &Change{Op: c.Op, Path: c.target(), BaseHash: workspace.Hash(after), Charset: c.Charset, Link: c.Link,
		Hunks: slices.Clone(c.Hunks)}
	s.texts[back.BaseHash] = after
	switch c.Op {
	case OpCreate:
		back.Op = OpDelete
	case OpDelete:
		back.Op, back.Path = OpCreate, c.Path
	case OpRename:
		back.To = c.Path
	}
	for i, e := range inverted(base, editsOf(c.Hunks)) {
		back.Hunks[i].Edit = e
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

// settleUndoRedo records that a file was undone or redone.
func (s *settler) settleUndoRedo(ctx context.Context, p *Proposal, plan *Plan, f PlannedFile, state State) error {
	for _, c := range plan.redone {
		if slices.Contains(f.Hunks, c.Hunks[0].ID) {
			*p.changeOf(idsOf(c.Hunks)) = c
		}
	}
	var changes []*Change // in the order of the plan
	for _, id := range f.Hunks {
		c := p.changeOf([]string{id})
		if c == nil {
			return errors.New("the plan does not belong to the proposal; look at it again")
		}
		c.setState([]string{id}, state)
		c.CreatedDirs = f.CreatedDirs
		if !slices.Contains(changes, c) {
			changes = append(changes, c)
		}
	}
	for _, c := range changes {
		if err := s.moveWaiting(ctx, p, c); err != nil {
			return err
		}
	}
	return nil
}
