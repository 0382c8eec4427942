package session

import (
	"context"
	_ "embed"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
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
	s.use(model)
	if s.callIDs, err = callIDs(ctx, s.e.opts.DB.Read(), s.turn.ConversationID); err != nil {
		return orElse(context.Cause(ctx), err)
	}
	if s.e.opts.BeforeTurn != nil {
		if err := s.e.opts.BeforeTurn(ctx); err != nil {
			s.noticeUnlessOver(ctx, "changed files could not be indexed, so the answer may rely on old text: ", err)
		}
	}
	if err := s.readPast(ctx); err != nil {
		return orElse(context.Cause(ctx), err)
	}
	if err := s.findContext(ctx); err != nil {
		return err
	}
	for _, t := range s.e.opts.Tools.All() {
		s.tools = append(s.tools, llm.ToolSpec{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	system := llm.Message{Role: llm.System, Text: s.system()}
	s.frame.rules = s.rulesText(ctx)
	if err := s.buildMessages(ctx, system); err != nil {
		return orElse(context.Cause(ctx), err)
	}
	s.publishPrompt()
	return context.Cause(ctx)
}

func modelName(m llm.Model) string {
	if m.ID == "" {
		return m.Provider.Name()
	}
	return m.Provider.Name() + "/" + m.ID
}

// system returns the first message: the system text and the workspace's folders.
func (s *requestSession) system() string {
	if s.e.opts.Roots == nil {
		return systemText
	}
	return systemText + llm.FoldersText(s.e.opts.Roots())
}

// readPast reads the messages before the user's.
func (s *requestSession) readPast(ctx context.Context) (err error) {
	if s.user.ParentID != "" {
		s.frame.past, err = s.e.messages.read(ctx, s.turn.ConversationID, s.user.ParentID)
	}
	s.noteSecrets()
	return err
}

// noticeUnlessOver warns the user of an error that does not end the turn, unless ctx
// has ended.
func (s *requestSession) noticeUnlessOver(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		s.notice(what + err.Error())
	}
}

func (s *requestSession) publishPrompt() {
	e := bus.PromptConstructed{TurnRef: s.turn.TurnRef, Model: s.answer.Model,
		Messages: len(s.messages), Dropped: s.droppedMessages(), Tokens: s.size()}
	for _, m := range s.messages {
		e.Bytes += len(m.Text)
	}
	s.e.opts.Bus.Publish(e)
}
