package edits

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"ploke-lsp/internal/workspace"
)

// Settle records what became of a plan. What counts is the text that the
// workspace serves now: where it reads as planned, at least at the places of
// the edits, the hunks are verified, whatever the outcome says. Where the file has not changed though the outcome
// is that it was applied, they are applied: the editor may hold it unseen. All
// else has failed, and may be accepted again. What is left of a file of which a
// part was accepted is carried over to the accepted text.
func (m *Manager) Settle(ctx context.Context, plan *Plan, outcome Outcome) (*Proposal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	// Whatever happens next, the plan is over.
	defer m.setInFlight(plan, false)
	p, err := m.Get(ctx, plan.ProposalID)
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	for _, f := range plan.Files {
		c := p.changeOf(f.Hunks)
		if c == nil {
			return nil, errors.New("the plan does not belong to the proposal; accept it again")
		}
		state := m.outcomeOf(ctx, f, outcome)
		if state == Failed {
			c.setState(f.Hunks, Failed)
			p.DecisionReason = cmp.Or(outcome.Reason, m.ws.Rel(f.Path)+" does not read as planned after the change was applied")
			continue
		}
		base, err := m.split(ctx, p, c, f, state)
		if err != nil {
			return nil, err
		}
		texts = append(texts, base)
	}
	if err := m.save(ctx, p, texts...); err != nil {
		return nil, err
	}
	m.onChange(p.clone())
	return p, nil
}

func (m *Manager) outcomeOf(ctx context.Context, f PlannedFile, outcome Outcome) State {
	now, err := m.ws.Read(ctx, f.Path)
	unchanged := err != nil && f.Op == OpCreate || err == nil && bytes.Equal(now.Text, f.Before)
	switch {
	case err == nil && shows(now.Text, f):
		return Verified
	case outcome.Applied && unchanged:
		return Applied
	}
	return Failed
}

// shows reports whether text is what was planned, but for changes elsewhere.
func shows(text []byte, f PlannedFile) bool {
	if bytes.Equal(text, f.After) {
		return true
	}
	var written []Edit // the places of the edits in After
	shift := 0
	for _, e := range f.Edits {
		written = append(written, Edit{Start: e.Start + shift, End: e.Start + shift + len(e.New)})
		shift += e.shift()
	}
	_, conflicts := rebase(f.After, text, written)
	return len(written) > 0 && len(conflicts) == 0
}

// split makes what was applied of c a change of its own, exactly as it was
// applied, with the rest of c after it, made against the text with it. It
// returns that text.
func (m *Manager) split(ctx context.Context, p *Proposal, c *Change, f PlannedFile, state State) ([]byte, error) {
	base, err := m.text(ctx, c.BaseHash)
	if err != nil {
		return nil, err
	}
	done, rest := Change{Op: c.Op, Path: c.Path, BaseHash: c.BaseHash, BaseVersion: c.BaseVersion, Problems: c.Problems}, *c
	rest.Op, rest.Hunks = OpEdit, nil
	var accepted []Edit
	shift := 0
	for _, h := range c.Hunks {
		if slices.Contains(f.Hunks, h.ID) {
			h.State = state
			done.Hunks = append(done.Hunks, h)
			accepted = append(accepted, h.Edit)
			shift += h.Edit.shift()
			continue
		}
		h.Edit.Start += shift
		h.Edit.End += shift
		rest.Hunks = append(rest.Hunks, h)
	}
	after, err := Apply(base, accepted)
	if err != nil {
		return nil, err
	}
	if len(f.Edits) > 0 {
		done.BaseHash, done.BaseVersion = workspace.Hash(f.Before), f.Version
		done.Hunks = withEdits(f.Before, done.Hunks, f.Edits)
	}
	*c = done
	if len(rest.Hunks) == 0 {
		return after, nil
	}
	rest.BaseHash, rest.BaseVersion = workspace.Hash(after), nil
	setLines(after, rest.Hunks)
	if rest.Problems, err = newProblems(rest.Path, after, rest.Hunks); err != nil {
		return nil, err
	}
	p.Changes = append(p.Changes, rest)
	return after, nil
}
