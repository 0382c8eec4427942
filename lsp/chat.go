package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
)

func (s *Server) chatSend(ctx context.Context, p *ploke.ChatSendParams) (*ploke.ChatSendResult, error) {
	if strings.TrimSpace(p.Text) == "" {
		return nil, errors.New("the message is empty: send a question or an instruction")
	}
	whileBusy := session.Queue
	switch p.WhileBusy {
	case "", "queue":
	case "steer":
		whileBusy = session.Steer
	default:
		return nil, fmt.Errorf("whileBusy is %q: it must be queue or steer", p.WhileBusy)
	}
	project, client := s.project, s.client
	attachments, err := s.attachments(ctx, p.Attachments)
	if err != nil {
		return nil, err
	}
	// A turn that is cancelled ends as one, so the rest is waited for in any case.
	started, err := s.start(ctx, session.Prompt{
		ConversationID: p.ConversationID, ParentID: p.ParentID, Text: p.Text, Model: p.Model,
		Origin: "chat", Attachments: attachments, Owner: ctx, WhileBusy: whileBusy,
	})
	if err != nil {
		return nil, err
	}
	progress := turnProgress{&progress{client: client}}
	if p.WorkDoneToken != nil {
		progress = turnProgress{client.beginProgress(ctx, task{token: p.WorkDoneToken, title: "ploke: answering", cancel: started.Stop})}
	}
	turn, after := project.turns.get(started.ConversationID, started.RequestID), 0
	if started.Joined() { // what came before was no answer to this message
		after = turn.last()
	}
	result := *turn.follow(context.WithoutCancel(ctx), &after, func(part ploke.Part) {
		progress.take(part)
		if p.PartialResultToken != nil && part.Type != ploke.PartTurnFinished {
			client.stream(protocol.MethodProgress, &ploke.Progress{Token: p.PartialResultToken, Value: turn.event(part)})
		}
	})
	result.MessageID, result.AssistantMessageID = started.UserMessageID, started.AssistantMessageID
	return &result, nil
}

// start starts a turn. It releases, but turns start in the order of their
// requests all the same: the next one may be for the same conversation. The
// first ones wait until the client has told its settings.
func (s *Server) start(ctx context.Context, prompt session.Prompt) (*session.Turn, error) {
	before, mine := s.starting, make(chan struct{})
	s.starting = mine
	defer close(mine)
	engine, configuration := s.project.engine, s.configuration
	release(ctx)
	<-configuration.settled
	if before != nil {
		<-before
	}
	configuration.refresh()
	return engine.Start(ctx, prompt)
}

func (s *Server) chatStop(_ context.Context, p *ploke.ChatStopParams) (any, error) {
	s.project.engine.Stop(p.ConversationID)
	return struct{}{}, nil
}

// chatAttach has the client follow a turn, whoever started it.
func (s *Server) chatAttach(_ context.Context, p *ploke.ChatAttachParams) (*ploke.ChatAttachResult, error) {
	client, turn := s.client, s.project.turns.find(p.TurnID)
	switch {
	case !client.ploke.Has(ploke.MethodEvent):
		return nil, fmt.Errorf("%s is for clients that name %s in capabilities.experimental.ploke.methods", ploke.MethodChatAttach, ploke.MethodEvent)
	case turn == nil:
		return nil, fmt.Errorf("the turn %q is over, or there never was one: read the history of its conversation", p.TurnID)
	}
	parts, rest := turn.attach(p.AfterSeq)
	if rest != nil {
		s.project.followers.Go(func() { turn.follow(s.life, rest, client.teller(turn)) })
	}
	result := &ploke.ChatAttachResult{Events: []ploke.Event{}}
	for _, part := range merged(parts) {
		result.Events = append(result.Events, *turn.event(part))
	}
	return result, nil
}

// teller sends a turn's parts as events.
func (c *client) teller(t *turn) func(ploke.Part) {
	return func(part ploke.Part) {
		c.stream(ploke.MethodEvent, t.event(part))
	}
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
