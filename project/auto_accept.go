package project

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/peers"
	"ploke-lsp/session/bus"
)

// AutoAccept accepts proposals that the user need not decide on.
type AutoAccept struct {
	applier  *Applier
	edits    *edits.Manager
	ws       *workspace.Workspace
	settings *Settings
	bus      *bus.Bus
	frontEnd FrontEnd
	peers    *peers.Group

	mu     sync.Mutex
	chosen map[string]bool // by conversation: what the user has decided, whatever the settings say
}

// run accepts the proposals of a turn once the turn is done, if the user has turned that on,
// for all conversations or for the turn's own. A proposal waits for the user if it has new syntax
// errors, if its turn did not finish, or if [AutoAccept.MustAsk] has a doubt about it. Then the front
// end shows what waits. The returned function ends the goroutine and waits for it.
func (a *AutoAccept) run() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	events := a.bus.ParticipantOf("auto-accept", bus.Is[bus.TurnFinished])
	go func() {
		defer close(done)
		defer events.Close()
		for {
			event, err := events.Next(ctx)
			if err != nil {
				return
			}
			a.ended(ctx, event.(bus.TurnFinished))
		}
	}()
	return func() { cancel(); <-done }
}

// ended accepts what a turn has proposed, if it may, and tells that the rest can be reviewed.
func (a *AutoAccept) ended(ctx context.Context, turn bus.TurnFinished) {
	if turn.StopReason == bus.StopDone && a.On(turn.ConversationID) {
		if err := a.acceptTurn(ctx, turn.RequestID); err != nil {
			a.bus.Publish(bus.Notice{Text: fmt.Sprintf("proposals could not be accepted automatically: %v", err)})
		}
	}
	a.frontEnd.ReviewReady(turn.RequestID)
	a.peers.TurnEnded(turn.RequestID)
}

// acceptTurn accepts the turn's proposals that are undecided.
func (a *AutoAccept) acceptTurn(ctx context.Context, requestID string) error {
	staged, err := a.edits.Staging.StagedIn(ctx, requestID)
	if err != nil {
		return err
	}
	var all error
	for _, proposal := range staged {
		all = errors.Join(all, a.acceptUnasked(ctx, proposal))
	}
	return all
}

// acceptUnasked accepts a proposal as it is here, unless the user must decide.
func (a *AutoAccept) acceptUnasked(ctx context.Context, proposal *edits.Proposal) error {
	if proposal.Broken() {
		return nil
	}
	if doubt := a.MustAsk(ctx, proposal); doubt != nil {
		a.bus.Publish(bus.Notice{Text: fmt.Sprintf("the proposal %q waits for you: it changes %s, which %s", proposal.Title,
			doubt.File, doubt.Can())})
		return nil
	}
	_, err := a.applier.Accept(ctx, proposal.Whole())
	if errors.As(err, new(*edits.UnrecordedError)) {
		a.bus.Publish(bus.Notice{Text: fmt.Sprintf("the proposal %q was accepted automatically: %v", proposal.Title, err)})
		return nil
	}
	return err
}

// Set decides for one conversation, until the project closes, whether its proposals are
// accepted automatically. It must only follow a person's choice.
func (a *AutoAccept) Set(conversationID string, on bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.chosen[conversationID] = on
}

// On reports whether the proposals of a conversation are accepted automatically.
func (a *AutoAccept) On(conversationID string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if on, chosen := a.chosen[conversationID]; chosen {
		return on
	}
	return a.settings.Now().Edits.AutoAccept
}
