package edits

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"ploke-lsp/internal/workspace"
)

// settler records in a proposal what the files show of its hunks.
type settler struct {
	*currentFiles
	seen seenTexts
}

// Settle records the outcome of a plan. The text that the workspace serves now decides: each hunk
// that is in its file, apart from changes elsewhere, is verified, whatever the outcome says. If the
// outcome says applied but the file is unchanged and not open, the hunks are applied: the editor
// may have the change without having sent it. All other hunks have failed and may be accepted
// again. If only a part of a file's hunks is applied, the remaining hunks are rebased onto the
// accepted text. Settle returns a *TakenOverError, and changes nothing, if another process has
// settled the plan meanwhile, and an *UnrecordedError if the plan is in effect and that can't be
// stored. A plan whose files could be neither written nor restored is not settled: it stays in
// flight without an owner, for the next decision to recover.
func (m *Manager) Settle(ctx context.Context, plan *Plan, outcome Outcome) (*Proposal, error) {
	m.Proposals.mu.Lock()
	defer m.Proposals.mu.Unlock()
	defer delete(m.plans.own, plan.id) // it is over even if settling fails
	if plan.stuck {
		return nil, fmt.Errorf("the files are half written: %s; the next decision, or the next start, finishes or undoes "+
			"that", outcome.Reason)
	}
	p, err := m.settle(ctx, plan, outcome, func(p *Proposal) ([]PlannedFile, error) {
		if _, ok := p.inFlight[plan.id]; !ok && plan.id != "" {
			return nil, &TakenOverError{Status: p.Status()}
		}
		delete(p.inFlight, plan.id)
		return plan.Files, nil
	})
	if err != nil && !errors.As(err, new(*TakenOverError)) && m.IsInEffect(ctx, plan) {
		return nil, &UnrecordedError{Err: err}
	}
	return p, err
}

// UnrecordedError says that a plan was carried out, and that this could not be stored. The proposal
// counts as being applied until the next decision on it, or the next start, which record what the
// files say.
type UnrecordedError struct{ Err error }

func (e *UnrecordedError) Error() string {
	return fmt.Sprintf("the files are written, but it could not be recorded that they are: %v. "+
		"Fix that, for example by making space on the disk; the next decision on the proposal, or the next start, records "+
		"what the files say", e.Err)
}

func (e *UnrecordedError) Unwrap() error { return e.Err }

// SettleLate records that a plan was applied after all, after it was settled without an answer.
// What the person has decided since takes precedence, unless a file shows otherwise: a change
// that they rejected, or tried to make once more, and that is in its file, is recorded, so it
// can be undone.
func (m *Manager) SettleLate(ctx context.Context, plan *Plan) error {
	m.Proposals.mu.Lock()
	defer m.Proposals.mu.Unlock()
	_, err := m.settle(ctx, plan, Outcome{Applied: true}, func(p *Proposal) (late []PlannedFile, err error) {
		for _, f := range plan.Files {
			if m.settler.landedLate(ctx, p, plan, f) {
				late = append(late, f)
			}
		}
		return late, nil
	})
	return err
}

// landedLate reports whether a late success of the plan counts for the file.
func (s *settler) landedLate(ctx context.Context, p *Proposal, plan *Plan, f PlannedFile) bool {
	decided := false // by the person, since the plan was settled
	for _, id := range f.Hunks {
		was, is := hunkIn(plan.settled, id), p.hunk(id)
		if was == nil || is == nil || is.Edit != was.Edit || p.inFlightFor(is) != nil || !plan.awaits(is.State) {
			return false
		}
		decided = decided || is.State == Rejected || is.Plan != plan.id
	}
	return !decided || s.observe(ctx, f).all
}

// awaits reports whether a hunk in this state is waiting for the plan's success.
func (p *Plan) awaits(s State) bool {
	switch {
	case p.target == Undone:
		return s == Verified || s == Applied
	case p.redone != nil:
		return s == Undone
	}
	return s == Failed || s == Rejected
}

func hunkIn(hunks []Hunk, id string) *Hunk {
	for i := range hunks {
		if hunks[i].ID == id {
			return &hunks[i]
		}
	}
	return nil
}

