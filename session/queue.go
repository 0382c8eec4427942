package session

import (
	"context"
	"database/sql"
	"slices"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
)

// The turns of a conversation stand in a line: the first one runs, the others
// wait. A turn takes its place within the transaction that stores its message,
// so messages follow each other in the tree as their turns do in the line.

// enqueue gives a turn its place in the line of its conversation, or has its
// message join the turn that runs.
func (e *Engine) enqueue(s *requestSession) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return errClosed
	}
	t, line := s.turn, e.queues[s.turn.ConversationID]
	live := slices.IndexFunc(line, func(t *Turn) bool { return !t.stopped() })
	switch busy := live >= 0; {
	case busy && s.prompt.WhileBusy == Refuse:
		return &BusyError{ConversationID: t.ConversationID, RequestID: line[live].RequestID}
	case busy && s.prompt.WhileBusy == Steer && s.prompt.ParentID == "" && len(line) == 1 && !line[0].ending:
		s.join(line[0])
		return nil
	}
	e.queues[t.ConversationID] = append(line, t)
	e.running.Add(1)
	t.queued = len(line) > 0
	if !t.queued {
		close(t.first)
	}
	return nil
}

// queue returns the turns of a conversation.
func (e *Engine) queue(conversationID string) []*Turn {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.queues[conversationID])
}

// join makes the message one that steers the running turn. The engine's lock is
// held.
func (s *requestSession) join(running *Turn) {
	s.turn.into, s.turn.RequestID = running, running.RequestID
	s.user.RequestID, s.answer.RequestID = running.RequestID, running.RequestID
	s.storeResult = make(chan error, 1)
	running.steers = append(running.steers, s)
}

// dequeue gives a turn's place to the next one. What tell publishes comes before
// anything that the next one says; whoever hears of it may start another.
func (e *Engine) dequeue(t *Turn, tell ...bus.Event) {
	defer e.running.Done()
	e.mu.Lock()
	defer e.mu.Unlock()
	line := e.queues[t.ConversationID]
	i := slices.Index(line, t)
	line = slices.Delete(line, i, i+1)
	e.queues[t.ConversationID] = line
	for _, event := range tell {
		e.opts.Bus.Publish(event)
	}
	switch {
	case len(line) == 0:
		delete(e.queues, t.ConversationID)
	case i == 0:
		close(line[0].first)
	}
}

// waitUntilFirst waits until all turns before t have ended, or t is stopped.
func (t *Turn) waitUntilFirst() error {
	select {
	case <-t.first:
	case <-t.ctx.Done():
	}
	return context.Cause(t.ctx) // one that was stopped does not start, though it be first by now
}

// nextSteer returns the next message that is to join a turn, nil if none waits.
// At the turn's end none can come after that.
func (e *Engine) nextSteer(t *Turn, end bool) *requestSession {
	for {
		e.mu.Lock()
		if len(t.steers) == 0 {
			t.ending = t.ending || end
			e.mu.Unlock()
			return nil
		}
		next := t.steers[0]
		t.steers = t.steers[1:]
		e.mu.Unlock()
		if <-next.storeResult == nil {
			return next
		}
	}
}

// steer has a message join the turn: what was answered so far is an answer of
// its own, and the model is asked again with the message.
func (s *requestSession) steer(next *requestSession) error {
	model, usage := s.answer.Model, s.answer.Usage // the turn's usage is with its last answer
	s.answer.Status, s.answer.StopReason, s.answer.Usage = Completed, bus.StopDone, llm.Usage{}
	if len(s.answer.steps) == 0 {
		s.messages = append(s.messages, emptyAnswer(&s.answer))
	}
	if err := s.save(nil); err != nil {
		return err
	}
	s.publishUpdate()
	s.user, s.answer, s.text = next.user, next.answer, nil
	s.answer.Model, s.answer.Usage = model, usage
	s.messages = append(s.messages, userMessages(&s.user)...)
	s.e.opts.Bus.Publish(bus.TurnSteered{TurnRef: s.turn.TurnRef,
		ParentID: s.user.ID, MessageID: s.answer.ID, Text: s.user.Text})
	return nil
}

// endLateSteers gives the messages that came too late to steer the turn the end of
// the turn.
func (s *requestSession) endLateSteers(ctx context.Context, tx *sql.Tx, late []*requestSession) error {
	for _, l := range late {
		l.answer.Status, l.answer.StopReason, l.answer.Error = s.answer.Status, s.answer.StopReason, s.answer.Error
		if err := updateMessage(ctx, tx, &l.answer, l.answer.extra()); err != nil {
			return err
		}
	}
	return nil
}

// closeToSteers closes the turn to messages, and returns those that have not
// joined it.
func (s *requestSession) closeToSteers() (late []*requestSession) {
	for next := s.e.nextSteer(s.turn, true); next != nil; next = s.e.nextSteer(s.turn, true) {
		late = append(late, next)
	}
	return late
}
