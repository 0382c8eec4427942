package testbed

import (
	"testing"
	"time"
)

const (
	// certain is how long [Eventually] waits for what a correct program makes true. It is far longer than that takes on a
	// busy machine under the race detector, so that only a fault ends it, and far shorter than the limit of "go test".
	certain = 60 * time.Second
	// soon is how long [Receive] waits for what happens within this process, and at once. A fault of this kind is a lost
	// signal, for which nobody should wait a minute.
	soon = 10 * time.Second
)

// Eventually waits until a condition holds, and fails the test with what state returns if it does not hold in time. A
// timer has it look again, at first each millisecond, so that the processor is left to what it waits for.
// Where an event tells of the change, wait for the event: see [Receive].
// Only the goroutine of the test may call it, and holds and state may fail the test too.
func Eventually(t testing.TB, holds func() bool, state func() string) {
	t.Helper()
	eventually(t, certain, holds, state)
}

func eventually(t testing.TB, limit time.Duration, holds func() bool, state func() string) {
	t.Helper()
	began := time.Now()
	for !holds() {
		waited := time.Since(began)
		if waited > limit {
			t.Fatalf("after %v: %s", limit, state())
			return
		}
		time.Sleep(min(max(waited/10, time.Millisecond), 10*time.Millisecond))
	}
}

// Receive returns the next value of a channel, or the zero value if the channel is closed. It fails the test if nothing
// comes soon; what names that. Only the goroutine of the test may call it.
func Receive[T any](t testing.TB, from <-chan T, what string) (v T) {
	t.Helper()
	return receive(t, soon, from, what)
}

func receive[T any](t testing.TB, limit time.Duration, from <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(limit):
		t.Fatalf("waited %v for %s", limit, what)
	}
	return v
}
