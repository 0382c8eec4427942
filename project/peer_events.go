package project

import (
	"context"
	"errors"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/peers"
)

// peerEvents connects the project to its peers.
func (p *Project) peerEvents() peers.Events {
	return peers.Events{
		TextChanged:      p.texts.Announce,
		Returned:         func(path string) { p.Indexer.DiskChanged(path) }, // it may have been saved
		ProposalsChanged: p.proposalsChangedElsewhere,
		TurnsEnded:       p.turnsEndedElsewhere,
		Running:          func(turnID string) bool { return p.Engine.Running(turnID) },
	}
}

// joinPeers makes the group of the processes that have the same folders open.
func (p *Project) joinPeers(o Options) {
	others := o.peers(p.Workspace, p.Index, p.peerEvents())
	others.Answer = func(ctx context.Context, root string, question []byte) ([]byte, error) {
		return p.answer(ctx, o.Hooks.Answer, root, question)
	}
	p.peers = peers.New(others)
}

// proposalChanged publishes the new state of a proposal that this process has changed.
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

// ignoredEvents is for a folder that only borrows texts.
func ignoredEvents() peers.Events {
	return peers.Events{TextChanged: func() {}, Returned: func(string) {},
		ProposalsChanged: func([]string) []string { return nil }, TurnsEnded: func([]string) {}}
}
