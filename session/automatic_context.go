package session

import (
	"context"
	"database/sql"
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
)

// contextShare is the fraction of a model's window, 1/contextShare, that the code which is found
// for a message may take.
const contextShare = 20

// findContext retrieves code for a model that doesn't ask for it. It is stored
// with the message, so that later turns send the same.
func (s *requestSession) findContext(ctx context.Context) error {
	if s.e.opts.Workspace.Context == nil || s.setup.model.FindsContext {
		return nil
	}
	turn := tools.Call{RequestID: s.turn.RequestID, ConversationID: s.turn.ConversationID, Earlier: s.decided.earlier}
	found, err := s.e.opts.Workspace.Context(ctx, s.question(), turn, s.contextTokens()/contextShare)
	if err != nil {
		s.noticeUnlessOver(ctx, "no code could be looked up for the message: ", err)
	}
	if found.Text == "" {
		return nil
	}
	s.user.Found = found
	err = s.e.opts.DB.Write(ctx,
		s.fenced(ctx, func(tx *sql.Tx) error { return records.UpdateMessage(ctx, tx, &s.user, s.user.Extra()) }))
	return orElse(context.Cause(ctx), err)
}

// question returns the user's message. What was said and sent before it is collected when it is asked for, since most
// messages name nothing in the code.
func (s *requestSession) question() tools.Question {
	return tools.Question{Text: s.user.Request(), Earlier: s.earlierRequests, Sent: s.sentTexts}
}

// earlierRequests returns what the user has asked before the turn, the newest first.
func (s *requestSession) earlierRequests() (all []string) {
	messages := s.view.frame.past.Messages
	for i := range slices.Backward(messages) {
		if m := &messages[i]; m.Role == llm.User {
			all = append(all, m.Request())
		}
	}
	return all
}

// sentTexts returns the texts of the user and of tools that the first request sends.
func (s *requestSession) sentTexts() (all []string) {
	past := &s.view.frame.past
	c := past.LastCompaction()
	sent, shortened := window.Replay(past.Messages[past.FirstSent(c):]), window.SetOf(c.Shortened)
	for _, m := range append(sent, s.e.kept.render.UserMessage(&s.user)) {
		if m.Role != llm.Assistant && !shortened[m.CallID] {
			all = append(all, m.Text)
		}
	}
	return all
}
