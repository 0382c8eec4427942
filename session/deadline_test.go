package session

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ctx, clock, cancel := withDeadline(t.Context(), 10*time.Second, errTimeout)
		defer cancel()
		time.Sleep(4 * time.Second)
		clock.pause()
		clock.pause()
		time.Sleep(time.Hour)
		clock.resume()
		time.Sleep(time.Hour)
		if ctx.Err() != nil {
			t.Error("time passed on a clock that stands still")
		}
		clock.resume()
		<-ctx.Done()
		if took := time.Since(began); took != 2*time.Hour+10*time.Second || context.Cause(ctx) != errTimeout {
			t.Errorf("ended after %v: %v", took, context.Cause(ctx))
		}
	})
}

func TestDeadlineIsFreed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, clock, cancel := withDeadline(t.Context(), time.Second, errTimeout)
		clock.pause()
		cancel()
		clock.resume() // late, of a tool that was left behind
		time.Sleep(time.Hour)
		if context.Cause(ctx) != context.Canceled {
			t.Errorf("cause = %v", context.Cause(ctx))
		}
	})
}
