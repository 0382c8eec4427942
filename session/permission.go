package session

import (
	"context"
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

func (a Answer) allows() bool    { return a == AllowOnce || a == AllowAlways }
func (a Answer) permanent() bool { return a == AllowAlways || a == RejectAlways }

// permissionTimeout is how long an answer is waited for.
const permissionTimeout = 5 * time.Minute

var (
	errRejected = fmt.Errorf("%w: they rejected it", tools.ErrDenied)
	errNoAnswer = fmt.Errorf("%w: there was no answer", tools.ErrDenied)
)

// permissions asks the user's leave for what calls want to do.
type permissions struct {
	db      *store.DB
	bus     *bus.Bus
	enabled bool // somebody answers
	timeout time.Duration

	mu   sync.Mutex
	open map[string]*question // by id
}

// question is one that waits for its answer.
type question struct {
	tools.Permission
	answer chan Answer // takes one without waiting
}

func newPermissions(o Options) *permissions {
	return &permissions{db: o.DB, bus: o.Bus, enabled: o.Permissions, timeout: permissionTimeout, open: map[string]*question{}}
}

// Answer answers the question with this id. A question that nobody waits for
// any more is a [*NotFoundError].
func (e *Engine) Answer(ctx context.Context, id string, a Answer) error {
	return e.dispatcher.permissions.answer(ctx, id, a)
}

// AskPermission asks the user's leave for what no turn does, unless they have answered for ever.
func (e *Engine) AskPermission(ctx context.Context, p tools.Permission) error {
	permissions := e.dispatcher.permissions
	if settled, err := permissions.recall(ctx, p.Key); settled {
		return err
	}
	return permissions.request(ctx, tools.Call{}, "", p)
}

// recall reports whether there is nothing to ask, and if so what holds.
func (p *permissions) recall(ctx context.Context, key string) (settled bool, err error) {
	allowed, known, err := p.remembered(ctx, key)
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
	p.bus.Publish(bus.PermissionAsked{TurnRef: turn, ID: id,
		CallID: c.CallID, Tool: tool, Title: asked.Title, Detail: asked.Detail})
	err := p.await(ctx, q)
	p.takeQuestion(id)
	p.bus.Publish(bus.PermissionAnswered{TurnRef: turn, ID: id, Granted: err == nil})
	return err
}

// await waits for the answer to a question that was asked.
func (p *permissions) await(ctx context.Context, q *question) error {
	patience := time.NewTimer(p.timeout)
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

func (p *permissions) addQuestion(id string, q *question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[id] = q
}

// takeQuestion removes an open question, nil if there is none with this id.
func (p *permissions) takeQuestion(id string) *question {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.open[id]
	delete(p.open, id)
	return q
}

// takeQuestions removes all open questions that one answer may stand for.
func (p *permissions) takeQuestions(key string) (same []*question) {
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
	q := p.takeQuestion(id)
	if q == nil {
		return &NotFoundError{"open question", id}
	}
	same := []*question{q}
	var err error
	if a.permanent() {
		if err = p.remember(ctx, q.Permission, a.allows()); err == nil {
			same = append(same, p.takeQuestions(q.Key)...)
		}
	}
	for _, q := range same {
		q.answer <- a
	}
	return err
}
