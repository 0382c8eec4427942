package project

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ploke-lsp/edits"
	"ploke-lsp/session/bus"
)

// autoAccept accepts the proposals of a turn once the turn is done, if the user
// has turned that on. A proposal waits for the user if it has new syntax errors,
// if its turn did not finish, or if it changes a file of [AlwaysAsk]. Then the
// front end shows what waits. The returned function ends the goroutine and waits
// for it.
func (p *Project) autoAccept() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	events := p.bus.Participant("auto-accept")
	go func() {
		defer close(done)
		defer events.Close()
		for {
			event, err := events.Next(ctx)
			if err != nil {
				return
			}
			finished, ok := event.(bus.TurnFinished)
			if !ok {
				continue
			}
			if finished.StopReason == bus.StopDone && p.settings.Now().Edits.AutoAccept {
				if err := p.acceptTurn(ctx, finished.RequestID); err != nil {
					p.bus.Publish(bus.Notice{Text: fmt.Sprintf("proposals could not be accepted automatically: %v", err)})
				}
			}
			p.frontEnd.ReviewReady(finished.RequestID)
		}
	}()
	return func() { cancel(); <-done }
}

// acceptTurn accepts the turn's proposals that nobody has decided on.
func (p *Project) acceptTurn(ctx context.Context, requestID string) error {
	staged, err := p.Edits.StagedIn(ctx, requestID)
	if err != nil {
		return err
	}
	var all error
	for _, proposal := range staged {
		broken := slices.ContainsFunc(proposal.Changes, func(c edits.Change) bool { return len(c.Problems) > 0 })
		if broken {
			continue
		}
		if file := p.mustAsk(proposal); file != "" {
			p.bus.Publish(bus.Notice{Text: fmt.Sprintf("the proposal %q waits for you: it changes %s, which can run or instruct a program by itself", proposal.Title, file)})
			continue
		}
		_, err := p.Accept(ctx, proposal.ID, edits.Selection{})
		all = errors.Join(all, err)
	}
	return all
}
