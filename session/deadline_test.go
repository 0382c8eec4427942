package session

import (
	"context"
	"math/rand/v2"
	"sync"
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
		if spent := clock.spent(); spent != 10*time.Second {
			t.Errorf("the clock says %v", spent)
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

// TestDeadlineLeavesNoWorkerTaken runs more calls than there are workers. Each
// call is paused and resumed by three goroutines, and ends by its timeout or by
// cancel, before or after them.
func TestDeadlineLeavesNoWorkerTaken(t *testing.T) {
	const workers, calls, pausers, pauses = 2, 4, 3, 2
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 0))
		var times [calls][3 + 2*pausers*pauses]time.Duration // from 0 to 9 s
		for i := range times {
			for j := range times[i] {
				times[i][j] = time.Duration(random.IntN(10)) * time.Second
			}
		}
		synctest.Test(t, func(t *testing.T) {
			worker := make(chan struct{}, workers)
			var running sync.WaitGroup
			for _, wait := range times {
				running.Go(func() {
					time.Sleep(wait[0])
					worker <- struct{}{}
					ctx, clock, cancel := withDeadline(t.Context(), worker, wait[1], errTimeout)
					var pausing sync.WaitGroup
					for i := range pausers {
						pausing.Go(func() {
							for j := range pauses {
								at := 3 + 2*(i*pauses+j)
								time.Sleep(wait[at])
								clock.pause()
								time.Sleep(wait[at+1])
								clock.resume()
							}
						})
					}
					_ = sleep(ctx, 5*wait[2])
					cancel()
					pausing.Wait()
				})
			}
			running.Wait()
			if n := len(worker); n != 0 {
				t.Errorf("seed %d: %d workers are still taken", seed, n)
			}
		})
	}
}
