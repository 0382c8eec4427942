package acp

import (
	"context"
	"errors"
	"slices"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
)

// The answers to a proposal.
const (
	acceptProposal  = "accept"
	acceptProposals = "accept-all" // this one, and the later ones of the session
	decideOnFiles   = "each-file"
	rejectProposal  = "reject"
	rejectAndSayWhy = "reject-why"
)

var proposalOptions = []protocol.PermissionOption{
	{ID: acceptProposal, Name: "Accept", Kind: protocol.AllowOnce},
	{ID: acceptProposals, Name: "Accept all edits of this session", Kind: protocol.AllowAlways},
	{ID: decideOnFiles, Name: "Decide on each file", Kind: protocol.AllowOnce},
	{ID: rejectProposal, Name: "Reject", Kind: protocol.RejectOnce},
	{ID: rejectAndSayWhy, Name: "Reject, and say why", Kind: protocol.RejectOnce},
}

// optionsFor returns the answers to a proposal. One with a single file that waits has no files to tell apart.
func optionsFor(p *edits.Proposal) []protocol.PermissionOption {
	waiting := 0
	for _, c := range p.Changes {
		if c.Waits() {
			waiting++
		}
	}
	if waiting > 1 {
		return proposalOptions
	}
	return slices.DeleteFunc(slices.Clone(proposalOptions),
		func(o protocol.PermissionOption) bool { return o.ID == decideOnFiles })
}

// review shows what a turn has proposed, and asks the person about each proposal of the conversation
// that waits. What the person does not decide on waits, and is asked about again after the next turn.
func (s *openSession) review(ctx context.Context, turnID string) {
	all, err := s.folder.project.Edits.Proposals.InConversation(ctx, s.id)
	if err != nil {
		s.notice(warning("the proposed edits could not be read: " + err.Error()))
		return
	}
	for _, p := range all {
		waits := proposalStatus(p) == protocol.StatusPending
		ofTurn := slices.ContainsFunc(p.AllOrigins(), func(o edits.Origin) bool { return o.RequestID == turnID })
		if p.Status() == edits.Withdrawn || !waits && !ofTurn {
			continue
		}
		call, options := s.proposalCall(ctx, p)
		s.update(call)
		if waits && ctx.Err() == nil {
			s.decide(ctx, p, call, options)
		}
	}
}

// decide asks the person about a proposal, of which call shows p, and does with p what the person says.
func (s *openSession) decide(ctx context.Context, p *edits.Proposal, call protocol.ToolCall,
	options []protocol.PermissionOption) {
	asking, done := s.folder.frontEnd.asking(ctx, p.ID)
	defer done()
	call.Kind = ""
	chosen, err := s.ask(asking, call, options)
	if err != nil {
		chosen = "" // no answer is no decision
	}
	ctx = context.WithoutCancel(ctx)
	project := s.folder.project
	switch chosen {
	case acceptProposals:
		err = s.accept(ctx, p, p.Whole())
		if err == nil || errors.As(err, new(*edits.UnrecordedError)) { // else what they agreed to was not done
			project.AutoAccept.Set(s.id, true)
			s.update(s.configUpdate())
		}
	case acceptProposal:
		err = s.accept(ctx, p, p.Whole())
	case decideOnFiles:
		err = s.decideEach(ctx, asking, p)
	case rejectProposal:
		_, err = project.Edits.Reject(ctx, p.Whole(), "")
	case rejectAndSayWhy:
		err = s.rejectWithReason(ctx, asking, p, call.ID)
	default:
		err = nil
	}
	s.showDecision(ctx, p, call, err)
}

// accept has the files of a proposal that a decision names, or all, applied to the texts that the client has. Without
// one of these, the proposal waits.
func (s *openSession) accept(ctx context.Context, p *edits.Proposal, d edits.Decision) error {
	now, err := s.folder.project.Edits.Proposals.Get(ctx, d.ID)
	if err != nil {
		return err
	}
	if err := d.CheckTexts(now); err != nil {
		return err // whatever the client has of files that the person was not shown
	}
	files := s.folder.frontEnd.files
	for _, c := range p.Changes {
		if d.Files != nil && !slices.Contains(d.Files, c.Path) {
			continue
		}
		files.refresh(ctx, s, c.Path)
		if err := files.known(c.Path); err != nil && c.Op == edits.OpEdit {
			return err
		}
	}
	_, err = s.folder.project.Applier.Accept(ctx, d)
	return err
}

// showDecision shows what has become of a proposal, and why it could not be carried out.
func (s *openSession) showDecision(ctx context.Context, p *edits.Proposal, call protocol.ToolCall, failure error) {
	now, err := s.folder.project.Edits.Proposals.Get(ctx, p.ID)
	if err != nil {
		failure = err
	} else {
		p = now
	}
	update := protocol.ToolCall{Kind: protocol.ToolCallUpdate, ID: call.ID, Status: proposalStatus(p),
		RawOutput: proposalOutput(p)}
	if failure != nil {
		update.Status = statusAfter(failure, update.Status)
		update.Content = append(slices.Clone(call.Content), protocol.TextContent(display.Prose(failure.Error())))
		defer s.notice(warning(call.Title + ": " + failure.Error())) // some clients show no text of a call with a diff
	}
	s.update(update)
}

// statusAfter returns the state of a proposal about which a decision has failed; now is the one that is stored.
func statusAfter(failure error, now string) string {
	switch {
	case errors.As(failure, new(*edits.ChangedError)):
		return now // it waits, and is asked about again
	case errors.As(failure, new(*edits.UnrecordedError)):
		return protocol.StatusCompleted // whatever is stored, the files are written
	}
	return protocol.StatusFailed
}

// onlyOnce returns the options that hold for one question.
func onlyOnce(options []protocol.PermissionOption) []protocol.PermissionOption {
	return slices.DeleteFunc(slices.Clone(options), func(o protocol.PermissionOption) bool {
		return o.Kind == protocol.AllowAlways || o.Kind == protocol.RejectAlways
	})
}
