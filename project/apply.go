package project

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/internal/wake"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/indexing"
	"ploke-lsp/project/peers"
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
	// before the person may decide again. It is long, because the editor may ask
	// the person.
	applyTimeout = 30 * time.Second
)

// An Applier carries out what a person decides on proposals: in the editor where it can, else on disk.
type Applier struct {
	edits      *edits.Manager
	ws         *workspace.Workspace
	frontEnd   FrontEnd
	peers      *peers.Group
	bus        *bus.Bus
	indexer    *indexing.Indexer
	texts      *wake.Broadcast // the editor changed a text
	background *sync.WaitGroup // late answers of the editor
}

// Accept has the selected part of a proposal applied, in the editor if it can and
// else on disk, and returns the proposal with the outcome. An error says why
// not all of it was applied. The text that the editor then shows decides, not its
// answer.
func (a *Applier) Accept(ctx context.Context, d edits.Decision) (*edits.Proposal, error) {
	a.peers.AwaitListed(ctx) // for permit
	plan, err := a.edits.Accept(ctx, d)
	return a.carryOut(ctx, "applied", plan, err)
}

// Undo takes an applied proposal back, as Accept applies one.
func (a *Applier) Undo(ctx context.Context, d edits.Decision) (*edits.Proposal, error) {
	a.peers.AwaitListed(ctx) // for permit
	plan, err := a.edits.Undo(ctx, d)
	return a.carryOut(ctx, "undone", plan, err)
}

// Redo applies an undone proposal again, as Accept applies one.
func (a *Applier) Redo(ctx context.Context, d edits.Decision) (*edits.Proposal, error) {
	a.peers.AwaitListed(ctx) // for permit
	plan, err := a.edits.Redo(ctx, d)
	return a.carryOut(ctx, "redone", plan, err)
}

// carryOut has a plan applied and settled, unless err says why there is none.
// done is the participle of what was asked for.
func (a *Applier) carryOut(ctx context.Context, done string, plan *edits.Plan, err error) (*edits.Proposal, error) {
	if err != nil {
		return nil, err
	}
	// The editor may be changing text from here on: the outcome must be found out even if the request is cancelled.
	ctx = context.WithoutCancel(ctx)
	outcome, settleLate := a.apply(ctx, plan)
	a.indexer.DiskChanged(pathsOf(plan)...) // whatever the outcome says
	proposal, err := a.edits.Settle(ctx, plan, outcome)
	if settleLate != nil {
		a.background.Go(settleLate)
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
func (a *Applier) apply(ctx context.Context, plan *edits.Plan) (outcome edits.Outcome, settleLate func()) {
	if !a.frontEnd.CanApply(plan) || plan.NeedsDisk() {
		return outcomeOf(a.writeToDisk(ctx, plan)), nil
	}
	return a.applyInEditor(ctx, plan)
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
func (a *Applier) applyInEditor(ctx context.Context, plan *edits.Plan) (outcome edits.Outcome, settleLate func()) {
	if a.edits.IsInEffect(ctx, plan) {
		return edits.Outcome{Applied: true}, nil // the person typed the same
	}
	removeUnused, err := a.edits.CreateDirs(plan) // some editors make none
	if err != nil {
		return outcomeOf(err), nil
	}
	answer := make(chan error, 1)
	a.background.Go(func() { answer <- a.frontEnd.Apply(ctx, plan) })
	select {
	case err = <-answer:
	case <-time.After(applyTimeout):
		if !a.edits.IsInEffect(ctx, plan) {
			outcome.Reason = fmt.Sprintf("the editor has not answered for %v; see whether it waits for you, then accept again "+
				"or reject", applyTimeout)
			return outcome, func() { a.settleLate(ctx, plan, <-answer); removeUnused() }
		}
	}
	if err == nil {
		a.awaitTexts(ctx, plan, textTimeout)
	} else {
		a.awaitTexts(ctx, plan, refusedTimeout)
	}
	removeUnused()
	return outcomeOf(err), nil
}

func (a *Applier) awaitTexts(ctx context.Context, plan *edits.Plan, timeout time.Duration) {
	a.texts.Await(ctx, timeout, func() bool { return a.edits.IsInEffect(ctx, plan) })
}

// settleLate takes an answer of the editor that came after the plan was settled.
func (a *Applier) settleLate(ctx context.Context, plan *edits.Plan, refused error) {
	if refused != nil {
		return
	}
	a.awaitTexts(ctx, plan, textTimeout)
	a.indexer.DiskChanged(pathsOf(plan)...)
	if err := a.edits.SettleLate(ctx, plan); err != nil {
		a.bus.Publish(bus.Notice{Text: "an edit that the editor applied late could not be recorded: " + err.Error()})
	}
}

// writeToDisk writes the plan where the front end does not apply it. It does not
// write a file that is open in an editor, because that would lose text.
func (a *Applier) writeToDisk(ctx context.Context, plan *edits.Plan) error {
	if err := a.refuseOpenElsewhere(plan); err != nil { // it may have been opened since permit
		return err
	}
	var open []string
	for _, path := range pathsOf(plan) {
		if isOpen, _ := a.ws.IsOpen(path); isOpen {
			open = append(open, a.ws.Rel(path))
		}
	}
	if len(open) > 0 && !a.frontEnd.CanApply(plan) {
		return fmt.Errorf("this editor can't apply such edits, and %s is open in it: close it and try again",
			strings.Join(open, ", "))
	}
	if len(open) > 0 {
		return fmt.Errorf("the change is written to the files themselves, and %s is open in the editor: close it and try "+
			"again", strings.Join(open, ", "))
	}
	return a.edits.WriteToDisk(ctx, plan)
}

// permit refuses a plan that this process would carry out on a file that is open in another
// one's editor: the unsaved text there would be lost, or overwrite the change. It permits what the person's own editor
// applies, since nothing is written then, and what an editor applies that has the same text as the other process.
func (a *Applier) permit(plan *edits.Plan) error {
	if !a.frontEnd.CanApply(plan) || plan.NeedsDisk() {
		return a.refuseOpenElsewhere(plan)
	}
	if a.peers.Editor {
		return nil
	}
	source, asked := a.frontEnd.(TextSource)
	for i := range plan.Files {
		f := &plan.Files[i]
		if a.peers.IsOpen(f.Path) && !(asked && source.HasText(f.Path, f.Before) && a.peers.HaveText(f.Path, f.Before)) {
			return a.openElsewhere(f.Path, plan)
		}
	}
	return nil
}

// refuseOpenElsewhere fails if a file of the plan is open in another process's editor.
func (a *Applier) refuseOpenElsewhere(plan *edits.Plan) error {
	for _, path := range pathsOf(plan) {
		if a.peers.IsOpen(path) {
			return a.openElsewhere(path, plan)
		}
	}
	return nil
}

func (a *Applier) openElsewhere(path string, plan *edits.Plan) error {
	if !a.peers.Decides(path) {
		return fmt.Errorf("%s is open in the editor, whose ploke-lsp has another state folder and does not know this "+
			"proposal: close the file there and try again, or start both with the same PLOKE_STATE_DIR", a.ws.Rel(path))
	}
	return fmt.Errorf("%s is open in the editor; %s it there", a.ws.Rel(path), plan.Verb())
}
