package acp

import (
	"context"
	"encoding/json"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits"
)

// rejectWithReason rejects a proposal, and has the model told why. A client with forms shows one. Of another, the
// person's next message says why, which the model gets with the decision.
func (s *openSession) rejectWithReason(ctx, asking context.Context, p *edits.Proposal, callID string) error {
	reason, answered := "", true
	if s.client.hasForms() {
		reason, answered = s.askReason(asking, callID)
	}
	if !answered {
		return nil // no answer is no decision
	}
	if _, err := s.folder.project.Edits.Reject(ctx, p.Whole(), reason); err != nil {
		return err
	}
	if !s.client.hasForms() {
		s.update(messageChunk(protocol.AgentMessageChunk, "",
			"\n\nRejected. Say in your next message why, and what to do instead."))
	}
	return nil
}

// maxReason is how many characters a reason may have.
const maxReason = 2000

var reasonForm = json.RawMessage(`{"type":"object","properties":{"reason":{"type":"string","title":"Why",` +
	`"description":"The model is told","maxLength":2000}}}`)

// askReason asks why a proposal is rejected. answered is false if the person has closed the form.
func (s *openSession) askReason(ctx context.Context, callID string) (reason string, answered bool) {
	var result protocol.ElicitationResponse
	err := s.client.request(ctx, protocol.MethodElicitationCreate, protocol.ElicitationRequest{SessionID: s.id,
		ToolCallID: callID, Mode: "form", Message: "Why do you reject these edits?", RequestedSchema: reasonForm}, &result)
	if err != nil || result.Action != "accept" {
		return "", false
	}
	text, _ := result.Content["reason"].(string)
	if runes := []rune(text); len(runes) > maxReason {
		text = string(runes[:maxReason])
	}
	return text, true
}
