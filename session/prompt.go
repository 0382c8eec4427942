package session

import (
	"context"
	_ "embed"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/messages"
	"ploke-lsp/session/records"
)

//go:embed system.md
var systemText string

// construct builds the first request: system text, the project's rules, as much of the
// conversation as fits, and the user's message with its context. The parts that change most come
// last, so that providers' prompt caches hit.
func (s *requestSession) construct(ctx context.Context) (err error) {
	model, err := s.e.opts.Model(ctx, s.prompt.Model)
	if err != nil {
		return orElse(context.Cause(ctx), err)
	}
	s.requests.use(model)
	s.view.takeKept()
	if s.e.opts.Workspace.BeforeTurn != nil {
		if err := s.e.opts.Workspace.BeforeTurn(ctx); err != nil {
			s.noticeUnlessOver(ctx, "changed files could not be indexed, so the answer may rely on old text: ", err)
		}
	}
	s.addServerTools(ctx)
	if err := s.readPast(ctx); err != nil {
		return orElse(context.Cause(ctx), err)
	}
	if err := s.context.findWaiting(ctx); err != nil {
		return orElse(context.Cause(ctx), err)
	}
	if err := s.context.findContext(ctx); err != nil {
		return err
	}
	s.view.frame.rules = s.context.rulesText(ctx)
	s.view.loadRules(s.view.frame.past.LastCompaction())
	if err := s.context.giveRulesWithMessage(ctx); err != nil {
		return err
	}
	system := llm.Message{Role: llm.System, Text: s.system()}
	if err := s.buildMessages(ctx, system); err != nil {
		return orElse(context.Cause(ctx), err)
	}
	s.publishPrompt()
	return context.Cause(ctx)
}

// addServerTools gives the turn the tools of other programs, if its model can call them. The embedded
// model does not know them.
func (s *requestSession) addServerTools(ctx context.Context) {
	if s.e.opts.Workspace.ServerTools == nil || !s.setup.remote() || !s.setup.callsTools() {
		return
	}
	more, notices := s.e.opts.Workspace.ServerTools(ctx, s.turn.ConversationID, s.setup.contextTokens()/definitionShare/2)
	s.setup.set = s.e.opts.Tools.With(more)
	for _, notice := range notices {
		s.notice(notice)
	}
}

func modelName(m llm.Model) string {
	if m.ID == "" {
		return m.Provider.Name()
	}
	return llm.WithEffort(m.Provider.Name()+"/"+m.ID, m.Effort)
}

// system returns the first message: the system text and the workspace's folders.
func (s *requestSession) system() string {
	if s.e.opts.Workspace.Roots == nil {
		return systemText
	}
	return systemText + messages.FoldersText(s.e.opts.Workspace.Roots())
}

func (e *Engine) roots() []string {
	if e.opts.Workspace.Roots == nil {
		return nil
	}
	return e.opts.Workspace.Roots()
}

// readPast reads the messages before the user's.
func (s *requestSession) readPast(ctx context.Context) error {
	fresh, err := s.view.readPast(ctx, s.user.ParentID)
	s.noteSecrets(fresh)
	return err
}

// findWaiting finds the proposal of an earlier turn of the branch that the turn's calls see.
// Earlier turns stage nothing more, so there is no other one until the turn ends.
func (b *contextBuilder) findWaiting(ctx context.Context) (err error) {
	if some, err := records.AnyWaits(ctx, b.e.opts.DB.Read(), b.turn.ConversationID); err != nil || !some {
		return err
	}
	if before := b.view.frame.past.Turns; b.e.opts.Workspace.Waiting != nil && len(before) > 0 {
		b.decided.earlier, err = b.e.opts.Workspace.Waiting(ctx, before)
	}
	return err
}

func (s *requestSession) publishPrompt() {
	e := bus.PromptConstructed{TurnRef: s.turn.TurnRef, Model: s.answer.Model,
		Messages: len(s.view.messages), Dropped: s.view.droppedMessages(), Tokens: s.view.size(), Bytes: s.view.counted.bytes}
	s.e.opts.Bus.Publish(e)
}
