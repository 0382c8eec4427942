package session

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/store"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/records"
)

// The engine that runs a turn owns its pending messages, so that another process does not
// mistake a live turn for a crashed one. Each update that the engine makes for the turn is
// fenced: it fails once another process has taken the turn over.

// errTakenOver ends a turn that no longer belongs to this engine.
var errTakenOver = errors.New("another process took the conversation over, because this one did not answer for long; " +
	"the answer up to there is kept: see what was said since, and ask again")

// leases are those of the turns of one engine, in the database that other processes share.
type leases struct {
	db     *store.DB
	log    *slog.Logger
	self   lease.Owner   // the engine as the owner of its turns
	length time.Duration // after which another host takes an owner for dead that renews no more
}

// owned adds a new lease of this engine to x.
func (l *leases) owned(x records.Extra) records.Extra {
	owner := l.self
	owner.Until = lease.Until(l.length)
	x.Owner = &owner
	return x
}

// ownedBy is the condition for a pending message of a turn that an engine owns. Its parameters
// are the turn's request id and the engine's id.
const ownedBy = `request_id = ? AND ` + isPending + ` AND json_extract(extra, '$.owner.id') = ?`

// isPending is the condition for a pending message. It has no parameter, so that SQLite uses the index of
// pending messages.
const isPending = `status = '` + string(records.Pending) + `'`

// fence returns errTakenOver if the turn does not belong to this engine any more.
func (l *leases) fence(ctx context.Context, tx *sql.Tx, requestID string) error {
	var mine bool
	err := tx.QueryRowContext(ctx, `SELECT count(*) > 0 FROM messages WHERE `+ownedBy, requestID, l.self.ID).Scan(&mine)
	if err == nil && !mine {
		err = errTakenOver
	}
	return err
}

// renewLease extends the leases on a turn's messages until stop is called. It stops the turn if
// another process has taken it over.
func (l *leases) renewLease(t *Turn) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var renewing sync.WaitGroup
	renewing.Go(func() {
		for sleep(ctx, l.length/3) == nil {
			switch err := l.extendLease(ctx, t.RequestID); {
			case errors.Is(err, errTakenOver):
				t.cancel(errTakenOver)
				return
			case err != nil && ctx.Err() == nil:
				l.log.Warn("renewing a turn's lease failed", "request", t.RequestID, "error", err)
			}
		}
	})
	return func() { cancel(); renewing.Wait() }
}

func (l *leases) extendLease(ctx context.Context, requestID string) error {
	return l.db.Write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE messages SET extra = json_set(extra, '$.owner.until', ?) WHERE `+ownedBy,
			lease.Until(l.length), requestID, l.self.ID)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			return err
		}
		return errTakenOver
	})
}

// interruptOrphans marks all turns whose owner is dead as interrupted.
func (l *leases) interruptOrphans(ctx context.Context) error {
	return l.db.Write(ctx, func(tx *sql.Tx) error {
		pending, err := pendingMessages(ctx, tx, "")
		if err != nil {
			return err
		}
		for _, m := range pending {
			if !m.Owner.Dead(l.self.ID, time.Now()) {
				continue
			}
			if err := interrupt(ctx, tx, m); err != nil {
				return err
			}
		}
		return nil
	})
}

// claimConversation marks the turns of one conversation whose owner is dead as
// interrupted. It returns a [*BusyError] if another process runs a turn in it.
func (l *leases) claimConversation(ctx context.Context, tx *sql.Tx, conversationID string) error {
	pending, err := pendingMessages(ctx, tx, conversationID)
	if err != nil {
		return err
	}
	for _, m := range pending {
		switch {
		case m.Owner != nil && m.Owner.ID == l.self.ID:
		case !m.Owner.Dead(l.self.ID, time.Now()):
			return &BusyError{ConversationID: conversationID, RequestID: m.RequestID, Elsewhere: true}
		default:
			if err := interrupt(ctx, tx, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// How long a process may take to end after its editor has left: so many checks, so far apart.
const (
	leavingChecks = 20
	leavingPause  = 50 * time.Millisecond
)

// SettleOthers marks the turns of one conversation whose process has ended as interrupted. It waits
// up to a second for a turn of another process: if a person has closed the editor and opened it
// again, the earlier server is about to end.
func (e *Engine) SettleOthers(ctx context.Context, conversationID string) error {
	for range leavingChecks {
		if settled, err := e.leases.settleOthers(ctx, conversationID); settled || err != nil {
			return err
		}
		if err := e.sleep(ctx, leavingPause); err != nil {
			return err
		}
	}
	return nil
}

// settleOthers interrupts what it can, and reports whether no other process runs a turn.
func (l *leases) settleOthers(ctx context.Context, conversationID string) (bool, error) {
	pending, err := pendingMessages(ctx, l.db.Read(), conversationID)
	own := func(m *records.Message) bool { return m.Owner != nil && m.Owner.ID == l.self.ID }
	if err != nil || !slices.ContainsFunc(pending, func(m *records.Message) bool { return !own(m) }) {
		return err == nil, err
	}
	err = l.db.Write(ctx, func(tx *sql.Tx) error { return l.claimConversation(ctx, tx, conversationID) })
	if busy := new(BusyError); errors.As(err, &busy) {
		return false, nil
	}
	return err == nil, err
}

// interrupt marks a message whose turn is dead, and stores a failure as the result of
// the turn's unfinished calls.
func interrupt(ctx context.Context, tx *sql.Tx, m *records.Message) error {
	m.Status, m.Error, m.UpdatedAt = records.Interrupted, "the program ended before the answer was complete", now()
	m.AddRest()
	if err := records.UpdateMessage(ctx, tx, m, m.Extra()); err != nil {
		return err
	}
	lost := records.Failure(bus.CodeCancelled, "the program ended while the call was running")
	_, err := tx.ExecContext(ctx,
		`UPDATE tool_calls SET content = ?, error = ?, code = ? WHERE request_id = ? AND content = ''`,
		string(lost.Content), lost.Error, lost.Code, m.RequestID)
	return err
}

// pendingMessages returns the pending messages of a conversation, or of all
// conversations for "".
func pendingMessages(ctx context.Context, q records.Queryer, conversationID string) ([]*records.Message, error) {
	rows, err := q.QueryContext(ctx,
		`SELECT `+records.MessageColumns+` FROM messages m WHERE `+isPending+` AND ? IN ('', m.conversation_id)`,
		conversationID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var pending []*records.Message
	for rows.Next() {
		m, err := records.ScanMessage(rows)
		if err != nil {
			return nil, err
		}
		pending = append(pending, m)
	}
	return pending, rows.Err()
}
