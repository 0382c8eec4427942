package lsp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/bus"
)

// settleTime is how long the editor has, after it said that it applied an
// edit, to send the text that proves it.
const settleTime = 2 * time.Second

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
			URI: uri.File(c.Path), Path: project.workspace.Rel(c.Path), Hunk: c.Hunk, Line: c.Line,
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
	return s.carryOut(ctx, "applied", func(ctx context.Context, m *edits.Manager) (*edits.Plan, error) {
		return m.Accept(ctx, p.ID, selection)
	})
}

func (s *Server) proposalUndo(ctx context.Context, p *ploke.ProposalParams) (*ploke.ProposalDecision, error) {
	return s.carryOut(ctx, "undone", func(ctx context.Context, m *edits.Manager) (*edits.Plan, error) { return m.Undo(ctx, p.ID) })
}

func (s *Server) proposalRedo(ctx context.Context, p *ploke.ProposalParams) (*ploke.ProposalDecision, error) {
	return s.carryOut(ctx, "redone", func(ctx context.Context, m *edits.Manager) (*edits.Plan, error) { return m.Redo(ctx, p.ID) })
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

// carryOut makes a plan and has it carried out, by the editor where it can.
// what names the outcome that is wanted.
func (s *Server) carryOut(ctx context.Context, what string, make func(context.Context, *edits.Manager) (*edits.Plan, error)) (*ploke.ProposalDecision, error) {
	project, client := s.project, s.client
	release(ctx)
	plan, err := make(ctx, project.edits)
	if err != nil {
		return nil, err
	}
	// From here on the editor may be changing text: what became of it has to be
	// found out even if the request is cancelled.
	ctx = context.WithoutCancel(ctx)
	var outcome edits.Outcome
	if client.canApply(plan) {
		outcome = s.applyInEditor(ctx, plan)
	} else {
		outcome = s.applyOnDisk(ctx, plan)
	}
	if outcome.Applied {
		project.diskChanged(pathsOf(plan))
	}
	proposal, err := project.edits.Settle(ctx, plan, outcome)
	if err != nil {
		return nil, err
	}
	if !outcome.Applied {
		return nil, fmt.Errorf("the proposal was not %s: %s", what, outcome.Reason)
	}
	return project.decision(proposal), nil
}

// pathsOf returns the names that the plan's files have or get.
func pathsOf(plan *edits.Plan) (paths []string) {
	for _, f := range plan.Files {
		paths = append(paths, f.Path)
		if f.To != "" {
			paths = append(paths, f.To)
		}
	}
	return paths
}

// applyInEditor has the editor apply the plan and waits for the texts that show
// it.
func (s *Server) applyInEditor(ctx context.Context, plan *edits.Plan) edits.Outcome {
	if s.project.edits.Shows(ctx, plan) {
		return edits.Outcome{Applied: true} // somebody typed the same
	}
	applied, reason, err := s.client.applyEdit(ctx, "ploke", s.workspaceEdit(plan))
	switch {
	case err != nil:
		return edits.Outcome{Reason: err.Error()}
	case !applied && reason == "":
		return edits.Outcome{Reason: "the editor refused the edit"}
	case !applied:
		return edits.Outcome{Reason: "the editor refused the edit: " + reason}
	}
	s.documents.await(ctx, settleTime, func() bool { return s.project.edits.Shows(ctx, plan) })
	return edits.Outcome{Applied: true}
}

// applyOnDisk writes the plan for a client that can't. A file that is open in
// it is left alone: writing beneath an editor loses text.
func (s *Server) applyOnDisk(ctx context.Context, plan *edits.Plan) edits.Outcome {
	var open []string
	for _, path := range pathsOf(plan) {
		if s.documents.get(uri.File(path)) != nil {
			open = append(open, s.project.workspace.Rel(path))
		}
	}
	if len(open) > 0 {
		return edits.Outcome{Reason: fmt.Sprintf("this editor can't apply such edits, and %s is open in it: close it and try again", strings.Join(open, ", "))}
	}
	if err := s.project.edits.WriteToDisk(ctx, plan); err != nil {
		return edits.Outcome{Reason: err.Error()}
	}
	return edits.Outcome{Applied: true}
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
