package project

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/session/bus"
)

const (
	// textTimeout is how long the editor has, after it said that it applied an
	// edit, to send the text that proves it.
	textTimeout = 2 * time.Second
	// refusedTimeout is the same for an editor that said that it did not apply the
	// edit. It is short, because the person waits for the error.
	refusedTimeout = 500 * time.Millisecond
	// applyTimeout is how long the editor has to say that it applied an edit,
	// before the person may decide anew. It is long, because the editor may ask
	// the person.
	applyTimeout = 30 * time.Second
)

// Accept has the selected part of a proposal applied, in the editor if it can and
// else on disk, and returns the proposal with the outcome. An error says why
// not all of it was applied. The text that the editor then shows decides, not its
// answer.
func (p *Project) Accept(ctx context.Context, d edits.Decision) (*edits.Proposal, error) {
	p.peers.AwaitListed(ctx) // for permit
	plan, err := p.Edits.Accept(ctx, d)
	return p.carryOut(ctx, "applied", plan, err)
}

// Undo takes an applied proposal back, as Accept applies one.
func (p *Project) Undo(ctx context.Context, d edits.Decision) (*edits.Proposal, error) {
	p.peers.AwaitListed(ctx) // for permit
	plan, err := p.Edits.Undo(ctx, d)
	return p.carryOut(ctx, "undone", plan, err)
}

// Redo applies an undone proposal again, as Accept applies one.
func (p *Project) Redo(ctx context.Context, d edits.Decision) (*edits.Proposal, error) {
	p.peers.AwaitListed(ctx) // for permit
	plan, err := p.Edits.Redo(ctx, d)
	return p.carryOut(ctx, "redone", plan, err)
}

// carryOut has a plan applied and settled, unless err says why there is none.
// done is the participle of what was asked for.
func (p *Project) carryOut(ctx context.Context, done string, plan *edits.Plan, err error) (*edits.Proposal, error) {
	if err != nil {
		return nil, err
	}
	// The editor may be changing text from here on: the outcome must be found out
	// even if the request is cancelled.
	ctx = context.WithoutCancel(ctx)
	outcome, settleLate := p.apply(ctx, plan)
	p.DiskChanged(pathsOf(plan)) // whatever the outcome says
	proposal, err := p.Edits.Settle(ctx, plan, outcome)
	if settleLate != nil {
		p.background.Go(settleLate)
	}
	if err != nil {
		return nil, err
	}
	switch all, some := proposal.Carried(plan); {
	case all:
		return proposal, nil
	case some:
		return nil, fmt.Errorf("the proposal was only partly %s: %s", done, proposal.DecisionReason)
	}
	return nil, fmt.Errorf("the proposal was not %s: %s", done, proposal.DecisionReason)
}

// pathsOf returns the paths of the plan's files, before and after.
func pathsOf(plan *edits.Plan) (paths []string) {
	for _, f := range plan.Files {
		paths = append(paths, f.Path)
		if f.To != "" {
			paths = append(paths, f.To)
		}
	}
	return paths
}

// apply carries the plan out: in the editor, or on disk where the editor can't or may not
// know the charset of a file. If settleLate is not nil, the caller runs it after the plan is
// settled.
func (p *Project) apply(ctx context.Context, plan *edits.Plan) (outcome edits.Outcome, settleLate func()) {
	if !p.frontEnd.CanApply(plan) || plan.NeedsDisk() {
		return outcomeOf(p.writeToDisk(ctx, plan)), nil
	}
	return p.applyInEditor(ctx, plan)
}

func outcomeOf(err error) edits.Outcome {
	if err != nil {
		return edits.Outcome{Reason: err.Error()}
	}
	return edits.Outcome{Applied: true}
}

// applyInEditor has the editor apply the plan and waits for the texts that prove
// it. An editor that has not answered in time may still apply the plan: then
// settleLate waits for the answer and takes it. It ends with the connection.
func (p *Project) applyInEditor(ctx context.Context, plan *edits.Plan) (outcome edits.Outcome, settleLate func()) {
	if p.Edits.IsInEffect(ctx, plan) {
		return edits.Outcome{Applied: true}, nil // the person typed the same
	}
	removeUnused, err := p.Edits.CreateDirs(plan) // some editors make none
	if err != nil {
		return outcomeOf(err), nil
	}
	answer := make(chan error, 1)
	p.background.Go(func() { answer <- p.frontEnd.Apply(ctx, plan) })
	select {
	case err = <-answer:
	case <-time.After(applyTimeout):
		if !p.Edits.IsInEffect(ctx, plan) {
			outcome.Reason = fmt.Sprintf("the editor has not answered for %v; see whether it waits for you, then accept again or reject", applyTimeout)
			return outcome, func() { p.settleLate(ctx, plan, <-answer); removeUnused() }
		}
	}
	if err == nil {
		p.awaitTexts(ctx, plan, textTimeout)
	} else {
		p.awaitTexts(ctx, plan, refusedTimeout)
	}
	removeUnused()
	return outcomeOf(err), nil
}

func (p *Project) awaitTexts(ctx context.Context, plan *edits.Plan, timeout time.Duration) {
	p.texts.Await(ctx, timeout, func() bool { return p.Edits.IsInEffect(ctx, plan) })
}

// settleLate takes an answer of the editor that came after the plan was settled.
func (p *Project) settleLate(ctx context.Context, plan *edits.Plan, refused error) {
	if refused != nil {
		return
	}
	p.awaitTexts(ctx, plan, textTimeout)
	p.DiskChanged(pathsOf(plan))
	if err := p.Edits.SettleLate(ctx, plan); err != nil {
		p.bus.Publish(bus.Notice{Text: "an edit that the editor applied late could not be recorded: " + err.Error()})
	}
}

// writeToDisk writes the plan where the front end does not apply it. It does not
// write a file that is open in an editor, because that would lose text.
func (p *Project) writeToDisk(ctx context.Context, plan *edits.Plan) error {
	if err := p.refuseOpenElsewhere(plan); err != nil { // it may have been opened since permit
		return err
	}
	var open []string
	for _, path := range pathsOf(plan) {
		if isOpen, _ := p.Workspace.IsOpen(path); isOpen {
			open = append(open, p.Workspace.Rel(path))
		}
	}
	if len(open) > 0 && !p.frontEnd.CanApply(plan) {
		return fmt.Errorf("this editor can't apply such edits, and %s is open in it: close it and try again",
			strings.Join(open, ", "))
	}
	if len(open) > 0 {
		return fmt.Errorf("the change is written to the files themselves, and %s is open in the editor: close it and try again", strings.Join(open, ", "))
	}
	return p.Edits.WriteToDisk(ctx, plan)
}
