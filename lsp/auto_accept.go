package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ploke-lsp/edits"
	"ploke-lsp/session/bus"
)

// autoAccept accepts what a turn has proposed once the turn is done, where the
// user has asked for that in the settings. What brings new syntax errors, or was
// proposed by a turn that did not come to its end, waits for the user as ever.
// The returned function ends the goroutine and waits for it.
func autoAccept(a *applier, wanted func() bool) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	events := a.project.bus.Participant("auto-accept")
	go func() {
		defer close(done)
		defer events.Close()
		for {
			event, err := events.Next(ctx)
			if err != nil {
				return
			}
			finished, ok := event.(bus.TurnFinished)
			if !ok || finished.StopReason != bus.StopDone || !wanted() {
				continue
			}
			if err := a.acceptAll(ctx, finished.RequestID); err != nil {
				a.project.bus.Publish(bus.Notice{Text: fmt.Sprintf("what was proposed could not be accepted by itself: %v", err)})
			}
		}
	}()
	return func() { cancel(); <-done }
}

// acceptAll accepts the turn's proposals that nobody has decided on.
func (a *applier) acceptAll(ctx context.Context, requestID string) error {
	staged, err := a.project.edits.List(ctx, edits.Staged)
	if err != nil {
		return err
	}
	var all error
	for _, p := range staged {
		broken := slices.ContainsFunc(p.Changes, func(c edits.Change) bool { return len(c.Problems) > 0 })
		if p.RequestID != requestID || broken {
			continue
		}
		_, err := a.accept(ctx, p.ID, edits.Selection{})
		all = errors.Join(all, err)
	}
	return all
}
