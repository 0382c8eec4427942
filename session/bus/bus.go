// Package bus carries what happens in the engine to whoever wants to know.
//
// Its promises:
//
//   - The set of events is closed: every [Event] is one of the structs of this
//     package.
//   - There is one total order. Two subscribers that both see two events see
//     them in the same order, and a subscriber sees every event published after
//     it subscribed.
//   - Publish never blocks and never fails; after Close it does nothing.
//   - A participant loses nothing. Its queue grows with what it has not read;
//     adjacent deltas of one message merge in that queue, so that a reader who
//     stops costs no more memory than the text itself.
//   - An observer's queue is bounded. One that lags is cut off: it reads what
//     was queued before the gap, then [ErrFellBehind]. It never misses an event
//     without being told.
//   - Close waits until each subscription has been read to its end or closed,
//     so whoever holds a subscription owes it one or the other.
//
// Events are values; what they point to (raw JSON, slices) is shared between
// subscribers and must not be modified.
package bus

import (
	"errors"
	"slices"
	"sync"
)

// ErrFellBehind is what an observer reads after it lagged by more than its buffer.
var ErrFellBehind = errors.New("subscriber fell behind and was cut off")

// Bus distributes events. Its zero value is not usable; see [New].
type Bus struct {
	mu       sync.Mutex
	subs     []*Subscription
	closed   bool
	openSubs sync.WaitGroup // one for each subscription that has not ended
}

// New returns an open bus without subscribers.
func New() *Bus { return &Bus{} }

// Publish hands e to every subscription. It does not wait for any of them.
func (b *Bus) Publish(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs = slices.DeleteFunc(b.subs, func(s *Subscription) bool { return !s.push(e) })
}

// Participant subscribes losslessly to all events published from now on. The
// name appears in diagnostics only.
func (b *Bus) Participant(name string) *Subscription {
	return b.subscribe(&Subscription{name: name})
}

// Observer subscribes to all events published from now on, for as long as it
// never has more than buffer of them unread.
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
