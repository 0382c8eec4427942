package edits

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"ploke-lsp/internal/workspace"
)

// Settle records the outcome of a plan. The text that the workspace serves now decides: if it
// reads as planned, at least at the places of the edits, the hunks are verified, whatever the
// outcome says. If the outcome says applied but the file is unchanged, the hunks are applied:
// the editor may have the change without having sent it. All other hunks have failed and may be
// accepted again. If only a part of a file's hunks was accepted, the remaining hunks are
// rebased onto the accepted text.
func (m *Manager) Settle(ctx context.Context, plan *Plan, outcome Outcome) (*Proposal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	// The plan is over even if settling fails.
	defer m.releaseLease()
	defer m.setInFlight(plan, false)
	p, err := m.settle(ctx, plan, outcome)
	if err == nil {
		plan.settled = m.settledHunks(p, plan)
	}
	return p, err
}

// SettleLate records that a plan was applied after all, after it was settled without an answer.
// A newer decision of the person takes precedence. Only if they rejected a change that the
// editor has made nevertheless, the change is recorded, so it can be undone.
func (m *Manager) SettleLate(ctx context.Context, plan *Plan) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.Get(ctx, plan.ProposalID)
	if err != nil {
		return err
	}
	same := slices.EqualFunc(plan.settled, m.settledHunks(p, plan), func(was, is settledHunk) bool {
		if is.State == Rejected {
			is.State = was.State
		}
		return was == is
	})
	if !same {
		return nil
	}
	outcome := Outcome{Applied: true}
	made := *plan
	made.Files = slices.DeleteFunc(slices.Clone(plan.Files), func(f PlannedFile) bool {
		return p.hunk(f.Hunks[0]).State == Rejected && m.outcomeOf(ctx, f, outcome) == Failed
	})
	if len(made.Files) == 0 {
		return nil
	}
	_, err = m.settle(ctx, &made, outcome)
	return err
}

// settledHunk is a hunk of a plan that was settled. A hunk that was undone and redone since
// looks the same, but more plans have taken effect on it.
type settledHunk struct {
	Hunk
	effects int
}

// settledHunks returns the hunks of p that belong to the plan.
func (m *Manager) settledHunks(p *Proposal, plan *Plan) (hunks []settledHunk) {
	for _, f := range plan.Files {
		for _, id := range f.Hunks {
			if h := p.hunk(id); h != nil {
				hunks = append(hunks, settledHunk{*h, m.effects[id]})
			}
		}
	}
	return hunks
}

func (m *Manager) settle(ctx context.Context, plan *Plan, outcome Outcome) (*Proposal, error) {
	p, err := m.Get(ctx, plan.ProposalID)
	if err != nil {
		return nil, err
	}
	texts := plan.texts()
	p.DecisionReason = "" // of an earlier failure
	for _, f := range plan.Files {
		more, err := m.settleFile(ctx, p, plan, f, outcome)
		if err != nil {
			return nil, err
		}
		texts = append(texts, more...)
	}
	if err := m.saveAnd(ctx, p, texts, func(tx *sql.Tx) error { return deleteEntryTx(ctx, tx, plan.journal) }); err != nil {
		return nil, err
	}
	m.onChange(p.clone())
	return p, nil
}

// settleFile records the outcome for one file. It returns the texts that the changes are now
// made against.
func (m *Manager) settleFile(ctx context.Context, p *Proposal, plan *Plan, f PlannedFile, outcome Outcome) ([][]byte, error) {
	state := m.outcomeOf(ctx, f, outcome)
	if state == Failed {
		p.DecisionReason = cmp.Or(outcome.Reason, m.ws.Rel(f.Path)+" does not read as planned after the change was applied")
	} else if plan.target == Undone {
		state = Undone
	}
	if state != Failed {
		for _, id := range f.Hunks {
			m.effects[id]++
		}
	}
	if plan.target == Undone || plan.redone != nil {
		return nil, p.settleUndoRedo(plan, f, state)
	}
	c := p.changeOf(f.Hunks)
	if c == nil {
		return nil, errors.New("the plan does not belong to the proposal; accept it again")
	}
	if state == Failed {
		c.setState(f.Hunks, Failed)
		return nil, nil
	}
	base, err := m.split(ctx, p, c, f, state)
	return [][]byte{base}, err
}

