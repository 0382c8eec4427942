package session

import (
	"context"
	"database/sql"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// admission is a message on its way into its conversation, with its still empty answer. It begins a turn, or joins the
// one that runs.
type admission struct {
	e            *Engine
	turn         *Turn
	prompt       Prompt
	user, answer records.Message
	storeResult  chan error // of storing a message that joins a turn
}

func newAdmission(e *Engine, t *Turn, p Prompt) *admission {
	at := now()
	return &admission{e: e, turn: t, prompt: p,
		user: records.Message{ID: t.UserMessageID, ConversationID: t.ConversationID, RequestID: t.RequestID,
			Role: llm.User, Text: p.Text, Status: records.Completed, CreatedAt: at, UpdatedAt: at,
			Given: records.Given{Expansion: p.Expansion, Attachments: p.Attachments}},
		answer: records.Message{ID: t.AssistantMessageID, ConversationID: t.ConversationID, RequestID: t.RequestID,
			ParentID: t.UserMessageID, Role: llm.Assistant, Status: records.Pending, CreatedAt: at, UpdatedAt: at,
			Answered: records.Answered{Model: p.Model}}}
}

// admit stores the user's message and the empty answer, queues the turn, and
// publishes the events of both.
func (a *admission) admit(ctx context.Context, create bool) error {
	entered := false
	err := a.e.opts.DB.Write(ctx, func(tx *sql.Tx) error {
		if create || a.prompt.Create {
			c := Conversation{ID: a.turn.ConversationID, Title: a.prompt.Title, CreatedAt: a.user.CreatedAt,
				UpdatedAt: a.user.CreatedAt}
			if err := insertConversation(ctx, tx, c); err != nil {
				return err
			}
		}
		if err := a.e.leases.claimConversation(ctx, tx, a.turn.ConversationID); err != nil {
			return err
		}
		if err := a.e.turns.enqueue(a); err != nil {
			return err
		}
		entered = true
		return a.insert(ctx, tx, create)
	})
	switch {
	case a.turn.into != nil:
		a.storeResult <- err
	case err != nil && entered:
		a.e.turns.dequeue(a.turn)
	case err == nil && a.turn.queued:
		a.e.opts.Bus.Publish(bus.TurnQueued{TurnRef: a.turn.TurnRef,
			ParentID: a.user.ID, MessageID: a.answer.ID})
	case err == nil:
		a.publishStart()
	}
	if err != nil {
		return err
	}
	for _, m := range []*records.Message{&a.user, &a.answer} {
		a.e.opts.Bus.Publish(bus.MessageAdded{TurnRef: a.turn.TurnRef, MessageID: m.ID,
			ParentID: m.ParentID, Role: string(m.Role), Text: m.Text, Status: string(m.Status)})
	}
	return nil
}

// insert stores the message and its empty answer.
func (a *admission) insert(ctx context.Context, tx *sql.Tx, created bool) error {
	if !created {
		if err := a.placeInTree(ctx, tx); err != nil {
			return err
		}
	}
	if err := records.InsertMessage(ctx, tx, &a.user, a.user.Extra()); err != nil {
		return err
	}
	if err := records.InsertMessage(ctx, tx, &a.answer, a.e.leases.owned(a.answer.Extra())); err != nil {
		return err
	}
	if a.turn.into == nil {
		return nil
	}
	return records.MoveBelow(ctx, tx, &a.user, a.answer.ID)
}

// placeInTree sets the message's parent and updates the conversation's time and
// title.
func (a *admission) placeInTree(ctx context.Context, tx *sql.Tx) error {
	id := a.turn.ConversationID
	result, err := tx.ExecContext(ctx, `UPDATE conversations SET updated_at = ?,
		title = CASE title WHEN '' THEN ? ELSE title END WHERE id = ?`, a.user.CreatedAt.UnixMilli(), a.prompt.Title, id)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); n == 0 {
		return orElse(err, &records.NotFoundError{What: "conversation", ID: id})
	}
	switch {
	case a.turn.into != nil:
		a.user.ParentID, err = records.LastAnswer(ctx, tx, a.turn.RequestID)
		return err
	case a.prompt.ParentID == Root:
		return nil
	case a.prompt.ParentID == "":
		a.user.ParentID, err = records.NewestLeaf(ctx, tx, id)
		return err
	}
	var found bool
	err = tx.QueryRowContext(ctx, `SELECT count(*) FROM messages WHERE id = ? AND conversation_id = ?`, a.prompt.ParentID,
		id).Scan(&found)
	if err == nil && !found {
		err = &records.NotFoundError{What: "message", ID: a.prompt.ParentID}
	}
	a.user.ParentID = a.prompt.ParentID
	return err
}

func (a *admission) publishStart() {
	a.e.opts.Bus.Publish(bus.TurnStarted{TurnRef: a.turn.TurnRef,
		ParentID: a.user.ID, MessageID: a.answer.ID, Title: a.prompt.Title, Origin: a.prompt.Origin})
}

// join makes the message steer the running turn. The caller holds the lock of the queues.
func (a *admission) join(running *Turn) {
	a.turn.into, a.turn.RequestID = running, running.RequestID
	a.user.RequestID, a.answer.RequestID = running.RequestID, running.RequestID
	a.storeResult = make(chan error, 1)
	running.steers = append(running.steers, a)
}
