package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"ploke-lsp/edits"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// listProposals lists the proposals that a command can mean, the likeliest first.
type listProposals func(*edits.Proposals, context.Context) ([]*edits.Proposal, error)

// AcceptCommand accepts a proposal, or some files or hunks of it.
func (r *Review) AcceptCommand(ctx context.Context, p *ploke.ProposalAcceptParams) (any, error) {
	named := edits.Decision{ID: p.ID, Shown: edits.Version(p.Version), Selection: selectionOf(p.Files, p.Hunks)}
	return r.decideAfterwards(ctx, named, "accept", (*edits.Proposals).Undecided,
		func(ctx context.Context, pr *project.Project, d edits.Decision) (*edits.Proposal, error) {
			if len(d.Files)+len(d.Hunks) == 0 && !r.Client.ChangesFiles() {
				return acceptByFile(ctx, pr, d)
			}
			return pr.Applier.Accept(ctx, d)
		})
}

// acceptByFile accepts all that waits of a proposal, one file after the other. In a client that
// edits its open documents, but creates, renames and deletes no files, one plan of both could be
// carried out neither there nor on disk.
func acceptByFile(ctx context.Context, pr *project.Project, d edits.Decision) (proposal *edits.Proposal, err error) {
	if proposal, err = pr.Edits.Proposals.Get(ctx, d.ID); err != nil {
		return nil, err
	}
	files, err := pr.Edits.Preview.Place(ctx, proposal)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 || d.Shown != proposal.Version() {
		return pr.Applier.Accept(ctx, d) // it says why
	}
	var failed error
	for _, f := range files {
		d.Hunks = hunkIDs(f.Hunks)
		accepted, err := pr.Applier.Accept(ctx, d)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		proposal = accepted
	}
	return proposal, failed
}

// RejectCommand rejects a proposal, or some files or hunks of it. Words are the reason.
func (r *Review) RejectCommand(ctx context.Context, p *ploke.ProposalRejectParams, words string) (any, error) {
	p.Reason = cmp.Or(p.Reason, words)
	named := edits.Decision{ID: p.ID, Shown: edits.Version(p.Version), Selection: selectionOf(p.Files, p.Hunks)}
	return r.decideAfterwards(ctx, named, "reject", (*edits.Proposals).Undecided,
		func(ctx context.Context, pr *project.Project, d edits.Decision) (*edits.Proposal, error) {
			return pr.Edits.Reject(ctx, d, p.Reason)
		})
}

// UndoCommand takes back what was accepted of a proposal.
func (r *Review) UndoCommand(ctx context.Context, p *ploke.ProposalParams) (any, error) {
	named := edits.Decision{ID: p.ID, Shown: edits.Version(p.Version)}
	return r.decideAfterwards(ctx, named, "undo", r.announced((*edits.Proposals).Applied),
		func(ctx context.Context, pr *project.Project, d edits.Decision) (*edits.Proposal, error) {
			return pr.Applier.Undo(ctx, d)
		})
}

// RedoCommand makes the changes of a proposal again that were undone.
func (r *Review) RedoCommand(ctx context.Context, p *ploke.ProposalParams) (any, error) {
	named := edits.Decision{ID: p.ID, Shown: edits.Version(p.Version)}
	return r.decideAfterwards(ctx, named, "redo", r.announced((*edits.Proposals).Undone),
		func(ctx context.Context, pr *project.Project, d edits.Decision) (*edits.Proposal, error) {
			return pr.Applier.Redo(ctx, d)
		})
}

// decideAfterwards answers the command, and then decides on a proposal. The person is told what came of it. What counts
// is what they see when the command comes, not what they are shown of an amendment while it works.
func (r *Review) decideAfterwards(ctx context.Context, named edits.Decision, verb string, list listProposals,
	decide func(context.Context, *project.Project, edits.Decision) (*edits.Proposal, error)) (any, error) {
	opened := r.Project
	var meant []*edits.Proposal
	if named.ID == "" {
		var err error
		if meant, err = list(opened.Edits.Proposals, ctx); err != nil {
			return nil, err
		}
	}
	seen := r.Client.Shown.Looks()
	r.Background.Afterwards(func(ctx context.Context) error {
		r.diffs.agree(ctx) // what the person has typed in a diff is part of what they see
		d, err := r.chooseDecision(ctx, named, verb, meant, seen)
		if err != nil || d.ID == "" {
			return err
		}
		decided, err := decide(ctx, opened, d)
		if err == nil {
			r.Client.Shown.Decided(decided)
			r.tellDecided(ctx, opened, verb, decided)
		}
		return err
	})
	return nil, nil
}

// announced returns list, and counts what it lists as shown: the person has decided on it before.
func (r *Review) announced(list listProposals) listProposals {
	return func(s *edits.Proposals, ctx context.Context) ([]*edits.Proposal, error) {
		all, err := list(s, ctx)
		for _, p := range all {
			r.Client.Shown.Announced(p.ID, p.Version())
		}
		return all, err
	}
}

// chooseDecision completes the decision of a command with what it does not name: the proposal, and
// the version that the client had been shown of it when the command came. The decision has no
// id if the person chooses no proposal.
func (r *Review) chooseDecision(ctx context.Context, named edits.Decision, verb string, meant []*edits.Proposal,
	seen map[string]client.ShownVersion) (edits.Decision, error) {
	id, err := r.chooseProposal(ctx, named.ID, verb, meant)
	if named.ID == "" || named.Shown == "" {
		named.Shown = r.Client.Shown.Since(id, seen[id])
	}
	named.ID = id
	return named, err
}

// chooseProposal returns the id of the proposal that a command is about: the one that it names,
// or the only one of all that it can mean, or the one that the person chooses. A client that can't ask gets the first.
// The id is empty if the person chooses none.
func (r *Review) chooseProposal(ctx context.Context, id, verb string, all []*edits.Proposal) (string, error) {
	switch {
	case id != "":
		return id, nil
	case len(all) == 0:
		return "", fmt.Errorf("there is no proposal to %s", verb)
	case len(all) == 1 || !r.Client.ShowsMessageRequests:
		return all[0].ID, nil
	}
	var titles []string
	for _, p := range all[:min(len(all), client.MaxChoices)] {
		titles = append(titles, quotedTitle(p))
	}
	chosen, err := r.Client.Ask(ctx, fmt.Sprintf("ploke: which proposal do you want to %s?", verb), titles)
	if err != nil || chosen < 0 {
		return "", err
	}
	return all[chosen].ID, nil
}