// settle records the outcome for the plan's files that choose returns. It calls choose again if
// another process changes the proposal at the same time.
func (m *Manager) settle(ctx context.Context, plan *Plan, outcome Outcome,
	choose func(*Proposal) ([]PlannedFile, error)) (*Proposal, error) {
	for {
		p, err := m.Proposals.Get(ctx, plan.ProposalID)
		if err != nil {
			return nil, err
		}
		files, err := choose(p)
		if err != nil || len(files) == 0 {
			return p, err
		}
		texts := plan.texts()
		p.DecisionReason = "" // of an earlier failure
		for _, f := range files {
			more, err := m.settler.settleFile(ctx, p, plan, f, outcome)
			if err != nil {
				return nil, err
			}
			texts = append(texts, more...)
		}
		err = m.Proposals.saveAnd(ctx, p, texts, func(tx *sql.Tx) error {
			if plan.unclean {
				return nil
			}
			return deleteEntryTx(ctx, tx, plan.journal)
		})
		if errors.Is(err, errRaced) {
			continue
		}
		if err != nil {
			return nil, err
		}
		plan.settled = p.hunksOf(plan)
		m.Proposals.onChange(p.clone())
		return p, nil
	}
}

// hunksOf returns the hunks of p that belong to the plan.
func (p *Proposal) hunksOf(plan *Plan) (hunks []Hunk) {
	for _, f := range plan.Files {
		for _, id := range f.Hunks {
			if h := p.hunk(id); h != nil {
				hunks = append(hunks, *h)
			}
		}
	}
	return hunks
}

// Carried reports whether p has everything that the plan was to do, and whether it has some of it.
func (p *Proposal) Carried(plan *Plan) (all, some bool) {
	all = true
	for _, h := range p.hunksOf(plan) {
		done := h.State == Undone
		if plan.target != Undone {
			done = h.State == Verified || h.State == Applied
		}
		all, some = all && done, some || done
	}
	return all, some
}

// settleFile records the outcome for one file. It returns the texts that the changes are now
// made against.
func (s *settler) settleFile(ctx context.Context, p *Proposal, plan *Plan, f PlannedFile,
	outcome Outcome) ([][]byte, error) {
	f = s.inEditorsLineEnds(ctx, f)
	seen := s.observe(ctx, f)
	state := plan.target
	if !seen.all {
		if outcome.Applied && seen.unchanged && !seen.open {
			seen.all, seen.there = true, f.Hunks
			if state == Verified {
				state = Applied
			}
		} else {
			p.DecisionReason = cmp.Or(outcome.Reason, s.unseen(f, seen))
		}
	}
	if plan.target == Undone || plan.redone != nil {
		if !seen.all {
			return nil, nil // the hunks keep their states
		}
		return nil, s.settleUndoRedo(ctx, p, plan, f, state)
	}
	c := p.changeOf(f.Hunks)
	if c == nil {
		return nil, s.settleShared(ctx, p, f, seen)
	}
	c.setState(f.Hunks, Failed)
	if len(seen.there) == 0 {
		return nil, nil
	}
	base, err := s.split(ctx, p, c, f.part(seen.there), state)
	return [][]byte{base}, err
}

// settleShared records the outcome for a file whose hunks are in several changes: the rest of a
// file was made against a hunk that an editor reported as made and that turned out not to be there.
// The text alone decides.
func (s *settler) settleShared(ctx context.Context, p *Proposal, f PlannedFile, seen observation) error {
	for _, id := range f.Hunks {
		if err := s.confirmChange(ctx, p, p.changeOf([]string{id})); err != nil {
			return err
		}
		if p.hunk(id).State != Verified {
			p.DecisionReason = cmp.Or(p.DecisionReason, s.unseen(f, seen))
		}
	}
	return nil
}

// unseen says what is wrong with a file that was reported as changed.
func (r *currentFiles) unseen(f PlannedFile, seen observation) string {
	switch {
	case seen.unchanged:
		return r.ws.Rel(f.Path) + " is unchanged, although the editor reported success"
	case len(seen.there) > 0:
		return r.ws.Rel(f.Path) + " has only a part of the change"
	}
	return r.ws.Rel(f.Path) + " does not read as planned after the change was applied"
}

// split makes a Change of the hunks that were applied, exactly as they were applied, and
// appends the remaining hunks of c as another Change, made against the resulting text. It
// returns that text.
//
// All hunks of c edit one base text. The remaining ones move by what the applied hunks before them
// add or remove, so they are hunks of base with only the applied hunks. The applied Change refers to
// the text that the plan found in the file, which may have been changed elsewhere since c was made:
// an undo starts from it. If hunks remain, it also keeps what it was in base (see [Split]), so that
// the remaining ones can move back when it is undone.
func (s *settler) split(ctx context.Context, p *Proposal, c *Change, f PlannedFile, state State) ([]byte, error) {
	base, err := s.proposals.textOf(ctx, p, c.BaseHash)
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
	if len(rest.Hunks) > 0 {
		done.Split = &Split{BaseHash: c.BaseHash, Edits: editsOf(chosen)}
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
	p.Changes = append(p.Changes, &rest)
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