// outcomeOf compares the file with its plan.
func (m *Manager) outcomeOf(ctx context.Context, f PlannedFile, outcome Outcome) State {
	before, err := m.readIfExists(ctx, f.Path)
	if err != nil {
		return Failed
	}
	after, target := before, f.target()
	if f.Op == OpRename {
		if after, err = m.readIfExists(ctx, f.To); err != nil {
			return Failed
		}
	}
	unchanged := (before == nil) == (f.Before == nil) && (before == nil || bytes.Equal(before.Text, f.Before))
	left := target == f.Path || before == nil // the file is no longer at its old path, if it has to leave it
	switch {
	case target == "" && left, target != "" && left && after != nil && readsAsPlanned(after.Text, f):
		return Verified
	case outcome.Applied && unchanged:
		return Applied
	}
	return Failed
}

// readsAsPlanned reports whether text is as planned, apart from changes elsewhere.
func readsAsPlanned(text []byte, f PlannedFile) bool {
	if bytes.Equal(text, f.After) {
		return true
	}
	var written []Edit // the edits' ranges in After
	shift := 0
	for _, e := range f.Edits {
		written = append(written, Edit{Start: e.Start + shift, End: e.Start + shift + len(e.New)})
		shift += e.shift()
	}
	_, conflicts := rebase(f.After, text, written)
	return len(written) > 0 && len(conflicts) == 0
}

// split makes a Change of the hunks that were applied, exactly as they were applied, and
// appends the remaining hunks of c as another Change, made against the resulting text. It
// returns that text.
func (m *Manager) split(ctx context.Context, p *Proposal, c *Change, f PlannedFile, state State) ([]byte, error) {
	base, err := m.text(ctx, c.BaseHash)
	if err != nil {
		return nil, err
	}
	var chosen []Hunk
	rest := *c
	rest.Hunks = nil
	shift := 0
	for _, h := range c.Hunks {
		if slices.Contains(f.Hunks, h.ID) {
			h.State = state
			chosen = append(chosen, h)
			shift += h.Edit.shift()
			continue
		}
		h.Edit.Start += shift
		h.Edit.End += shift
		rest.Hunks = append(rest.Hunks, h)
	}
	done := c.part(chosen)
	done.CreatedDirs = f.CreatedDirs
	after, err := Apply(base, editsOf(chosen))
	if err != nil {
		return nil, err
	}
	if !f.Done {
		done.rebaseToApplied(f)
	}
	*c = *done
	if len(rest.Hunks) == 0 {
		return after, nil
	}
	if done.Op == OpRename {
		rest.Op, rest.Path, rest.To = OpEdit, done.To, ""
	}
	rest.BaseHash, rest.BaseVersion = workspace.Hash(after), nil
	setLines(after, rest.Hunks)
	if rest.Problems, err = newProblems(rest.target(), after, textual(rest.Hunks)); err != nil {
		return nil, err
	}
	p.Changes = append(p.Changes, rest)
	return after, nil
}

// rebaseToApplied makes the change refer to the exact text that it was applied to.
func (c *Change) rebaseToApplied(f PlannedFile) {
	c.BaseHash, c.BaseVersion, c.Charset = workspace.Hash(f.Before), f.Version, f.Charset
	moved := withEdits(f.Before, textual(c.Hunks), f.Edits)
	c.Hunks = append(slices.Clone(c.Hunks[:len(c.Hunks)-len(moved)]), moved...)
	if c.Op == OpDelete && f.Mode != nil {
		c.Deleted = &Attributes{Encoding: f.Encoding, Mode: *f.Mode, Extended: f.Extended}
	}
}
