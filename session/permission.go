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
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// Answer is the user's answer to a permission question.
type Answer string

// The answers. Any other value counts as RejectOnce. A permanent answer holds in
// this workspace for the question's key, or for that of its exact permission.
const (
	AllowOnce    Answer = "allowOnce"
	AllowAlways  Answer = "allowAlways"
	AllowExact   Answer = "allowExact" // for the question's exact permission; AllowOnce if it has none
	RejectOnce   Answer = "rejectOnce"
	RejectAlways Answer = "rejectAlways"
)

func (a Answer) allows() bool    { return a == AllowOnce || a == AllowAlways || a == AllowExact }
func (a Answer) permanent() bool { return a == AllowAlways || a == AllowExact || a == RejectAlways }

// Fits reports whether a question has the answer.
func (a Answer) Fits(e bus.PermissionAsked) bool {
	return !(e.OnlyOnce && a.permanent()) && (e.Exact || a != AllowExact)
}

// once returns the answer for this time only.
func (a Answer) once() Answer {
	if a.allows() {
		return AllowOnce
	}
	return RejectOnce
}

// permissionTimeout is how long a question waits for its answer.
const permissionTimeout = 5 * time.Minute

var (
	errRejected = fmt.Errorf("%w: the user rejected it", tools.ErrDenied)
	errNoAnswer = fmt.Errorf("%w: there was no answer", tools.ErrDenied)
)

// permissions asks the user for permission to run calls.
type permissions struct {
	db      *store.DB
	bus     *bus.Bus
	enabled bool // a front end answers
	timeout time.Duration

	mu   sync.Mutex
	open map[string]*question // by id
}

type question struct {
	tools.Permission
	answer chan Answer // buffered: sending one answer never blocks
}

func newPermissions(o Options) *permissions {
	return &permissions{db: o.DB, bus: o.Bus, enabled: o.Permissions, timeout: permissionTimeout,
		open: map[string]*question{}}
}

// Answer answers the question with this id. It returns a [*records.NotFoundError] if the
// question is no longer open.
func (e *Engine) Answer(ctx context.Context, id string, a Answer) error {
	return e.dispatcher.permissions.answer(ctx, id, a)
}

// AskPermission asks the user's permission for an action outside of turns, unless a
// permanent answer exists.
func (e *Engine) AskPermission(ctx context.Context, p tools.Permission) error {
	asking := e.dispatcher.permissions
	if settled, err := asking.recall(ctx, p); settled {
		return err
	}
	return asking.request(ctx, tools.Call{}, "", p)
}

// Remembered returns the permanent answer to a question. known is false if the user would be asked.
func (e *Engine) Remembered(ctx context.Context, p tools.Permission) (allowed, known bool, err error) {
	return e.dispatcher.permissions.standing(ctx, p)
}

// Allow stores that the user always allows something, without a question.
func (e *Engine) Allow(ctx context.Context, p tools.Permission) error {
	return e.dispatcher.permissions.remember(ctx, p.Key, p.Title, true)
}

// recall reports whether the question needs no asking, and the resulting error.
func (p *permissions) recall(ctx context.Context, asked tools.Permission) (settled bool, err error) {
	allowed, known, err := p.standing(ctx, asked)
	switch {
	case err != nil:
		return true, err
	case known:
		return true, verdict(allowed)
	case !p.enabled:
		return true, errNoAnswer
	}
	return false, nil
}

func (p *permissions) request(ctx context.Context, c tools.Call, tool string, asked tools.Permission) error {
	id, q := newID(), &question{asked, make(chan Answer, 1)}
	p.addQuestion(id, q)
	turn := bus.TurnRef{ConversationID: c.ConversationID, RequestID: c.RequestID}
	p.bus.Publish(bus.PermissionAsked{TurnRef: turn, ID: id, CallID: c.CallID, Tool: tool, Title: asked.Title,
		Detail: asked.Detail, OnlyOnce: asked.OnlyOnce, Exact: asked.Exact.Key != ""})
	err := p.await(ctx, q)
	p.takeQuestion(id)
	p.bus.Publish(bus.PermissionAnswered{TurnRef: turn, ID: id, Granted: err == nil})
	return err
}

// await waits for the answer to an open question.
func (p *permissions) await(ctx context.Context, q *question) error {
	timeout := time.NewTimer(p.timeout)
	defer timeout.Stop()
	select {
	case a := <-q.answer:
		return verdict(a.allows())
	case <-timeout.C:
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

func (p *permissions) addQuestion(id string, q *question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[id] = q
}

// takeQuestion removes and returns an open question; nil if there is none with this
// id.
func (p *permissions) takeQuestion(id string) *question {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.open[id]
	delete(p.open, id)
	return q
}

// takeQuestions removes and returns all open questions that an answer under a key settles.
func (p *permissions) takeQuestions(key string) (same []*question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, q := range p.open {
		if q.Key == key || q.Exact.Key == key {
			same = append(same, q)
			delete(p.open, id)
		}
	}
	return same
}

// answer stores a permanent answer before it takes effect. A permanent answer also
// answers the other open questions with its key. No answer to a question that does not show all is permanent.
func (p *permissions) answer(ctx context.Context, id string, a Answer) error {
	q := p.takeQuestion(id)
	if q == nil {
		return &records.NotFoundError{What: "open question", ID: id}
	}
	same := []*question{q}
	if q.OnlyOnce || a == AllowExact && q.Exact.Key == "" {
		a = a.once()
	}
	var err error
	if a.permanent() {
		key, title := q.Key, q.Title
		if a == AllowExact {
			key, title = q.Exact.Key, q.Exact.Title
		}
		if err = p.remember(ctx, key, title, a.allows()); err == nil {
			same = append(same, p.takeQuestions(key)...)
		}
	}
	for _, q := range same {
		q.answer <- a
	}
	return err
}

// StandingAnswer is a permanent answer in this workspace.
type StandingAnswer struct {
	Key     string
	Title   string // of the question that was answered
	Allowed bool
	Since   time.Time // to the millisecond
}

// Permissions lists the permanent answers in the order of their keys.
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

// ForgetPermission deletes the permanent answer for key, so that the user is asked
// again. It returns a [*records.NotFoundError] if there is none.
func (e *Engine) ForgetPermission(ctx context.Context, key string) error {
	return e.opts.DB.Write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `DELETE FROM permissions WHERE key = ?`, key)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			return err
		}
		return &records.NotFoundError{What: "permanent answer for", ID: key}
	})
}

func (p *permissions) remember(ctx context.Context, key, title string, allowed bool) error {
	return p.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO permissions (key, allowed, title, created_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (key) DO UPDATE SET allowed = excluded.allowed, title = excluded.title, created_at = excluded.created_at`,
			key, allowed, title, time.Now().UnixMilli())
		return err
	})
}

// standing returns the permanent answer to a question: the one under its key, else that for exactly this.
func (p *permissions) standing(ctx context.Context, asked tools.Permission) (allowed, known bool, err error) {
	allowed, known, err = p.remembered(ctx, asked.Key)
	if known || err != nil || asked.Exact.Key == "" {
		return allowed, known, err
	}
	return p.remembered(ctx, asked.Exact.Key)
}

func (p *permissions) remembered(ctx context.Context, key string) (allowed, known bool, err error) {
	err = p.db.Read().QueryRowContext(ctx, `SELECT allowed FROM permissions WHERE key = ?`, key).Scan(&allowed)
	if errors.Is(err, sql.ErrNoRows) {
		return false, false, nil
	}
	return allowed, err == nil, err
}
