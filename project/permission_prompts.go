package project

import (
	"context"
	"sync"

	"ploke-lsp/session"
	"ploke-lsp/session/bus"
)

// AnswerLater is what [FrontEnd].AskPermission returns if the answer will come
// through the engine instead.
const AnswerLater session.Answer = "later"

// permissionPrompts puts the engine's questions to the person. Each question has
// its own goroutine, which ends when the question is settled in any way. The zero
// value is ready.
type permissionPrompts struct {
	running sync.WaitGroup

	mu   sync.Mutex
	open map[string]context.CancelFunc // by id of the question
}

// ask asks the front end, and passes its answer to the engine.
func (q *permissionPrompts) ask(f FrontEnd, engine *session.Engine, e bus.PermissionAsked) {
	ctx, cancel := context.WithCancel(context.Background())
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open == nil {
		q.open = map[string]context.CancelFunc{}
	}
	q.open[e.ID] = cancel
	q.running.Go(func() {
		answer := f.AskPermission(ctx, e)
		if answer == AnswerLater {
			return
		}
		// The engine ignores the answer if the question was settled meanwhile.
		_ = engine.Answer(context.WithoutCancel(ctx), e.ID, answer)
	})
}

// settled withdraws a question that needs no answer any more.
func (q *permissionPrompts) settled(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open[id]()
	delete(q.open, id)
}

// wait returns when no question is being asked.
func (q *permissionPrompts) wait() { q.running.Wait() }
