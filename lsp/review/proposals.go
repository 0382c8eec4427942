package review

import (
	"context"

	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// Proposals lists the proposals in a state, or all.
func (r *Review) Proposals(ctx context.Context, p *ploke.ProposalListParams) (*ploke.ProposalListResult, error) {
	project := r.Project
	rpc.Release(ctx)
	all, err := project.Edits.Proposals.List(ctx, edits.State(p.Status))
	if err != nil {
		return nil, err
	}
	result := &ploke.ProposalListResult{Proposals: []ploke.Proposal{}}
	for _, proposal := range all {
		known, err := project.Evidence.Of(ctx, proposal)
		if err != nil {
			return nil, err
		}
		listed := encodeProposal(project, proposal)
		listed.Evidence = client.EncodeEvidence(known, false)
		result.Proposals = append(result.Proposals, listed)
		r.Client.Shown.Announced(proposal.ID, proposal.Version())
	}
	return result, nil
}

// Proposal returns a proposal with its texts, its diff and its conflicts.
func (r *Review) Proposal(ctx context.Context, p *ploke.ProposalParams) (*ploke.ProposalGetResult, error) {
	project := r.Project
	rpc.Release(ctx)
	proposal, err := project.Edits.Load(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	result := &ploke.ProposalGetResult{Proposal: encodeProposal(project, proposal), Files: []ploke.ProposalView{}}
	known, err := project.Evidence.Refreshed(ctx, proposal)
	if err != nil {
		return nil, err
	}
	result.Proposal.Evidence = client.EncodeEvidence(known, true)
	if result.Diff, err = project.Edits.Preview.Diff(ctx, proposal); err != nil {
		return nil, err
	}
	if result.Preview, err = project.Preview(ctx, proposal); err != nil {
		return nil, err
	}
	views, err := project.Edits.Preview.Files(ctx, proposal)
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		result.Files = append(result.Files, encodeFileView(v))
	}
	conflicts, err := project.Edits.Preview.Conflicts(ctx, proposal)
	if err != nil {
		return nil, err
	}
	for _, c := range conflicts {
		result.Conflicts = append(result.Conflicts, ploke.Conflict{
			URI: uri.File(c.Path), Path: display.Name(project.Workspace.Rel(c.Path)), Hunks: c.Hunks, Line: c.Line,
			Base: c.Base, Ours: c.Ours, Theirs: c.Theirs, Reason: c.Reason,
		})
	}
	r.Client.Shown.ChangesShown(proposal.ID, proposal.Version())
	return result, nil
}

func encodeFileView(v edits.FileView) ploke.ProposalView {
	out := ploke.ProposalView{URI: uri.File(v.Path), Path: display.Name(v.Rel), Op: ploke.FileOp(v.Op), Before: v.Before,
		After: v.After, Hunks: []ploke.Hunk{}}
	if v.To != "" {
		out.NewURI, out.NewPath = uri.File(v.To), display.Name(v.RelTo)
	}
	out.Added, out.Removed = v.Lines()
	for _, h := range v.Hunks {
		out.Hunks = append(out.Hunks,
			ploke.Hunk{ID: h.ID, StartLine: h.StartLine, EndLine: h.EndLine, State: ploke.ProposalStatus(h.State)})
	}
	return out
}

// Accept accepts a proposal, or some files or hunks of it.
func (r *Review) Accept(ctx context.Context, p *ploke.ProposalAcceptParams) (*ploke.ProposalDecision, error) {
	return r.decide(ctx, p.ID, p.Version, selectionOf(p.Files, p.Hunks),
		func(pr *project.Project, d edits.Decision) (*edits.Proposal, error) { return pr.Applier.Accept(ctx, d) })
}

func selectionOf(files []uri.URI, hunks []string) edits.Selection {
	selection := edits.Selection{Hunks: hunks}
	for _, u := range files {
		selection.Files = append(selection.Files, document.FilePath(u))
	}
	return selection
}

// Undo takes back what was accepted of a proposal.
func (r *Review) Undo(ctx context.Context, p *ploke.ProposalParams) (*ploke.ProposalDecision, error) {
	return r.decide(ctx, p.ID, p.Version, edits.Selection{},
		func(pr *project.Project, d edits.Decision) (*edits.Proposal, error) { return pr.Applier.Undo(ctx, d) })
}

// Redo makes the changes of a proposal again that were undone.
func (r *Review) Redo(ctx context.Context, p *ploke.ProposalParams) (*ploke.ProposalDecision, error) {
	return r.decide(ctx, p.ID, p.Version, edits.Selection{},
		func(pr *project.Project, d edits.Decision) (*edits.Proposal, error) { return pr.Applier.Redo(ctx, d) })
}

// Edit makes the text of a file that a proposal leads to the one that the person wrote.
func (r *Review) Edit(ctx context.Context, p *ploke.ProposalEditParams) (*ploke.ProposalDecision, error) {
	return r.decide(ctx, p.ID, p.Version, edits.Selection{}, func(
		pr *project.Project, d edits.Decision,
	) (edited *edits.Proposal, err error) {
		if p.Over != nil {
			edited, err = pr.Edits.EditFileOver(ctx, d, document.FilePath(p.File), *p.Over, p.After)
		} else {
			edited, err = pr.Edits.EditFile(ctx, d, document.FilePath(p.File), p.After)
		}
		if err == nil {
			r.Client.Shown.ChangesShown(edited.ID, edited.Version()) // it is what the person wrote
		}
		return edited, err
	})
}

// Reject rejects a proposal, or some files or hunks of it.
func (r *Review) Reject(ctx context.Context, p *ploke.ProposalRejectParams) (*ploke.ProposalDecision, error) {
	return r.decide(ctx, p.ID, p.Version, selectionOf(p.Files, p.Hunks),
		func(pr *project.Project, d edits.Decision) (*edits.Proposal, error) {
			return pr.Edits.Reject(ctx, d, p.Reason)
		})
}

// decide runs a decision on a proposal in the version that the client names, or else has been shown, and returns its
// outcome. It calls release between, since what the client is shown afterwards is not what the person has decided on.
func (r *Review) decide(ctx context.Context, id, version string, selection edits.Selection,
	run func(*project.Project, edits.Decision) (*edits.Proposal, error),
) (*ploke.ProposalDecision, error) {
	p, d := r.Project, r.Client.Decision(id, version, selection)
	rpc.Release(ctx)
	proposal, err := run(p, d)
	if err != nil {
		return nil, err
	}
	r.Client.Shown.Decided(proposal)
	return &ploke.ProposalDecision{Status: ploke.ProposalStatus(proposal.Status()), Version: string(proposal.Version()),
		Files: encodeProposal(p, proposal).Files}, nil
}

func encodeProposal(p *project.Project, proposal *edits.Proposal) ploke.Proposal {
	out := ploke.Proposal{
		ID:             proposal.ID,
		Title:          display.Name(proposal.Title),
		Status:         ploke.ProposalStatus(proposal.Status()),
		ConversationID: proposal.ConversationID,
		TurnID:         proposal.RequestID,
		Files:          []ploke.ProposalFile{},
		CreatedAt:      proposal.CreatedAt.UnixMilli(),
		Version:        string(proposal.Version()),
	}
	for _, c := range proposal.Changes {
		out.Files = append(out.Files, encodeFile(p, c))
	}
	return out
}

func encodeFile(p *project.Project, c *edits.Change) ploke.ProposalFile {
	file := ploke.ProposalFile{URI: uri.File(c.Path), Path: display.Name(p.Workspace.Rel(c.Path)), Op: ploke.FileOp(c.Op),
		Hunks: len(c.Hunks)}
	if c.To != "" {
		file.NewURI, file.NewPath = uri.File(c.To), display.Name(p.Workspace.Rel(c.To))
	}
	for _, problem := range c.Problems {
		file.Problems = append(file.Problems, ploke.Problem{Line: problem.Line, Message: problem.Message})
	}
	return file
}
