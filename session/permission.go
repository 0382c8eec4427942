package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
)

// Answer is what the user says to a question for permission.
type Answer string

// The answers. Whatever else is answered counts as RejectOnce; an answer for
// ever holds in this workspace, for the question's key.
const (
	AllowOnce    Answer = "allowOnce"
	AllowAlways  Answer = "allowAlways"
	RejectOnce   Answer = "rejectOnce"
	RejectAlways Answer = "rejectAlways"
)

func (a Answer) allows() bool  { return a == AllowOnce || a == AllowAlways }
func (a Answer) forEver() bool { return a == AllowAlways || a == RejectAlways }

// permissionWait is how long an answer is waited for.
const permissionWait = 5 * time.Minute

var (
	errRejected = fmt.Errorf("%w: they rejected it", tools.ErrDenied)
	errNoAnswer = fmt.Errorf("%w: there was no answer", tools.ErrDenied)
)

// permissions asks the user's leave for what calls want to do.
type permissions struct {
	db   *store.DB
	bus  *bus.Bus
	asks bool // somebody answers
	wait time.Duration

	mu   sync.Mutex
	open map[string]*question // by id
}

// question is one that waits for its answer.
type question struct {
	tools.Permission
	answer chan Answer // takes one without waiting
}

func newPermissions(o Options) *permissions {
	return &permissions{db: o.DB, bus: o.Bus, asks: o.Permissions, wait: permissionWait, open: map[string]*question{}}
}

// Answer answers the question with this id. A question that nobody waits for
// any more is a [*NotFoundError].
func (e *Engine) Answer(ctx context.Context, id string, a Answer) error {
	return e.dispatcher.permissions.answer(ctx, id, a)
}

// A StandingAnswer is one that holds for ever in this workspace.
type StandingAnswer struct {
	Key     string
	Title   string // of the question that was answered
	Allowed bool
	Since   time.Time // to the millisecond
}

// Permissions lists the answers that hold for ever, in the order of their keys.
func (e *Engine) Permissions(ctx context.Context) (list []StandingAnswer, err error) {
	rows, err := e.opts.DB.Read().QueryContext(ctx, `SELECT key, title, allowed, created_at FROM permissions ORDER BY key`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var a StandingAnswer
		var since int64
		if err := rows.Scan(&a.Key, &a.Title, &a.Allowed, &since); err != nil {
			return nil, err
		}
		a.Since = time.UnixMilli(since)
		list = append(list, a)
	}
	return list, rows.Err()
}

// ForgetPermission takes back the answer that holds for ever for key: the user
// is asked again. If there is none, that is a [*NotFoundError].
func (e *Engine) ForgetPermission(ctx context.Context, key string) error {
	return e.opts.DB.Write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `DELETE FROM permissions WHERE key = ?`, key)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			return err
		}
		return &NotFoundError{"answer that holds for ever for", key}
	})
}

// Ask asks the user, unless they have answered for ever. The call's clock
// stands still meanwhile.
func (e *env) AskPermission(ctx context.Context, p tools.Permission) error {
	if settled, err := e.permissions.settled(ctx, p.Key); settled {
		return err
	}
	e.clock.pause()
	defer e.clock.resume()
	return e.permissions.ask(ctx, e.call, e.tool, p)
}

// Ask asks the user's leave for what no turn does, unless they have answered for ever.
func (e *Engine) Ask(ctx context.Context, p tools.Permission) error {
	permissions := e.dispatcher.permissions
	if settled, err := permissions.settled(ctx, p.Key); settled {
		return err
	}
	return permissions.ask(ctx, tools.Call{}, "", p)
}

// settled reports whether there is nothing to ask, and if so what holds.
func (p *permissions) settled(ctx context.Context, key string) (settled bool, err error) {
	allowed, known, err := p.remembered(ctx, key)
	switch {
	case err != nil:
		return true, err
	case known:
		return true, verdict(allowed)
	case !p.asks:
		return true, errNoAnswer
	}
	return false, nil
}

func (p *permissions) ask(ctx context.Context, c tools.Call, tool string, asked tools.Permission) error {
	id, q := newID(), &question{asked, make(chan Answer, 1)}
	p.put(id, q)
	p.bus.Publish(bus.PermissionAsked{ConversationID: c.ConversationID, RequestID: c.RequestID, ID: id,
		CallID: c.CallID, Tool: tool, Title: asked.Title, Detail: asked.Detail})
	err := p.await(ctx, q)
	p.take(id)
	p.bus.Publish(bus.PermissionAnswered{ConversationID: c.ConversationID, RequestID: c.RequestID, ID: id, Granted: err == nil})
	return err
}

// await waits for the answer to a question that was asked.
func (p *permissions) await(ctx context.Context, q *question) error {
	patience := time.NewTimer(p.wait)
	defer patience.Stop()
	select {
	case a := <-q.answer:
		return verdict(a.allows())
	case <-patience.C:
		return errNoAnswer
	case <-ctx.Done():
		return errNoAnswer
	}
}

func verdict(allowed bool) error {
	if allowed {
		return nil
	}
	return errRejected
}

func (p *permissions) put(id string, q *question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[id] = q
}

// take removes an open question, nil if there is none with this id.
func (p *permissions) take(id string) *question {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.open[id]
	delete(p.open, id)
	return q
}

// takeKey removes all open questions that one answer may stand for.
func (p *permissions) takeKey(key string) (same []*question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, q := range p.open {
		if q.Key == key {
			same = append(same, q)
			delete(p.open, id)
		}
	}
	return same
}

// answer stores an answer that holds for ever before it takes effect; it
// answers the other open questions of its key, too.
func (p *permissions) answer(ctx context.Context, id string, a Answer) error {
	q := p.take(id)
	if q == nil {
		return &NotFoundError{"open question", id}
	}
	same := []*question{q}
	var err error
	if a.forEver() {
		if err = p.remember(ctx, q.Permission, a.allows()); err == nil {
			same = append(same, p.takeKey(q.Key)...)
		}
	}
	for _, q := range same {
		q.answer <- a
	}
	return err
}

func (p *permissions) remember(ctx context.Context, asked tools.Permission, allowed bool) error {
	return p.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO permissions (key, allowed, title, created_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (key) DO UPDATE SET allowed = excluded.allowed, title = excluded.title, created_at = excluded.created_at`,
			asked.Key, allowed, asked.Title, time.Now().UnixMilli())
		return err
	})
}

func (p *permissions) remembered(ctx context.Context, key string) (allowed, known bool, err error) {
	err = p.db.Read().QueryRowContext(ctx, `SELECT allowed FROM permissions WHERE key = ?`, key).Scan(&allowed)
	if errors.Is(err, sql.ErrNoRows) {
		return false, false, nil
	}
	return allowed, err == nil, err
}
