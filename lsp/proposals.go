package lsp

import (
	"context"

	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/bus"
)

// recoverEdits puts right what an earlier process left of its edits, and then, in
// the background, lets go of what nobody needs any more.
func (p *project) recoverEdits(ctx context.Context) {
	if err := p.edits.Recover(ctx); err != nil {
		p.log.Error("edits of an earlier run could not be put right", "error", err)
		p.bus.Publish(bus.Notice{Text: "edits of an earlier run could not be put right: " + err.Error()})
	}
	p.followers.Go(func() {
		if err := p.edits.Collect(ctx); err != nil && ctx.Err() == nil {
			p.log.Warn("old texts of edits stay in the database", "error", err)
		}
	})
}

func (s *Server) proposalList(ctx context.Context, p *ploke.ProposalListParams) (*ploke.ProposalListResult, error) {
	project := s.project
	release(ctx)
	all, err := project.edits.List(ctx, edits.State(p.Status))
	if err != nil {
		return nil, err
	}
	result := &ploke.ProposalListResult{Proposals: []ploke.Proposal{}}
	for _, proposal := range all {
		result.Proposals = append(result.Proposals, project.summary(proposal))
	}
	return result, nil
}

func (s *Server) proposalGet(ctx context.Context, p *ploke.ProposalParams) (*ploke.ProposalGetResult, error) {
	project := s.project
	release(ctx)
	proposal, err := project.edits.Load(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	result := &ploke.ProposalGetResult{Proposal: project.summary(proposal), Files: []ploke.ProposalView{}}
	if result.Diff, err = project.edits.Diff(ctx, proposal); err != nil {
		return nil, err
	}
	views, err := project.edits.Files(ctx, proposal)
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		result.Files = append(result.Files, view(v))
	}
	conflicts, err := project.edits.Conflicts(ctx, proposal)
	if err != nil {
		return nil, err
	}
	for _, c := range conflicts {
		result.Conflicts = append(result.Conflicts, ploke.Conflict{
			URI: uri.File(c.Path), Path: project.workspace.Rel(c.Path), Hunks: c.Hunks, Line: c.Line,
			Base: c.Base, Ours: c.Ours, Theirs: c.Theirs, Reason: c.Reason,
		})
	}
	return result, nil
}

func view(v edits.FileView) ploke.ProposalView {
	out := ploke.ProposalView{URI: uri.File(v.Path), Path: v.Rel, Op: string(v.Op), Before: v.Before, After: v.After, Hunks: []ploke.Hunk{}}
	if v.To != "" {
		out.NewURI, out.NewPath = uri.File(v.To), v.RelTo
	}
	for _, h := range v.Hunks {
		out.Hunks = append(out.Hunks, ploke.Hunk{ID: h.ID, StartLine: h.StartLine, EndLine: h.EndLine, State: string(h.State)})
	}
	return out
}

func (s *Server) proposalAccept(ctx context.Context, p *ploke.ProposalAcceptParams) (*ploke.ProposalDecision, error) {
	selection := edits.Selection{Hunks: p.Hunks}
	for _, u := range p.Files {
		selection.Files = append(selection.Files, filePath(u))
	}
	apply := s.applier()
	release(ctx)
	return apply.accept(ctx, p.ID, selection)
}

func (s *Server) proposalUndo(ctx context.Context, p *ploke.ProposalParams) (*ploke.ProposalDecision, error) {
	apply := s.applier()
	release(ctx)
	plan, err := apply.project.edits.Undo(ctx, p.ID)
	return apply.carryOut(ctx, "undone", plan, err)
}

func (s *Server) proposalRedo(ctx context.Context, p *ploke.ProposalParams) (*ploke.ProposalDecision, error) {
	apply := s.applier()
	release(ctx)
	plan, err := apply.project.edits.Redo(ctx, p.ID)
	return apply.carryOut(ctx, "redone", plan, err)
}

func (s *Server) proposalEdit(ctx context.Context, p *ploke.ProposalEditParams) (*ploke.ProposalDecision, error) {
	project := s.project
	release(ctx)
	proposal, err := project.edits.EditFile(ctx, p.ID, filePath(p.File), p.After)
	if err != nil {
		return nil, err
	}
	return project.decision(proposal), nil
}

func (s *Server) proposalReject(ctx context.Context, p *ploke.ProposalRejectParams) (*ploke.ProposalDecision, error) {
	project := s.project
	release(ctx)
	proposal, err := project.edits.Reject(ctx, p.ID, p.Reason)
	if err != nil {
		return nil, err
	}
	return project.decision(proposal), nil
}

func (p *project) decision(proposal *edits.Proposal) *ploke.ProposalDecision {
	return &ploke.ProposalDecision{Status: string(proposal.Status()), Files: p.summary(proposal).Files}
}

func (p *project) summary(proposal *edits.Proposal) ploke.Proposal {
	out := ploke.Proposal{
		ID:             proposal.ID,
		Title:          proposal.Title,
		Status:         string(proposal.Status()),
		ConversationID: proposal.ConversationID,
		TurnID:         proposal.RequestID,
		Files:          []ploke.ProposalFile{},
		CreatedAt:      proposal.CreatedAt.UnixMilli(),
	}
	for _, c := range proposal.Changes {
		file := ploke.ProposalFile{URI: uri.File(c.Path), Path: p.workspace.Rel(c.Path), Op: string(c.Op), Hunks: len(c.Hunks)}
		if c.To != "" {
			file.NewURI, file.NewPath = uri.File(c.To), p.workspace.Rel(c.To)
		}
		for _, problem := range c.Problems {
			file.Problems = append(file.Problems, ploke.Problem{Line: problem.Line, Message: problem.Message})
		}
		out.Files = append(out.Files, file)
	}
	return out
}
