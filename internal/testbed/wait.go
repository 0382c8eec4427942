package testbed

import (
	"fmt"
	"runtime/debug"
	"testing"
	"time"
)

// Soon is how long [Receive], [Returns] and [Watch] wait for what happens within this process, and
// at once. It ends the wait for a signal that is lost, for which no test should wait a minute.
const Soon = 10 * time.Second

// certain is how long [Eventually] waits for what a correct program makes true. It is far longer
// than that takes on a busy machine under the race detector, so that only a fault ends it, and far
// shorter than the limit of "go test".
const certain = 60 * time.Second

// Eventually waits until a condition holds, and fails the test with what state returns if it does not hold in time. A
// timer has it look again, at first each millisecond, so that the processor is left to what it waits for.
// Where an event tells of the change, wait for the event: see [Receive].
// Only the goroutine of the test may call it, and holds and state may fail the test too.
func Eventually(t testing.TB, holds func() bool, state func() string) {
	t.Helper()
	EventuallyWithin(t, certain, holds, state)
}

// EventuallyWithin is Eventually with another limit, for programs that take long to start.
func EventuallyWithin(t testing.TB, limit time.Duration, holds func() bool, state func() string) {
	t.Helper()
	began := time.Now()
	for !holds() {
		waited := time.Since(began)
		if waited > limit {
			t.Fatalf("after %v: %s", certain, state())
			return
		}
		time.Sleep(min(max(waited/10, time.Millisecond), 10*time.Millisecond))
	}
}

// Receive returns the next value of a channel, or the zero value if the channel is closed. It fails the test if nothing
// comes [Soon]; what names that. Only the goroutine of the test may call it.
func Receive[T any](t testing.TB, from <-chan T, what string) (v T) {
	t.Helper()
	return ReceiveWithin(t, Soon, from, what)
}

// ReceiveWithin is Receive with another limit, for what takes long to compute.
func ReceiveWithin[T any](t testing.TB, limit time.Duration, from <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(limit):
		t.Fatalf("waited %v for %s", limit, what)
	}
	return v
}

// Returns calls f on another goroutine, and fails the test if it does not return [Soon]; what names
// that. Only the goroutine of the test may call it.
func Returns(t testing.TB, f func(), what string) {
	t.Helper()
	returned := make(chan struct{})
	go func() {
		defer close(returned)
		f()
	}()
	Receive(t, returned, what)
}

// Watch ends the process if the test does not end [Soon], and prints what each of its goroutines
// waits for. It is for tests of what can block its caller at any place, as a lock does.
func Watch(t testing.TB) { watch(t, Soon) }

func watch(t testing.TB, limit time.Duration) {
	late := time.AfterFunc(limit, func() {
		debug.SetTraceback("all")
		panic(fmt.Sprintf("%s has not ended after %v", t.Name(), limit))
	})
	t.Cleanup(func() { late.Stop() })
}
