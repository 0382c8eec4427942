package lsp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	ploke "ploke-lsp/lsp/protocol"
)

// settleTime is how long the editor has, after it said that it applied an
// edit, to send the text that proves it.
const settleTime = 2 * time.Second

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
	proposal, err := project.edits.Get(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	diff, err := project.edits.Diff(ctx, proposal)
	if err != nil {
		return nil, err
	}
	views, err := project.edits.Files(ctx, proposal)
	if err != nil {
		return nil, err
	}
	result := &ploke.ProposalGetResult{Proposal: project.summary(proposal), Diff: diff, Files: []ploke.ProposalView{}}
	for _, v := range views {
		view := ploke.ProposalView{URI: uri.File(v.Path), Path: v.Rel, Before: v.Before, After: v.After, Hunks: []ploke.Hunk{}}
		for _, h := range v.Hunks {
			view.Hunks = append(view.Hunks, ploke.Hunk{ID: h.ID, StartLine: h.StartLine, EndLine: h.EndLine, State: string(h.State)})
		}
		result.Files = append(result.Files, view)
	}
	return result, nil
}

func (s *Server) proposalAccept(ctx context.Context, p *ploke.ProposalAcceptParams) (*ploke.ProposalDecision, error) {
	project, client := s.project, s.client
	selection := edits.Selection{Hunks: p.Hunks}
	for _, u := range p.Files {
		selection.Files = append(selection.Files, filePath(u))
	}
	release(ctx)
	plan, err := project.edits.Accept(ctx, p.ID, selection)
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
	proposal, err := project.edits.Settle(ctx, plan, outcome)
	if err != nil {
		return nil, err
	}
	if !outcome.Applied {
		return nil, fmt.Errorf("the proposal was not applied: %s", outcome.Reason)
	}
	return project.decision(proposal), nil
}

// applyInEditor has the editor apply the plan and waits for the texts that show
// it.
func (s *Server) applyInEditor(ctx context.Context, plan *edits.Plan) edits.Outcome {
	if s.project.shows(ctx, plan) {
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
	s.documents.await(ctx, settleTime, func() bool { return s.project.shows(ctx, plan) })
	return edits.Outcome{Applied: true}
}

// shows reports whether every file reads as the plan wants it.
func (p *project) shows(ctx context.Context, plan *edits.Plan) bool {
	for _, f := range plan.Files {
		file, err := p.workspace.Read(ctx, f.Path)
		if err != nil || string(file.Text) != string(f.After) {
			return false
		}
	}
	return true
}

// applyOnDisk writes the plan for a client that can't. A file that is open in
// it is left alone: writing beneath an editor loses text.
func (s *Server) applyOnDisk(ctx context.Context, plan *edits.Plan) edits.Outcome {
	var open, paths []string
	for _, f := range plan.Files {
		paths = append(paths, f.Path)
		if s.documents.get(uri.File(f.Path)) != nil {
			open = append(open, s.project.workspace.Rel(f.Path))
		}
	}
	if len(open) > 0 {
		return edits.Outcome{Reason: fmt.Sprintf("this editor can't apply such edits, and %s is open in it: close it and accept again", strings.Join(open, ", "))}
	}
	if err := s.project.edits.WriteToDisk(ctx, plan); err != nil {
		return edits.Outcome{Reason: err.Error()}
	}
	s.project.diskChanged(paths)
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
		out.Files = append(out.Files, ploke.ProposalFile{
			URI: uri.File(c.Path), Path: p.workspace.Rel(c.Path), Op: string(c.Op), Hunks: len(c.Hunks),
		})
	}
	return out
}
