package project

import (
	"context"
	"errors"
	"fmt"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/peers"
)

// peerEvents connects the project to its peers.
func (p *Project) peerEvents() peers.Events {
	return peers.Events{
		TextChanged:      p.texts.Announce,
		Returned:         func(path string) { p.indexer.DiskChanged(path) }, // it may have been saved
		ProposalsChanged: p.proposalsChangedElsewhere,
		TurnsEnded:       p.turnsEndedElsewhere,
		Running:          func(turnID string) bool { return p.Engine.Running(turnID) },
	}
}

// ProposalChanged publishes the new state of a proposal that this process has changed.
func (p *Project) proposalChanged(changed *edits.Proposal) {
	announce(p.bus, changed)
	p.peers.ProposalChanged(changed.ID, changed.RequestID)
}

// proposalsChangedElsewhere publishes the new states of proposals that another process has
// changed, and returns their turns. It ignores proposals of other databases, which several folders
// together may have.
func (p *Project) proposalsChangedElsewhere(proposals []string) (turns []string) {
	for _, id := range proposals {
		changed, err := p.Edits.Proposals.Get(context.Background(), id)
		var missing *edits.NotFoundError
		switch {
		case errors.As(err, &missing):
		case err != nil:
			p.log.Error("a change of a proposal in another process is not shown", "proposal", id, "error", err)
		default:
			announce(p.bus, changed)
			turns = append(turns, changed.RequestID)
		}
	}
	return turns
}

// turnsEndedElsewhere shows the proposals of turns of another process that have ended, or that
// ended with the process. Only an editor reviews what others propose.
func (p *Project) turnsEndedElsewhere(turns []string) {
	if !p.peers.Editor {
		return
	}
	for _, turn := range turns {
		p.frontEnd.ReviewReady(turn)
	}
}

// peers returns what a group of peers works with.
func (o *Options) peers(w *workspace.Workspace, x *index.Index, on peers.Events) peers.Options {
	return peers.Options{Editor: o.Editor, Alone: o.Alone, Program: o.Version, StateDir: o.StateDir, Workspace: w,
		Index: x, Log: o.Logger, On: on}
}

// ignoredEvents is for who only borrows texts.
func ignoredEvents() peers.Events {
	return peers.Events{TextChanged: func() {}, Returned: func(string) {},
		ProposalsChanged: func([]string) []string { return nil }, TurnsEnded: func([]string) {}}
}

// permit refuses a plan that this process would carry out on a file that is open in another
// one's editor: the unsaved text there would be lost, or overwrite the change. It permits what the person's own editor
// applies, since nothing is written then, and what an editor applies that has the same text as the other process.
func (p *Project) permit(plan *edits.Plan) error {
	if !p.frontEnd.CanApply(plan) || plan.NeedsDisk() {
		return p.refuseOpenElsewhere(plan)
	}
	if p.peers.Editor {
		return nil
	}
	source, asked := p.frontEnd.(TextSource)
	for i := range plan.Files {
		f := &plan.Files[i]
		if p.peers.IsOpen(f.Path) && !(asked && source.HasText(f.Path, f.Before) && p.peers.HaveText(f.Path, f.Before)) {
			return p.openElsewhere(f.Path, plan)
		}
	}
	return nil
}

// refuseOpenElsewhere fails if a file of the plan is open in another process's editor.
func (p *Project) refuseOpenElsewhere(plan *edits.Plan) error {
	for _, path := range pathsOf(plan) {
		if p.peers.IsOpen(path) {
			return p.openElsewhere(path, plan)
		}
	}
	return nil
}

func (p *Project) openElsewhere(path string, plan *edits.Plan) error {
	return fmt.Errorf("%s is open in the editor; %s it there", p.Workspace.Rel(path), plan.Verb())
}
