package acp

import (
	"context"
	"errors"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
)

// prompt answers a message of the person: it starts a turn, sends what happens in it, and asks the
// person about its edits.
func (a *Agent) prompt(ctx context.Context, p *protocol.PromptRequest) (*protocol.PromptResponse, error) {
	s, err := a.sessions.get(p.SessionID)
	if err != nil {
		return nil, err
	}
	running := s.begin(ctx)
	defer s.end(running)
	rpc.Release(ctx)
	running.awaitStart()
	turn, transcript, err := s.start(ctx, p.Prompt, a.baseContext)
	running.start()
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(running.ctx, turn.Stop)()
	running.awaitTurn()
	updates := newTurnUpdates(s)
	// A cancelled turn also finishes, so this waits for its end in any case.
	result := transcript.Follow(context.WithoutCancel(ctx), transcript.From(0), updates.send)
	updates.end()
	s.checks.reread(context.WithoutCancel(ctx), s, result.Proposals)
	s.folder.frontEnd.awaitReview(a.baseContext, result.RequestID)
	if running.ctx.Err() == nil && result.StopReason != bus.StopCancelled {
		s.review(running.ctx, result.RequestID)
	}
	s.showUsage(result)
	if running.ctx.Err() != nil {
		return &protocol.PromptResponse{StopReason: protocol.StopCancelled}, nil
	}
	return s.answer(result)
}

// start stores the message and starts its turn.
func (s *openSession) start(ctx context.Context, blocks []protocol.ContentBlock,
	owner context.Context) (*session.Turn, *project.Transcript, error) {
	// What the person typed is stored even if it is cancelled meanwhile.
	ctx = context.WithoutCancel(ctx)
	s.folder.frontEnd.files.refreshUnsaved(ctx, s)
	text, attachments, err := s.message(ctx, blocks)
	if err != nil {
		return nil, nil, err
	}
	s.folder.settings.Refresh()
	turn, transcript, err := s.folder.project.Transcripts.Start(ctx, session.Prompt{
		ConversationID: s.id, Create: s.isFresh(), Text: text, Attachments: attachments, Model: s.chosenModel(),
		Origin: "acp", Owner: owner, WhileBusy: session.Queue,
	})
	switch {
	case errors.Is(err, session.ErrEmpty):
		err = invalidParams("%v", err)
	case err == nil:
		s.stored()
	}
	return turn, transcript, err
}

// answer returns the response that a turn comes to.
func (s *openSession) answer(result *project.TurnResult) (*protocol.PromptResponse, error) {
	switch result.StopReason {
	case bus.StopCancelled:
		return &protocol.PromptResponse{StopReason: protocol.StopCancelled}, nil
	case bus.StopLimit:
		s.update(messageChunk(protocol.AgentMessageChunk, "", "\n\n"+display.Prose(result.Error)))
		return &protocol.PromptResponse{StopReason: protocol.StopMaxTurnRequests}, nil
	case bus.StopError:
		code := jsonrpc2.Code(protocol.CodeInternalError)
		if result.ErrorKind == bus.ErrorAuth {
			code = protocol.CodeAuthRequired
		}
		return nil, jsonrpc2.NewError(code, result.Error)
	}
	return &protocol.PromptResponse{StopReason: protocol.StopEndTurn}, nil
}

// cancel cancels the prompts of a session, whether their turns run, wait, or have not started.
func (a *Agent) cancel(_ context.Context, p *protocol.SessionID) error {
	s, err := a.sessions.get(p.SessionID)
	if err != nil {
		return err
	}
	s.cancelPrompts()
	return nil
}

// showUsage sends how full the model's context is, and what the session has cost.
func (s *openSession) showUsage(result *project.TurnResult) {
	s.mu.Lock()
	s.spent += result.Usage.Cost
	spent := s.spent
	s.mu.Unlock()
	s.sendUsage(result.Context, spent)
}

// spentBefore returns what the turns that have ended have cost, in US dollars.
func (s *openSession) spentBefore() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spent
}

func (s *openSession) sendUsage(context bus.ContextUse, spent float64) {
	if context.Window == 0 {
		return
	}
	update := protocol.UsageUpdate{Kind: "usage_update", Used: context.Used, Size: context.Window}
	if spent > 0 {
		update.Cost = &protocol.Cost{Amount: spent, Currency: "USD"}
	}
	s.update(update)
}
