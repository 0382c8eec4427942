package acp

import (
	"context"
	"encoding/json"
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

// proposalStatus returns the state of a proposal as that of a call.
func proposalStatus(p *edits.Proposal) string {
	if slices.ContainsFunc(p.Changes, func(c *edits.Change) bool { return c.Waits() }) {
		return protocol.StatusPending
	}
	switch p.Status() {
	case edits.Accepted:
		return protocol.StatusInProgress
	case edits.Applied, edits.Verified, edits.Partial:
		return protocol.StatusCompleted
	}
	return protocol.StatusFailed
}

// proposalOutput says in words what has become of a proposal.
func proposalOutput(p *edits.Proposal) json.RawMessage {
	out := map[string]string{"status": string(p.Status())}
	if p.DecisionReason != "" {
		out["reason"] = p.DecisionReason
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	return text
}

// proposalCall returns a proposal as a call that edits, with its diff, and the answers that it has. What is not shown
// whole is not accepted for the whole session.
func (s *openSession) proposalCall(ctx context.Context,
	p *edits.Proposal) (protocol.ToolCall, []protocol.PermissionOption) {
	call := protocol.ToolCall{Kind: protocol.NewToolCall, ID: "proposal-" + p.ID, Title: display.ProseName(p.Title),
		ToolKind: protocol.KindEdit, Status: proposalStatus(p)}
	if call.Title == "" {
		call.Title = "Proposed edits"
	}
	if call.Status != protocol.StatusPending {
		call.RawOutput = proposalOutput(p)
	}
	views, err := s.folder.project.Edits.Preview.Files(ctx, p)
	if err != nil {
		call.Content = []protocol.ToolCallContent{protocol.TextContent(display.Prose("the diff can't be shown: " +
			err.Error()))}
		return call, onlyOnce(optionsFor(p))
	}
	files := []string{}
	for i := range views {
		files = append(files, views[i].Rel)
		call.Locations = append(call.Locations, protocol.Location{Path: views[i].Path, Line: firstLine(&views[i])})
	}
	call.Content = diffs(views)
	if known, err := s.folder.project.Evidence.Refreshed(ctx, p); err == nil && len(known) > 0 {
		call.Content = append(call.Content, protocol.TextContent(evidenceSummary(known)))
	}
	call.RawInput, err = json.Marshal(map[string]any{"proposal": p.ID, "files": files})
	if err != nil {
		call.RawInput = nil
	}
	if _, omitted := boundedDiffs(views); omitted > 0 {
		return call, onlyOnce(optionsFor(p))
	}
	return call, optionsFor(p)
}

// onlyOnce returns the options that hold for one question.
func onlyOnce(options []protocol.PermissionOption) []protocol.PermissionOption {
	return slices.DeleteFunc(slices.Clone(options), func(o protocol.PermissionOption) bool {
		return o.Kind == protocol.AllowAlways || o.Kind == protocol.RejectAlways
	})
}

// firstLine returns the first line that a view changes, 0 if it changes none.
func firstLine(v *edits.FileView) int {
	if len(v.Hunks) == 0 {
		return 0
	}
	return v.Hunks[0].StartLine
}
