package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
	"ploke-lsp/session/llm"
)

func (s *Server) chatCreate(ctx context.Context, p *ploke.ChatCreateParams) (*ploke.ChatCreateResult, error) {
	engine := s.project.engine
	release(ctx)
	c, err := engine.Create(ctx, p.Title)
	if err != nil {
		return nil, err
	}
	return &ploke.ChatCreateResult{ConversationID: c.ID}, nil
}

func (s *Server) chatList(ctx context.Context, _ *noParams) (*ploke.ChatListResult, error) {
	engine := s.project.engine
	release(ctx)
	all, err := engine.Conversations(ctx)
	if err != nil {
		return nil, err
	}
	result := &ploke.ChatListResult{Conversations: []ploke.Conversation{}}
	for _, c := range all {
		result.Conversations = append(result.Conversations, ploke.Conversation{
			ID: c.ID, Title: c.Title, UpdatedAt: c.UpdatedAt.UnixMilli(), Messages: c.Messages,
		})
	}
	return result, nil
}

func (s *Server) chatHistory(ctx context.Context, p *ploke.ChatHistoryParams) (*ploke.ChatHistoryResult, error) {
	project, places := s.project, &places{project: s.project, encoding: s.client.encoding}
	release(ctx)
	messages, err := project.engine.History(ctx, p.ConversationID, p.LeafID)
	if err != nil {
		return nil, err
	}
	result := &ploke.ChatHistoryResult{Messages: []ploke.Message{}}
	for _, m := range messages {
		out := ploke.Message{
			ID: m.ID, ParentID: m.ParentID, Role: string(m.Role), Text: m.Text, Status: string(m.Status),
			Proposals: m.Proposals, CreatedAt: m.CreatedAt.UnixMilli(),
		}
		if m.Role == llm.Assistant {
			out.Text = places.toMarkdown(ctx, m.Text)
		}
		for _, c := range m.Calls {
			out.ToolCalls = append(out.ToolCalls, ploke.ToolCall{
				CallID: c.CallID, Tool: c.Tool, Summary: c.Summary, Error: c.Error, DurationMS: c.Duration.Milliseconds(),
			})
		}
		result.Messages = append(result.Messages, out)
	}
	return result, nil
}

func (s *Server) chatSend(ctx context.Context, p *ploke.ChatSendParams) (*ploke.ChatSendResult, error) {
	if strings.TrimSpace(p.Text) == "" {
		return nil, errors.New("the message is empty: send a question or an instruction")
	}
	project, client := s.project, s.client
	attachments, err := s.attachments(ctx, p.Attachments)
	if err != nil {
		return nil, err
	}
	// A turn that is cancelled ends as one, so the rest is waited for in any case.
	started, err := s.start(ctx, session.Prompt{
		ConversationID: p.ConversationID, ParentID: p.ParentID, Text: p.Text, Model: p.Model,
		Origin: "chat", Attachments: attachments, Owner: ctx,
	})
	if err != nil {
		return nil, err
	}
	progress := turnProgress{&progress{client: client}}
	if p.WorkDoneToken != nil {
		progress = turnProgress{client.beginProgress(ctx, task{token: p.WorkDoneToken, title: "ploke: answering", cancel: started.Stop})}
	}
	return project.turns.get(started.RequestID).follow(context.WithoutCancel(ctx), 0, func(part ploke.Part) {
		progress.take(part)
		if p.PartialResultToken != nil && part.Type != ploke.PartTurnStarted && part.Type != ploke.PartTurnFinished {
			client.stream(protocol.MethodProgress, &ploke.Progress{Token: p.PartialResultToken, Value: part})
		}
	}), nil
}

// start starts a turn. It releases, but turns start in the order of their
// requests all the same: the next one may be for the same conversation. The
// first ones wait until the client has told its settings.
func (s *Server) start(ctx context.Context, prompt session.Prompt) (*session.Turn, error) {
	before, mine := s.starting, make(chan struct{})
	s.starting = mine
	defer close(mine)
	engine, settled := s.project.engine, s.configuration.settled
	release(ctx)
	<-settled
	if before != nil {
		<-before
	}
	return engine.Start(ctx, prompt)
}

func (s *Server) chatStop(_ context.Context, p *ploke.ChatStopParams) (any, error) {
	s.project.engine.Stop(p.ConversationID)
	return struct{}{}, nil
}

// attachments reads the files that go with a message, as they are now.
func (s *Server) attachments(ctx context.Context, list []ploke.Attachment) ([]session.Attachment, error) {
	var out []session.Attachment
	for _, a := range list {
		path, err := s.project.workspace.Resolve(string(a.URI))
		if err != nil {
			return nil, err
		}
		file, err := s.project.workspace.Read(ctx, path)
		if err != nil {
			return nil, fmt.Errorf("the attachment %s can't be read: %w", a.URI, err)
		}
		m := ploke.NewMapper(file.Text, s.client.encoding)
		first, last := 1, m.LineAt(len(file.Text))
		if a.Range != nil {
			first, last = m.LineAt(m.Offset(a.Range.Start)), m.LineAt(m.Offset(a.Range.End))
		}
		r, ok := m.Lines(first, last)
		if !ok {
			return nil, fmt.Errorf("the attachment %s has no lines %d to %d", a.URI, first, last)
		}
		out = append(out, session.Attachment{
			Path: path, StartLine: first, EndLine: last, Text: string(file.Text[m.Offset(r.Start):m.Offset(r.End)]),
		})
	}
	return out, nil
}

// turnProgress shows a turn as a work-done progress.
type turnProgress struct{ *progress }

// take shows one part: which tool runs, and the end.
func (p turnProgress) take(part ploke.Part) {
	switch {
	case part.Type == ploke.PartToolCall && part.State == ploke.ToolCallStarted:
		p.report(part.Tool, -1)
	case part.Type == ploke.PartTurnFinished:
		p.end(string(part.Result.StopReason))
	}
}
