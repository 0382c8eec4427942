package project

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestQuiet signals for longer than Debounce waits. Quiet waits for the last signal.
func TestQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan struct{})
		const typing = 3 * debounceLimit
		go func() {
			for begun := time.Now(); time.Since(begun) < typing; time.Sleep(debounceQuiet / 2) {
				signals <- struct{}{}
			}
		}()
		begun := time.Now()
		if !Quiet(t.Context(), signals) {
			t.Fatal("the wait was ended")
		}
		if took := time.Since(begun); took < typing || took > typing+2*debounceQuiet {
			t.Errorf("it was quiet after %v, want a moment after %v", took, typing)
		}
	})
}
