package session

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"ploke-lsp/session/bus"
)

// The engine that runs a turn owns its pending message, so that another process
// does not mistake a live turn for a crashed one.
const (
	leaseTime  = time.Minute
	renewEvery = leaseTime / 3
)

// owner is the lease on a pending message.
type owner struct {
	Engine string `json:"engine"`
	Host   string `json:"host"`
	PID    int    `json:"pid"`
	Until  int64  `json:"until"` // Unix milliseconds
}

func hostname() string {
	host, _ := os.Hostname() // "" compares as well as a name
	return host
}

// owned adds a new lease of this engine to x.
func (e *Engine) owned(x extra) extra {
	x.Owner = &owner{Engine: e.id, Host: hostname(), PID: os.Getpid(), Until: time.Now().Add(leaseTime).UnixMilli()}
	return x
}

// dead reports whether the turn can no longer be running. self is the id of the
// calling engine.
func (o *owner) dead(self string, at time.Time) bool {
	switch {
	case o != nil && o.Engine == self:
		return false
	case o == nil || o.Until < at.UnixMilli():
		return true
	case o.Host != hostname():
		return false
	default:
		// A process has only one engine on a database, so a turn with this
		// process's id and another engine belongs to an earlier process.
		return o.PID == os.Getpid() || !alive(o.PID)
	}
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// renewLease extends the leases on a turn's messages until stop is called.
func (e *Engine) renewLease(requestID string) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var renewing sync.WaitGroup
	renewing.Go(func() {
		for sleep(ctx, renewEvery) == nil {
			err := e.opts.DB.Write(ctx, func(tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, `UPDATE messages SET extra = json_set(extra, '$.owner.until', ?) WHERE request_id = ? AND status = ?`,
					time.Now().Add(leaseTime).UnixMilli(), requestID, Pending)
				return err
			})
			if err != nil && ctx.Err() == nil {
				e.opts.Logger.Warn("renewing a turn's lease failed", "request", requestID, "error", err)
			}
		}
	})
	return func() { cancel(); renewing.Wait() }
}

// interruptOrphans marks all turns whose owner is dead as interrupted.
func (e *Engine) interruptOrphans(ctx context.Context) error {
	return e.opts.DB.Write(ctx, func(tx *sql.Tx) error {
		pending, err := pendingMessages(ctx, tx, "")
		if err != nil {
			return err
		}
		for _, m := range pending {
			if !m.owner.dead(e.id, time.Now()) {
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
func (e *Engine) claimConversation(ctx context.Context, tx *sql.Tx, conversationID string) error {
	pending, err := pendingMessages(ctx, tx, conversationID)
	if err != nil {
		return err
	}
	for _, m := range pending {
		switch {
		case m.owner != nil && m.owner.Engine == e.id:
		case !m.owner.dead(e.id, time.Now()):
			return &BusyError{ConversationID: conversationID, RequestID: m.RequestID, Elsewhere: true}
		default:
			if err := interrupt(ctx, tx, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// interrupt marks a message whose turn is dead, and stores a failure as the result of
// the turn's unfinished calls.
func interrupt(ctx context.Context, tx *sql.Tx, m *Message) error {
	m.Status, m.Error, m.UpdatedAt = Interrupted, "the program ended before the answer was complete", now()
	m.addRest()
	if err := updateMessage(ctx, tx, m, m.extra()); err != nil {
		return err
	}
	lost := failure(bus.CodeCancelled, "the program ended while the call was running")
	_, err := tx.ExecContext(ctx, `UPDATE tool_calls SET content = ?, error = ?, code = ? WHERE request_id = ? AND content = ''`,
		string(lost.Content), lost.Error, lost.Code, m.RequestID)
	return err
}

// pendingMessages returns the pending messages of a conversation, or of all
// conversations for "".
func pendingMessages(ctx context.Context, tx *sql.Tx, conversationID string) ([]*Message, error) {
	rows, err := tx.QueryContext(ctx, `SELECT `+messageColumns+` FROM messages m WHERE m.status = ? AND ? IN ('', m.conversation_id)`,
		Pending, conversationID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var pending []*Message
	for rows.Next() {
		m, err := scanMessage(rows)
		if err != nil {
			return nil, err
		}
		pending = append(pending, m)
	}
	return pending, rows.Err()
}
