package project

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"ploke-lsp/edits"
	"ploke-lsp/session/bus"
)

// autoAccept accepts the proposals of a turn once the turn is done, if the user has turned that on,
// for all conversations or for the turn's own. A proposal waits for the user if it has new syntax
// errors, if its turn did not finish, or if [Project.MustAsk] has a doubt about it. Then the front
// end shows what waits. The returned function ends the goroutine and waits for it.
func (p *Project) autoAccept() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	events := p.bus.ParticipantOf("auto-accept", bus.Is[bus.TurnFinished])
	go func() {
		defer close(done)
		defer events.Close()
		for {
			event, err := events.Next(ctx)
			if err != nil {
				return
			}
			finished := event.(bus.TurnFinished)
			if finished.StopReason == bus.StopDone && p.AutoAccepts(finished.ConversationID) {
				if err := p.acceptTurn(ctx, finished.RequestID); err != nil {
					p.bus.Publish(bus.Notice{Text: fmt.Sprintf("proposals could not be accepted automatically: %v", err)})
				}
			}
			p.frontEnd.ReviewReady(finished.RequestID)
			p.peers.TurnEnded(finished.RequestID)
		}
	}()
	return func() { cancel(); <-done }
}

// acceptTurn accepts the turn's proposals that nobody has decided on.
func (p *Project) acceptTurn(ctx context.Context, requestID string) error {
	staged, err := p.Edits.Staging.StagedIn(ctx, requestID)
	if err != nil {
		return err
	}
	var all error
	for _, proposal := range staged {
		all = errors.Join(all, p.acceptUnasked(ctx, proposal))
	}
	return all
}

// acceptUnasked accepts a proposal as it is here, unless the user must decide.
func (p *Project) acceptUnasked(ctx context.Context, proposal *edits.Proposal) error {
	if proposal.Broken() {
		return nil
	}
	if doubt := p.MustAsk(ctx, proposal); doubt != nil {
		p.bus.Publish(bus.Notice{Text: fmt.Sprintf("the proposal %q waits for you: it changes %s, which %s", proposal.Title,
			doubt.File, doubt.Can())})
		return nil
	}
	_, err := p.Accept(ctx, proposal.Whole())
	return err
}

// autoAccepted are the conversations for which the user has decided whether proposals are accepted
// automatically, whatever the settings say. The zero value is ready.
type autoAccepted struct {
	mu     sync.Mutex
	chosen map[string]bool // by conversation
}

// SetAutoAccept decides for one conversation, until the project closes, whether its proposals are
// accepted automatically. It must only follow a person's choice.
func (p *Project) SetAutoAccept(conversationID string, on bool) {
	p.autoAccepted.mu.Lock()
	defer p.autoAccepted.mu.Unlock()
	if p.autoAccepted.chosen == nil {
		p.autoAccepted.chosen = map[string]bool{}
	}
	p.autoAccepted.chosen[conversationID] = on
}

// AutoAccepts reports whether the proposals of a conversation are accepted automatically.
func (p *Project) AutoAccepts(conversationID string) bool {
	p.autoAccepted.mu.Lock()
	defer p.autoAccepted.mu.Unlock()
	if on, chosen := p.autoAccepted.chosen[conversationID]; chosen {
		return on
	}
	return p.settings.Now().Edits.AutoAccept
}
