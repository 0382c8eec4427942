package session

import (
	"context"
	"database/sql"
	"slices"
	"sync"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
)

// Each conversation has a queue of turns: the first turn runs, the others wait. A
// turn is queued within the transaction that stores its message, so messages have
// the same order in the tree as their turns in the queue.

// turnQueues are the queues of an engine's conversations.
type turnQueues struct {
	bus     *bus.Bus
	running sync.WaitGroup // counts turns

	mu             sync.Mutex
	closed         bool
	byConversation map[string][]*Turn // the first turn runs, the others wait
}

// close makes the queues take no more turns.
func (q *turnQueues) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
}

// enqueue adds a turn to its conversation's queue, or makes its message join the
// running turn.
func (q *turnQueues) enqueue(a *admission) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errClosed
	}
	t, queue := a.turn, q.byConversation[a.turn.ConversationID]
	live := slices.IndexFunc(queue, func(t *Turn) bool { return !t.stopped() })
	switch busy := live >= 0; {
	case busy && a.prompt.WhileBusy == Refuse:
		return &BusyError{ConversationID: t.ConversationID, RequestID: queue[live].RequestID}
	case live == 0 && a.prompt.WhileBusy == Steer && a.prompt.ParentID == "" && !queue[0].ending:
		a.join(queue[0])
		return nil
	}
	q.byConversation[t.ConversationID] = append(queue, t)
	q.running.Add(1)
	t.queued = len(queue) > 0
	if !t.queued {
		close(t.first)
	}
	return nil
}

// of returns the turns of a conversation, the running one first.
func (q *turnQueues) of(conversationID string) []*Turn {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.byConversation[conversationID])
}

// Running reports whether a turn of this engine runs, or waits for others. Once it does not,
// its [bus.TurnFinished] is published.
func (e *Engine) Running(requestID string) bool {
	e.turns.mu.Lock()
	defer e.turns.mu.Unlock()
	for _, queue := range e.turns.byConversation {
		if slices.ContainsFunc(queue, func(t *Turn) bool { return t.RequestID == requestID }) {
			return true
		}
	}
	return false
}

// Busy lists the conversations in which turns of this engine run that were not stopped, the
// most recently used one first.
func (e *Engine) Busy(ctx context.Context) ([]Conversation, error) {
	all, err := e.Conversations(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(c Conversation) bool {
		return !slices.ContainsFunc(e.turns.of(c.ID), func(t *Turn) bool { return !t.stopped() })
	}), nil
}

// dequeue removes a turn and starts the next one. It publishes events before the next
// turn can publish any. After these events a subscriber may start another turn.
func (q *turnQueues) dequeue(t *Turn, events ...bus.Event) {
	defer q.running.Done()
	q.mu.Lock()
	defer q.mu.Unlock()
	queue := q.byConversation[t.ConversationID]
	i := slices.Index(queue, t)
	queue = slices.Delete(queue, i, i+1)
	q.byConversation[t.ConversationID] = queue
	for _, event := range events {
		q.bus.Publish(event)
	}
	switch {
	case len(queue) == 0:
		delete(q.byConversation, t.ConversationID)
	case i == 0:
		close(queue[0].first)
	}
}

// waitUntilFirst waits until all turns before t have ended, or t is stopped.
func (t *Turn) waitUntilFirst() error {
	select {
	case <-t.first:
	case <-t.ctx.Done():
	}
	return context.Cause(t.ctx) // a stopped turn never starts, even if it is now first in the queue
}

// nextSteer returns the next message that waits to join the turn, or nil. If end is
// set and no message waits, no message can join the turn any more.
func (q *turnQueues) nextSteer(t *Turn, end bool) *admission {
	for {
		q.mu.Lock()
		if len(t.steers) == 0 {
			t.ending = t.ending || end
			q.mu.Unlock()
			return nil
		}
		next := t.steers[0]
		t.steers = t.steers[1:]
		q.mu.Unlock()
		if <-next.storeResult == nil {
			return next
		}
	}
}

// steer makes a message join the turn: the text so far becomes an answer of its own,
// and the next request includes the message.
func (s *requestSession) steer(next *admission) error {
	ended := s.answer // the turn's usage is stored with its last answer
	s.answer.Status, s.answer.StopReason = records.Completed, bus.StopDone
	s.answer.Usage, s.answer.Context = llm.Usage{}, bus.ContextUse{}
	if !s.answer.HasResponse() {
		s.view.messages = append(s.view.messages, window.EmptyAnswer(&s.answer))
	}
	if err := s.save(nil); err != nil {
		return err
	}
	s.publishUpdate()
	s.kept.stored.AddMessages(&s.user, &s.answer)
	s.user, s.answer, s.text = next.user, next.answer, nil
	s.view.repeats, s.guard.repairs, s.guard.askedAgain = newRepeats(), 0, false
	s.view.frame.before = s.view.frame.compaction
	s.answer.Model, s.answer.Usage, s.answer.Context = ended.Model, ended.Usage, ended.Context
	if err := s.context.giveRulesWithMessage(s.turn.ctx); err != nil {
		return err
	}
	s.context.noteSentFiles(s.turn.ctx)
	s.view.messages = append(s.view.messages, s.e.kept.render.UserMessages(&s.user)...)
	s.e.opts.Bus.Publish(bus.TurnSteered{TurnRef: s.turn.TurnRef,
		ParentID: s.user.ID, MessageID: s.answer.ID, Text: s.user.Text})
	return nil
}

// endLateSteers ends the messages that came too late to steer the turn with the
// turn's status.
func (s *requestSession) endLateSteers(ctx context.Context, tx *sql.Tx, late []*admission) error {
	for _, l := range late {
		l.answer.Status, l.answer.StopReason = s.answer.Status, s.answer.StopReason
		l.answer.Error, l.answer.ErrorKind = s.answer.Error, s.answer.ErrorKind
		if err := records.UpdateMessage(ctx, tx, &l.answer, l.answer.Extra()); err != nil {
			return err
		}
	}
	return nil
}

// closeToSteers closes the turn to further messages, and returns the messages that
// have not joined it.
func (s *requestSession) closeToSteers() (late []*admission) {
	for next := s.e.turns.nextSteer(s.turn, true); next != nil; next = s.e.turns.nextSteer(s.turn, true) {
		late = append(late, next)
	}
	return late
}
