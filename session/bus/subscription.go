package bus

import (
	"context"
	"io"
	"strings"
	"sync"
)

// Subscription is one subscriber's queue. Next must not be called by two goroutines
// at once; Close may be called by any goroutine.
type Subscription struct {
	bus   *Bus
	name  string
	limit int              // maximum number of unread events; 0 for a participant
	wants func(Event) bool // nil: all events
	wake  chan struct{}    // holds a token when Next has to look at the queue

	mu       sync.Mutex
	queue    []Event
	finalErr error // returned by Next once the queue is empty; nil while open
	ended    bool  // Next has returned finalErr, or Close was called
}

// Name returns the subscriber's name.
func (s *Subscription) Name() string { return s.name }

// Next returns the next event and waits for it if necessary. It returns the error of
// ctx when ctx ends. Once the queue is empty it returns io.EOF after the bus or the
// subscription was closed, and [ErrFellBehind] after an observer lagged.
func (s *Subscription) Next(ctx context.Context) (Event, error) {
	for {
		if e, err := s.pop(); e != nil || err != nil {
			return e, err
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Close ends the subscription and drops the events that are still queued.
func (s *Subscription) Close() {
	s.bus.remove(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = nil
	s.finalErr = io.EOF
	s.markEnded()
	s.notify()
}

// pop removes the first event, or returns the final error. Both results are nil while
// the queue is empty and the subscription open.
func (s *Subscription) pop() (Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		if s.finalErr != nil {
			s.markEnded()
		}
		return nil, s.finalErr
	}
	e := s.queue[0]
	s.queue[0] = nil
	s.queue = s.queue[1:]
	if m, ok := e.(*mergedDelta); ok {
		return m.delta(), nil
	}
	return e, nil
}

// push queues e and reports whether the subscription is still open.
func (s *Subscription) push(e Event) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.finalErr != nil || s.wants != nil && !s.wants(e) {
		return s.finalErr == nil
	}
	defer s.notify()
	switch {
	case s.limit > 0 && len(s.queue) >= s.limit:
		s.finalErr = ErrFellBehind
		return false
	case s.limit > 0 || !s.merge(e) && !s.supersede(e):
		s.queue = append(s.queue, e)
	}
	return true
}

// supersede replaces the unread event at the queue's end, if both only say how far
// the same work is.
func (s *Subscription) supersede(e Event) bool {
	if len(s.queue) == 0 {
		return false
	}
	end := len(s.queue) - 1
	switch e := e.(type) {
	case IndexingProgress:
		before, ok := s.queue[end].(IndexingProgress)
		if !ok || before.Root != e.Root {
			return false
		}
	case EmbeddingProgress:
		before, ok := s.queue[end].(EmbeddingProgress)
		if !ok || before.Model != e.Model || before.State != e.State {
			return false
		}
	default:
		return false
	}
	s.queue[end] = e
	return true
}

// merge adds a delta to the last unread event if both add the same kind of text to
// the same message.
func (s *Subscription) merge(e Event) bool {
	d, ok := e.(MessageDelta)
	if !ok || len(s.queue) == 0 {
		return false
	}
	end := len(s.queue) - 1
	if first, ok := s.queue[end].(MessageDelta); ok && mergeable(first, d) {
		s.queue[end] = newMerged(first)
	}
	m, ok := s.queue[end].(*mergedDelta)
	if !ok || !mergeable(m.first, d) {
		return false
	}
	m.add(d)
	return true
}

func (s *Subscription) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finalErr = io.EOF
	s.notify()
}

// markEnded lets the bus's Close return. The caller holds s.mu.
func (s *Subscription) markEnded() {
	if !s.ended {
		s.ended = true
		s.bus.openSubs.Done()
	}
}

func (s *Subscription) notify() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// mergedDelta is a run of deltas in a queue. It grows without copying the text that
// it holds.
type mergedDelta struct {
	first         MessageDelta
	text, thought strings.Builder
}

func (*mergedDelta) event() {}

func newMerged(d MessageDelta) *mergedDelta {
	m := &mergedDelta{first: d}
	m.add(d)
	return m
}

func (m *mergedDelta) add(d MessageDelta) {
	m.text.WriteString(d.Text)
	m.thought.WriteString(d.Thought)
}

func (m *mergedDelta) delta() MessageDelta {
	d := m.first
	d.Text, d.Thought = m.text.String(), m.thought.String()
	return d
}

// mergeable reports whether b can be added to a without changing the order in which
// text and thoughts were streamed.
func mergeable(a, b MessageDelta) bool {
	return a.MessageID == b.MessageID && a.TurnRef == b.TurnRef &&
		(a.Text == "") == (b.Text == "") && (a.Thought == "") == (b.Thought == "") &&
		(a.Text == "" || a.Thought == "")
}
