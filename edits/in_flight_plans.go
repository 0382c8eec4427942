package edits

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/workspace"
)

// inFlightTime is how long another host takes a plan for being carried out. It is longer than an
// editor has for its answer.
const inFlightTime = 2 * time.Minute

// inFlightPlan is a plan that a process is carrying out. It is stored in the proposal's row, so the
// decision that began it excludes all others, in each process.
type inFlightPlan struct {
	Owner lease.Owner `json:"owner"`
	Plan  storedPlan  `json:"plan"`
}

// TakenOverError says that a process no longer owns the plan that it was carrying out.
type TakenOverError struct{ Status State }

func (e *TakenOverError) Error() string {
	return fmt.Sprintf("another process took this change over, because this one did not answer for long; the proposal "+
		"is %s now: look at it again", e.Status)
}

// inFlightFor returns the plan in flight that changes the hunk, or nil.
func (p *Proposal) inFlightFor(h *Hunk) *inFlightPlan {
	if f, ok := p.inFlight[h.Plan]; ok {
		return &f
	}
	return nil
}

// applying reports whether a plan in flight changes hunks of c.
func (p *Proposal) applying(c *Change) bool {
	for i := range c.Hunks {
		if p.inFlightFor(&c.Hunks[i]) != nil {
			return true
		}
	}
	return false
}

// inFlightPlans knows who carries out the plans of proposals.
type inFlightPlans struct {
	*currentFiles
	self string          // the id of the Manager as an owner of plans
	own  map[string]bool // ids of the plans that this Manager has in flight; guarded by Proposals.mu
}

// checkLanded returns an error if a plan in flight changes hunks of c.
func (x *inFlightPlans) checkLanded(p *Proposal, c *Change, hunks []Hunk) error {
	for _, h := range hunks {
		f := p.inFlightFor(&h)
		if f == nil {
			continue
		}
		what, where := "applied", ""
		if f.Plan.Target == Undone {
			what = "undone"
		}
		if f.Owner.ID != x.self {
			where = " by another process"
		}
		return fmt.Errorf("%s is being %s already%s; wait for the outcome", x.ws.Rel(c.Path), what, where)
	}
	return nil
}

// launch puts the plan in flight, if it is permitted. The caller stores p.
func (m *Manager) launch(p *Proposal, plan *Plan) error {
	if err := m.checkPlanHeld(plan); err != nil {
		return err
	}
	if err := m.permit(plan); err != nil {
		return err
	}
	m.settler.seen.note(p, plan)
	plan.id = newID()
	p.inFlight[plan.id] = inFlightPlan{Owner: lease.New(m.plans.self, inFlightTime), Plan: plan.stored()}
	for _, f := range plan.Files {
		for _, id := range f.Hunks {
			p.hunk(id).Plan = plan.id
		}
	}
	m.plans.own[plan.id] = true
	return nil
}

// stored returns the plan without its texts.
func (p *Plan) stored() storedPlan {
	s := storedPlan{ID: p.id, Target: p.target, Redone: p.redone}
	for _, f := range p.Files {
		stored := storedFile{PlannedFile: f}
		if f.Before != nil {
			stored.Old = workspace.Hash(f.Before)
		}
		stored.Before, stored.After = nil, nil
		s.Files = append(s.Files, stored)
	}
	return s
}

// abandoned reports whether no process carries the plan out any more. A plan of this process is
// abandoned if it could not be settled.
func (x *inFlightPlans) abandoned(f inFlightPlan) bool {
	if f.Owner.ID == x.self {
		x.proposals.mu.Lock()
		defer x.proposals.mu.Unlock()
		return !x.own[f.Plan.ID]
	}
	return f.Owner.Dead(x.self, time.Now())
}

// extend confirms that this process still owns the plan, and extends its lease. A process that
// holds the disk lock can't lose a plan that it has extended.
func (x *inFlightPlans) extend(ctx context.Context, plan *Plan) error {
	return x.proposals.db.Write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE proposals SET in_flight = json_set(in_flight, ?1, ?2) 
				WHERE id = ?3 AND json_extract(in_flight, ?1) IS NOT NULL`,
			`$."`+plan.id+`".owner.until`, lease.Until(inFlightTime), plan.ProposalID)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			return err
		}
		return x.takenOver(ctx, plan)
	})
}

func (x *inFlightPlans) takenOver(ctx context.Context, plan *Plan) error {
	p, err := x.proposals.Get(ctx, plan.ProposalID)
	if err != nil {
		return err
	}
	return &TakenOverError{Status: p.Status()}
}

// recoverAbandoned settles the plans of a proposal that no process carries out any more: files that
// were being written are finished or restored, and then the texts decide. A decision on what was
// being applied is one on what has become of it.
func (m *Manager) recoverAbandoned(ctx context.Context, d *Decision) error {
	ps, err := m.Proposals.queryProposals(ctx, `WHERE id = ? AND in_flight <> '{}'`, d.ID)
	if err != nil || len(ps) == 0 || !m.plans.anyAbandoned(ps[0]) {
		return err
	}
	seen := ps[0].Version()
	lock, err := m.writer.lockDisk(ctx)
	if err != nil {
		return err
	}
	defer lock.Close()
	err = m.recoverEntries(ctx, func(e *journalEntry) bool { return e.proposalID == d.ID })
	if err = errors.Join(err, m.settleAbandoned(ctx, d.ID)); err != nil {
		return err
	}
	recovered, err := m.Proposals.Get(ctx, d.ID)
	if err == nil && d.Shown == seen {
		d.Shown = recovered.Version()
	}
	return err
}

func (x *inFlightPlans) anyAbandoned(p *Proposal) bool {
	for _, f := range p.inFlight {
		if x.abandoned(f) {
			return true
		}
	}
	return false
}

// settleAbandoned settles the abandoned plans of a proposal that are not in the journal. The
// caller holds the disk lock, so no process is writing their files.
func (m *Manager) settleAbandoned(ctx context.Context, id string) error {
	entries, err := m.journal.entries(ctx)
	if err != nil {
		return err
	}
	p, err := m.Proposals.Get(ctx, id)
	if err != nil {
		return err
	}
	var all error
	for planID, f := range p.inFlight {
		inJournal := slices.ContainsFunc(entries, func(e *journalEntry) bool { return e.Plan.ID == planID })
		if inJournal || !m.plans.abandoned(f) {
			continue
		}
		plan, err := m.journal.planFrom(ctx, &journalEntry{Plan: f.Plan, proposalID: id})
		if err == nil {
			_, err = m.Settle(ctx, plan, Outcome{Reason: "the program ended before the change was made; try it again"})
		}
		all = errors.Join(all, err)
	}
	return all
}
