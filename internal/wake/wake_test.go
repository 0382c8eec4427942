package wake_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ploke-lsp/internal/wake"
)

// TestUp wakes a reader twice before it reads. The one who wakes does not wait, and the reader is woken once.
func TestUp(t *testing.T) {
	c := make(chan struct{}, 1)
	wake.Up(c)
	wake.Up(c)
	<-c
	select {
	case <-c:
		t.Error("the reader is woken again")
	default:
	}
}

// TestAwait waits for a change, for the end of a context, and for the end of its time.
func TestAwait(t *testing.T) {
	for name, test := range map[string]struct {
		happens func(b *wake.Broadcast, cancel func(), now *atomic.Bool)
		want    bool
		takes   time.Duration
	}{
		"a change":       {func(b *wake.Broadcast, _ func(), now *atomic.Bool) { now.Store(true); b.Announce() }, true, time.Second},
		"another change": {func(b *wake.Broadcast, _ func(), _ *atomic.Bool) { b.Announce() }, false, time.Minute},
		"the context":    {func(_ *wake.Broadcast, cancel func(), _ *atomic.Bool) { cancel() }, false, time.Second},
		"not announced":  {func(_ *wake.Broadcast, _ func(), now *atomic.Bool) { now.Store(true) }, true, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var b wake.Broadcast
				var now atomic.Bool
				go func() {
					time.Sleep(time.Second)
					test.happens(&b, cancel, &now)
				}()
				begun := time.Now()
				if got := b.Await(ctx, time.Minute, now.Load); got != test.want || time.Since(begun) != test.takes {
					t.Errorf("the wait ends with %v after %v, want %v after %v", got, time.Since(begun), test.want, test.takes)
				}
			})
		})
	}
}
