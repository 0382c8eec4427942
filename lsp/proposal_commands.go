package lsp

import (
	"context"
	"errors"
	"fmt"

	"ploke-lsp/edits"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// proposalCommands are the commands of proposals. Without an id, each is about the newest
// proposal that it can mean; if there are several, the person is asked.
func (s *Server) proposalCommands() []command {
	return []command{
		onCommand(ploke.CommandProposalAccept, withoutWords(s.acceptCommand)),
		onCommand(ploke.CommandProposalReject, s.rejectCommand),
		onCommand(ploke.CommandProposalUndo, withoutWords(s.undoCommand)),
		onCommand(ploke.CommandProposalRedo, withoutWords(s.redoCommand)),
		onCommand(ploke.CommandProposalShow, withoutWords(s.showProposalCommand)),
	}
}

// listProposals lists the proposals that a command can mean, the likeliest first.
type listProposals func(*edits.Manager, context.Context) ([]*edits.Proposal, error)

func (s *Server) acceptCommand(ctx context.Context, p *ploke.ProposalAcceptParams) (any, error) {
	named := edits.Decision{ID: p.ID, Shown: edits.Version(p.Version), Selection: selectionOf(p.Files, p.Hunks)}
	return s.decideAfterwards(ctx, named, "accept", (*edits.Manager).Undecided, func(ctx context.Context, pr *project.Project, d edits.Decision) (*edits.Proposal, error) {
		if len(d.Files)+len(d.Hunks) == 0 && !s.client.ChangesFiles() {
			return acceptByFile(ctx, pr, d)
		}
		return pr.Accept(ctx, d)
	})
}

// acceptByFile accepts all that waits of a proposal, one file after the other. In a client that
// edits its open documents, but creates, renames and deletes no files, one plan of both could be
// carried out neither there nor on disk.
func acceptByFile(ctx context.Context, pr *project.Project, d edits.Decision) (proposal *edits.Proposal, err error) {
	if proposal, err = pr.Edits.Get(ctx, d.ID); err != nil {
		return nil, err
	}
	files, err := pr.Edits.Place(ctx, proposal)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 || d.Shown != proposal.Version() {
		return pr.Accept(ctx, d) // it says why
	}
	var failed error
	for _, f := range files {
		d.Hunks = hunkIDs(f.Hunks)
		accepted, err := pr.Accept(ctx, d)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		proposal = accepted
	}
	return proposal, failed
}

func (s *Server) rejectCommand(ctx context.Context, p *ploke.ProposalRejectParams, words string) (any, error) {
	if p.Reason == "" {
		p.Reason = words
	}
	named := edits.Decision{ID: p.ID, Shown: edits.Version(p.Version), Selection: selectionOf(p.Files, p.Hunks)}
	return s.decideAfterwards(ctx, named, "reject", (*edits.Manager).Undecided, func(ctx context.Context, pr *project.Project, d edits.Decision) (*edits.Proposal, error) {
		return pr.Edits.Reject(ctx, d, p.Reason)
	})
}

func (s *Server) undoCommand(ctx context.Context, p *ploke.ProposalParams) (any, error) {
	named := edits.Decision{ID: p.ID, Shown: edits.Version(p.Version)}
	return s.decideAfterwards(ctx, named, "undo", s.announced((*edits.Manager).Applied), func(ctx context.Context, pr *project.Project, d edits.Decision) (*edits.Proposal, error) {
		return pr.Undo(ctx, d)
	})
}

func (s *Server) redoCommand(ctx context.Context, p *ploke.ProposalParams) (any, error) {
	named := edits.Decision{ID: p.ID, Shown: edits.Version(p.Version)}
	return s.decideAfterwards(ctx, named, "redo", s.announced((*edits.Manager).Undone), func(ctx context.Context, pr *project.Project, d edits.Decision) (*edits.Proposal, error) {
		return pr.Redo(ctx, d)
	})
}

// decideAfterwards answers the command, and then decides on a proposal. The texts show what came
// of it; the person is told only if it failed.
func (s *Server) decideAfterwards(ctx context.Context, named edits.Decision, verb string, list listProposals,
	decide func(context.Context, *project.Project, edits.Decision) (*edits.Proposal, error)) (any, error) {
	opened := s.project
	s.background.Afterwards(func(ctx context.Context) error {
		s.agree(ctx) // what the person has typed in a diff is part of what they see
		d, err := s.chooseDecision(ctx, opened, named, verb, list)
		if err != nil || d.ID == "" {
			return err
		}
		decided, err := decide(ctx, opened, d)
		if err == nil {
			s.client.Shown.Decided(decided)
		}
		return err
	})
	return nil, nil
}

// announced returns list, and counts what it lists as shown: the person has decided on it before.
func (s *Server) announced(list listProposals) listProposals {
	return func(m *edits.Manager, ctx context.Context) ([]*edits.Proposal, error) {
		all, err := list(m, ctx)
		for _, p := range all {
			s.client.Shown.Announced(p.ID, p.Version())
		}
		return all, err
	}
}

// chooseDecision completes the decision of a command with what it does not name: the proposal, and the version that the client
// was shown of it last before the person was asked. The decision has no id if the person chooses no proposal.
func (s *Server) chooseDecision(ctx context.Context, opened *project.Project, named edits.Decision, verb string, list listProposals) (edits.Decision, error) {
	var seen map[string]edits.Version
	id, err := s.chooseProposal(ctx, opened, named.ID, verb, func(m *edits.Manager, ctx context.Context) ([]*edits.Proposal, error) {
		all, err := list(m, ctx)
		seen = s.client.Shown.Versions()
		return all, err
	})
	if named.ID == "" {
		named.Shown = seen[id]
	} else if named.Shown == "" {
		named.Shown = s.client.Shown.Last(id).Version
	}
	named.ID = id
	return named, err
}

// chooseProposal returns the id of the proposal that a command is about: the one that it names,
// or the only one, or the one that the person chooses. A client that can't ask gets the first.
// The id is empty if the person chooses none.
func (s *Server) chooseProposal(ctx context.Context, opened *project.Project, id, verb string, list listProposals) (string, error) {
	if id != "" {
		return id, nil
	}
	all, err := list(opened.Edits, ctx)
	switch {
	case err != nil:
		return "", err
	case len(all) == 0:
		return "", fmt.Errorf("there is no proposal to %s", verb)
	case len(all) == 1 || !s.client.ShowsMessageRequests:
		return all[0].ID, nil
	}
	var titles []string
	for _, p := range all[:min(len(all), client.MaxChoices)] {
		titles = append(titles, quotedTitle(p))
	}
	chosen, err := s.client.Ask(ctx, fmt.Sprintf("ploke: which proposal do you want to %s?", verb), titles)
	if err != nil || chosen < 0 {
		return "", err
	}
	return all[chosen].ID, nil
}
