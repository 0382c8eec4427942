// Package bus distributes the engine's events to subscribers.
//
// Its promises:
//
//   - The set of events is closed: every [Event] is a struct of this package.
//   - There is one total order. Two subscribers that both receive two events
//     receive them in the same order. A subscriber receives every event that is
//     published after it subscribed, or of these every one that it wants.
//   - Publish never blocks and never fails. After Close it does nothing.
//   - A participant loses no text and no change of state. Its queue is unbounded.
//     Adjacent deltas of one message merge in the queue, and a later progress of the
//     same work replaces an adjacent earlier one, so a reader that stops costs no
//     more memory than the text itself.
//   - An observer's queue is bounded. An observer that lags is cut off: it reads
//     the events before the gap, then [ErrFellBehind]. It never misses an event
//     without an error.
//   - Close waits until each subscription has been read to its end or closed. Each
//     owner of a subscription must do one or the other.
//
// Events are values. Raw JSON and slices in them are shared between subscribers and
// must not be modified.
package bus

import (
	"errors"
	"slices"
	"sync"
)

// ErrFellBehind is the error that an observer reads after it lagged by more than its
// buffer.
var ErrFellBehind = errors.New("subscriber fell behind and was cut off")

// Bus distributes events. Its zero value is not usable; see [New].
type Bus struct {
	mu       sync.Mutex
	subs     []*Subscription
	closed   bool
	openSubs sync.WaitGroup // counts subscriptions that have not ended
}

// New returns an open bus without subscribers.
func New() *Bus { return &Bus{} }

// Publish adds the events to the queue of every subscription, one after the other and with no other event between them.
// It does not wait for the readers.
func (b *Bus) Publish(events ...Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range events {
		b.subs = slices.DeleteFunc(b.subs, func(s *Subscription) bool { return !s.push(e) })
	}
}

// Participant subscribes to all events from now on, without loss. The name appears
// only in diagnostics.
func (b *Bus) Participant(name string) *Subscription {
	return b.subscribe(&Subscription{name: name})
}

// ParticipantOf is Participant for the events that wants reports. The others don't wake the subscriber. wants is called
// by Publish: it must not wait, or use the bus.
func (b *Bus) ParticipantOf(name string, wants func(Event) bool) *Subscription {
	return b.subscribe(&Subscription{name: name, wants: wants})
}

// Observer subscribes to all events from now on. The subscription is cut off when it
// has more than buffer unread events.
func (b *Bus) Observer(name string, buffer int) *Subscription {
	return b.subscribe(&Subscription{name: name, limit: max(buffer, 1)})
}

func (b *Bus) subscribe(s *Subscription) *Subscription {
	s.bus = b
	s.wake = make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.openSubs.Add(1)
	if b.closed {
		s.finish()
		return s
	}
	b.subs = append(b.subs, s)
	return s
}

func (b *Bus) remove(s *Subscription) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.subs, s); i >= 0 {
		b.subs = slices.Delete(b.subs, i, i+1)
	}
}

// Close ends the stream of events and waits until every subscription has been
// read to its end or closed.
func (b *Bus) Close() {
	b.mu.Lock()
	b.closed = true
	for _, s := range b.subs {
		s.finish()
	}
	b.subs = nil
	b.mu.Unlock()
	b.openSubs.Wait()
}
