package acp

import (
	"context"
	"fmt"
	"path/filepath"

	"go.lsp.dev/uri"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
	"ploke-lsp/project"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// replay sends the whole conversation as it was seen. A piece of text is one update.
func (s *openSession) replay(ctx context.Context) error {
	p := s.folder.project
	if err := p.Engine.SettleOthers(ctx, s.id); err != nil {
		return err
	}
	messages, err := p.Engine.History(ctx, s.id, "")
	if err != nil {
		return err
	}
	answers, err := p.Transcripts.Answers(ctx, s.id, messages)
	if err != nil {
		return err
	}
	r := replayer{s}
	var used bus.ContextUse
	spent := 0.0
	for i := range messages {
		m := &messages[i]
		if m.Role == llm.Assistant {
			r.answer(ctx, m, answers[m.ID])
			spent += m.Usage.Cost
			if m.Context.Window > 0 {
				used = m.Context
			}
		} else {
			r.message(m)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	s.mu.Lock()
	s.spent = spent
	s.mu.Unlock()
	s.sendUsage(used, spent)
	return nil
}

// A replayer sends what a session has stored.
type replayer struct{ session *openSession }

// message sends a message of the person.
func (r replayer) message(m *records.Message) {
	r.session.update(messageChunk(protocol.UserMessageChunk, m.ID, m.Text))
	for _, a := range m.Attachments {
		link := string(uri.File(a.Path))
		if !a.Whole {
			link += fmt.Sprintf("#L%d:%d", a.StartLine, a.EndLine)
		}
		r.session.update(protocol.MessageChunk{Kind: protocol.UserMessageChunk, MessageID: m.ID,
			Content: protocol.TextOrLink{Type: "resource_link", URI: link, Name: filepath.Base(a.Path)}})
	}
}

// answer sends an answer, with its calls in their last state.
func (r replayer) answer(ctx context.Context, m *records.Message, answer project.StoredAnswer) {
	calls := map[string]records.ToolCall{}
	for _, c := range m.Calls {
		calls[c.CallID] = c
	}
	for _, part := range answer.Parts {
		switch e := part.Event.(type) {
		case bus.MessageDelta:
			if e.Thought != "" {
				r.session.update(messageChunk(protocol.AgentThoughtChunk, "", e.Thought))
			} else {
				r.session.update(messageChunk(protocol.AgentMessageChunk, m.ID, e.Text))
			}
		case bus.ToolCallRequested:
			r.call(calls[e.CallID], failedCall(bus.ToolCallFailed{CallRef: e.CallRef, Error: "it was interrupted"}))
		case bus.ToolCallCompleted:
			r.call(calls[e.CallID], completedCall(e))
		case bus.ToolCallFailed:
			r.call(calls[e.CallID], failedCall(e))
		case bus.Notice:
			r.session.update(messageChunk(protocol.AgentThoughtChunk, "", display.Prose(e.Text)+"\n"))
		}
		if part.Proposal != nil && part.Proposal.Status() != edits.Withdrawn {
			call, _ := r.session.proposalCall(ctx, part.Proposal)
			r.session.update(call)
		}
	}
	if m.Error != "" {
		r.session.update(messageChunk(protocol.AgentMessageChunk, m.ID, "\n\n"+display.Prose(m.Error)))
	}
}

// call sends a call with how it ended, as one update.
func (r replayer) call(c records.ToolCall, end protocol.ToolCall) {
	call := r.session.newCall(end.ID, c.Tool, c.Arguments)
	call.Status, call.Content, call.RawOutput = end.Status, end.Content, end.RawOutput
	r.session.update(call)
}
