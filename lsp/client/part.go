package client

import (
	"encoding/json"

	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
)

// EncodePart returns a part in its wire form.
func (c *Client) EncodePart(p project.Part) ploke.Part {
	out := c.encodeEvent(p)
	out.Seq = p.Seq
	return out
}

func (c *Client) encodeEvent(p project.Part) ploke.Part {
	switch e := p.Event.(type) {
	case bus.TurnQueued:
		return ploke.Part{Type: ploke.PartTurnQueued}
	case bus.TurnStarted:
		return decidedPart(ploke.PartTurnStarted, ploke.PartDecided{Title: e.Title})
	case bus.TurnSteered:
		return ploke.Part{Type: ploke.PartUserMessage, PartDecided: ploke.PartDecided{ID: e.ParentID}, Text: e.Text}
	case bus.TurnFinished:
		return ploke.Part{Type: ploke.PartTurnFinished, Result: c.EncodeResult(p.Result)}
	case bus.MessageDelta:
		if e.Thought != "" {
			return ploke.Part{Type: ploke.PartThought, Text: e.Thought}
		}
		return ploke.Part{Type: ploke.PartMessage, Text: e.Text}
	case bus.MessageUpdated:
		return ploke.Part{Type: ploke.PartMessage, Replace: true, Text: e.Text}
	case bus.ToolCallRequested, bus.ToolCallOutput, bus.ToolCallCompleted, bus.ToolCallFailed:
		return encodeCall(e)
	case bus.PermissionAsked:
		out := decidedPart(ploke.PartPermission, ploke.PartDecided{ID: e.ID, Title: display.Name(e.Title),
			Detail: display.Escape(e.Detail), Status: string(ploke.PermissionAsked), OnlyOnce: e.OnlyOnce,
			Exact: e.Exact})
		out.CallID, out.Tool = e.CallID, e.Tool
		return out
	case bus.PermissionAnswered:
		return decidedPart(ploke.PartPermission, ploke.PartDecided{ID: e.ID, Status: string(permissionStatus(e.Granted))})
	case bus.ProposalStaged:
		c.Shown.Announced(e.ProposalID, edits.Version(e.Version))
		return decidedPart(ploke.PartProposal, ploke.PartDecided{ID: e.ProposalID, Title: display.Name(e.Title),
			Status: string(ploke.ProposalStaged), Version: e.Version, Files: p.Files})
	case bus.ProposalChecked:
		out := decidedPart(ploke.PartEvidence, ploke.PartDecided{ID: e.ProposalID, Version: e.Version})
		out.Evidence = append([]ploke.Evidence{}, EncodeEvidence(p.Evidence, false)...)
		return out
	case bus.ProposalDecided:
		return decidedPart(ploke.PartProposal, ploke.PartDecided{ID: e.ProposalID, Status: e.Status})
	case bus.ProposalApplied:
		return decidedPart(ploke.PartProposal, ploke.PartDecided{ID: e.ProposalID, Status: e.Status, Files: p.Files})
	case bus.Usage:
		return ploke.Part{Type: ploke.PartUsage, Usage: encodeTokens(e.Tokens)}
	case bus.Retry:
		return ploke.Part{Type: ploke.PartNotice, Text: "trying again: " + display.Escape(e.Error)}
	case bus.Notice:
		return ploke.Part{Type: ploke.PartNotice, Text: display.Escape(e.Text)}
	}
	if p.Proposal != nil {
		return c.encodeFound(p)
	}
	if p.Citation != nil {
		citation := c.encodeCitation(*p.Citation)
		return ploke.Part{Type: ploke.PartCitation, PartCited: ploke.PartCited{URI: citation.URI, Range: &citation.Range,
			Canon: citation.Canon, Proposal: citation.Proposal, Cell: citation.Cell}}
	}
	return ploke.Part{Type: ploke.PartIndex, Index: EncodeIndexStatus(p.Index)}
}

// encodeCall returns what has happened to a tool call.
func encodeCall(event bus.Event) (out ploke.Part) {
	switch e := event.(type) {
	case bus.ToolCallRequested:
		out = callPart(ploke.PartCall{CallID: e.CallID, Tool: e.Name, State: ploke.ToolCallStarted})
		out.Title = callTitle(e.Name, e.Arguments)
	case bus.ToolCallOutput:
		return ploke.Part{Type: ploke.PartToolOutput, Text: display.Escape(e.Text),
			PartCall: ploke.PartCall{CallID: e.CallID}}
	case bus.ToolCallCompleted:
		state := ploke.ToolCallFinished
		if SaysFailed(e.Content) {
			state = ploke.ToolCallFailed
		}
		return callPart(ploke.PartCall{CallID: e.CallID, Tool: e.Name, State: state,
			Summary: display.Name(e.Summary), DurationMS: e.Duration.Milliseconds()})
	case bus.ToolCallFailed:
		return callPart(ploke.PartCall{CallID: e.CallID, Tool: e.Name, State: ploke.ToolCallFailed,
			Summary: display.Escape(e.Error), DurationMS: e.Duration.Milliseconds()})
	}
	return out
}

