package acp

import (
	"context"
	"encoding/json"
	"slices"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
)

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

// firstLine returns the first line that a view changes, 0 if it changes none.
func firstLine(v *edits.FileView) int {
	if len(v.Hunks) == 0 {
		return 0
	}
	return v.Hunks[0].StartLine
}
