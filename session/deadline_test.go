package session

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		worker := make(chan struct{}, 1)
		worker <- struct{}{}
		began := time.Now()
		ctx, clock, cancel := withDeadline(t.Context(), worker, 10*time.Second, errTimeout)
		time.Sleep(4 * time.Second)
		clock.pause()
		clock.pause()
		worker <- struct{}{} // another call's
		time.Sleep(time.Hour)
		clock.resume()
		time.Sleep(time.Hour)
		time.AfterFunc(time.Minute, func() { <-worker })
		clock.resume() // waits for the other call
		if ctx.Err() != nil {
			t.Error("time passed on a clock that stands still")
		}
		<-ctx.Done()
		if took := time.Since(began); took != 2*time.Hour+time.Minute+10*time.Second || context.Cause(ctx) != errTimeout {
			t.Errorf("ended after %v: %v", took, context.Cause(ctx))
		}
		cancel()
		if len(worker) != 0 {
			t.Error("the worker was not freed")
		}
	})
}

func TestDeadlineOfACallThatIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		worker := make(chan struct{}, 1)
		worker <- struct{}{}
		ctx, clock, cancel := withDeadline(t.Context(), worker, time.Second, errTimeout)
		clock.pause()
		cancel()
		clock.resume() // late, by a tool that was left behind
		time.Sleep(time.Hour)
		if context.Cause(ctx) != context.Canceled || len(worker) != 0 {
			t.Errorf("cause = %v, %d workers taken", context.Cause(ctx), len(worker))
		}
	})
}