// encodeFound returns a part for a proposal as it is now, of which no event tells.
func (c *Client) encodeFound(p project.Part) ploke.Part {
	c.Shown.Announced(p.Proposal.ID, p.Proposal.Version())
	out := decidedPart(ploke.PartProposal, ploke.PartDecided{ID: p.Proposal.ID, Title: display.Name(p.Proposal.Title),
		Status: string(p.Proposal.Status()), Files: p.Files})
	if p.Proposal.Status() == edits.Staged {
		out.Version = string(p.Proposal.Version())
	}
	return out
}

// SaysFailed reports whether the result of a tool call says that the tool could not do what was asked, or that what it
// ran has failed, such as a check.
func SaysFailed(content json.RawMessage) bool {
	var result struct{ OK, Passed *bool }
	no := func(said *bool) bool { return said != nil && !*said }
	return json.Unmarshal(content, &result) == nil && (no(result.OK) || no(result.Passed))
}

func callPart(call ploke.PartCall) ploke.Part {
	return ploke.Part{Type: ploke.PartToolCall, PartCall: call}
}

func decidedPart(t ploke.PartType, decided ploke.PartDecided) ploke.Part {
	return ploke.Part{Type: t, PartDecided: decided}
}

// permissionStatus returns the status of an answered permission request.
func permissionStatus(granted bool) ploke.PermissionStatus {
	if granted {
		return ploke.PermissionGranted
	}
	return ploke.PermissionDenied
}

// EncodeTurnEvent returns a part with the ids of its conversation and turn.
func (c *Client) EncodeTurnEvent(t *project.Transcript, part project.Part) *ploke.Event {
	return &ploke.Event{Part: c.EncodePart(part), ConversationID: t.ConversationID, TurnID: t.TurnID}
}

// SteeringEvent says that a message is stored, and waits to join a turn whose parts have come up to the given one.
func SteeringEvent(t *project.Transcript, after int, messageID string) *ploke.Event {
	part := decidedPart(ploke.PartSteering, ploke.PartDecided{ID: messageID})
	part.Seq = after
	return &ploke.Event{Part: part, ConversationID: t.ConversationID, TurnID: t.TurnID}
}

// EncodeResult returns how a turn ended in its wire form.
func (c *Client) EncodeResult(r *project.TurnResult) *ploke.ChatSendResult {
	out := &ploke.ChatSendResult{
		ConversationID:     r.ConversationID,
		MessageID:          r.ParentID,
		AssistantMessageID: r.MessageID,
		TurnID:             r.RequestID,
		Text:               r.Text,
		Citations:          []ploke.Citation{},
		StopReason:         ploke.StopReason(r.StopReason),
		Error:              r.Error,
		ErrorKind:          ploke.ErrorKind(r.ErrorKind),
		Usage:              *encodeTokens(r.Usage),
		Declined:           r.Declined,
		Proposals:          append([]string{}, r.Proposals...),
		Model:              r.Model,
		Context:            encodeContextUse(r.Context),
	}
	for _, citation := range r.Citations {
		out.Citations = append(out.Citations, c.encodeCitation(citation))
	}
	return out
}

func encodeTokens(u bus.Tokens) *ploke.Usage {
	return &ploke.Usage{In: u.In, Out: u.Out, Cached: u.Cached, Cost: u.Cost}
}

// EncodeUsage returns the tokens of a request in their wire form.
func EncodeUsage(u llm.Usage) ploke.Usage {
	return ploke.Usage{In: u.In, Out: u.Out, Cached: u.Cached, Cost: u.Cost}
}

// encodeContextUse returns nil if there is nothing to say.
func encodeContextUse(u bus.ContextUse) *ploke.ContextUse {
	if u == (bus.ContextUse{}) {
		return nil
	}
	return &ploke.ContextUse{Used: u.Used, Window: u.Window}
}

// EncodeIndexStatus returns the state of the index in its wire form.
func EncodeIndexStatus(s *project.IndexStatus) *ploke.IndexStatus {
	out := &ploke.IndexStatus{State: ploke.IndexState(s.State), Files: s.Files, Symbols: s.Symbols,
		References: s.References, Error: s.Error}
	if s.Progress != nil {
		progress := ploke.IndexProgress(*s.Progress)
		out.Progress = &progress
	}
	if v := s.Vectors; v != nil {
		out.Embedding = &ploke.EmbeddingStatus{Model: v.Model, State: ploke.EmbeddingState(v.State), Passages: v.Passages,
			Total: v.Total, Error: v.Error}
	}
	return out
}

// EventSender returns a function that sends a turn's parts as events.
func (c *Client) EventSender(t *project.Transcript) func(project.Part) {
	return func(part project.Part) {
		c.Stream(ploke.MethodEvent, c.EncodeTurnEvent(t, part))
	}
}
