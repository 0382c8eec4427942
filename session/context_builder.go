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

// contextBuilder adds to a turn what its model is given besides the conversation: code that fits the message, the
// rules of folders, what has changed in files, and what was decided on proposals.
type contextBuilder struct {
	*turnRecord
	setup   *turnSetup
	view    *modelView
	decided decidedProposals
}

// contextShare is the fraction of a model's window, 1/contextShare, that the code which is found
// for a message may take.
const contextShare = 20

// findContext retrieves code for a model that doesn't ask for it. It is stored
// with the message, so that later turns send the same.
func (b *contextBuilder) findContext(ctx context.Context) error {
	if b.e.opts.Workspace.Context == nil || b.setup.model.FindsContext {
		return nil
	}
	turn := tools.Call{RequestID: b.turn.RequestID, ConversationID: b.turn.ConversationID, Earlier: b.decided.earlier}
	found, err := b.e.opts.Workspace.Context(ctx, b.question(), turn, b.setup.contextTokens()/contextShare)
	if err != nil {
		b.noticeUnlessOver(ctx, "no code could be looked up for the message: ", err)
	}
	if found.Text == "" {
		return nil
	}
	b.user.Found = found
	err = b.e.opts.DB.Write(ctx,
		b.fenced(ctx, func(tx *sql.Tx) error { return records.UpdateMessage(ctx, tx, &b.user, b.user.Extra()) }))
	return orElse(context.Cause(ctx), err)
}

// question returns the user's message. What was said and sent before it is collected when it is asked for, since most
// messages name nothing in the code.
func (b *contextBuilder) question() tools.Question {
	return tools.Question{Text: b.user.Request(), Earlier: b.earlierRequests, Sent: b.sentTexts}
}

// earlierRequests returns what the user has asked before the turn, the newest first.
func (b *contextBuilder) earlierRequests() (all []string) {
	messages := b.view.frame.past.Messages
	for i := range slices.Backward(messages) {
		if m := &messages[i]; m.Role == llm.User {
			all = append(all, m.Request())
		}
	}
	return all
}

// sentTexts returns the texts of the user and of tools that the first request sends.
func (b *contextBuilder) sentTexts() (all []string) {
	past := &b.view.frame.past
	c := past.LastCompaction()
	sent, shortened := window.Replay(past.Messages[past.FirstSent(c):]), window.SetOf(c.Shortened)
	for _, m := range append(sent, b.e.kept.render.UserMessage(&b.user)) {
		if m.Role != llm.Assistant && !shortened[m.CallID] {
			all = append(all, m.Text)
		}
	}
	return all
}
