package project

import (
	"testing"
	"testing/synctest"
	"time"

	"ploke-lsp/session/bus"
)

// TestTheEndOfATurnIsNotGathered sends what comes soon after another part when the turn ends, not later.
func TestTheEndOfATurnIsNotGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		running := &Transcript{counter: new(counter), changed: make(chan struct{}), ended: make(chan struct{})}
		began := time.Now()
		var texts []string
		ended := make(chan *TurnResult)
		go func() {
			ended <- running.Follow(t.Context(), running.From(0), func(p Part) {
				if d, ok := p.Event.(bus.MessageDelta); ok {
					texts = append(texts, d.Text)
				}
			})
		}()
		running.write("The ", nil)
		synctest.Wait()
		running.write("whole ", nil)
		running.write("answer.", nil)
		running.finish(t.Context(), bus.TurnFinished{})
		result := <-ended
		if took := time.Since(began); took != 0 {
			t.Errorf("the end came after %v", took)
		}
		if result == nil || result.Text != "The whole answer." || len(texts) != 2 || texts[1] != "whole answer." {
			t.Errorf("%+v, streamed as %q", result, texts)
		}
	})
}
