package session

import (
	"context"
	"database/sql"

	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
)

// findContext retrieves code for a model that doesn't ask for it. It is stored
// with the message, so that later turns send the same.
func (s *requestSession) findContext(ctx context.Context) error {
	if s.e.opts.Context == nil || s.model.FindsContext {
		return nil
	}
	turn := tools.Call{RequestID: s.turn.RequestID, ConversationID: s.turn.ConversationID, Earlier: s.earlier}
	found, err := s.e.opts.Context(ctx, s.question(), turn)
	if err != nil {
		s.noticeUnlessOver(ctx, "no code could be looked up for the message: ", err)
	}
	if found.Text == "" {
		return nil
	}
	s.user.context = found
	err = s.e.opts.DB.Write(ctx, s.fenced(ctx, func(tx *sql.Tx) error { return updateMessage(ctx, tx, &s.user, s.user.extra()) }))
	return orElse(context.Cause(ctx), err)
}

// question returns the user's message with what was said and sent before it.
func (s *requestSession) question() tools.Question {
	q := tools.Question{Text: s.user.request()}
	past := &s.frame.past
	for i := len(past.messages) - 1; i >= 0; i-- {
		if m := &past.messages[i]; m.Role == llm.User {
			q.Earlier = append(q.Earlier, m.request())
		}
	}
	c := past.lastCompaction()
	sent, shortened := replay(past.messages[past.firstSent(c):]), setOf(c.Shortened)
	for _, m := range append(sent, s.e.render.userMessage(&s.user)) {
		if m.Role != llm.Assistant && !shortened[m.CallID] {
			q.Sent = append(q.Sent, m.Text)
		}
	}
	return q
}
