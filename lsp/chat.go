package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
)

func (s *Server) chatSend(ctx context.Context, p *ploke.ChatSendParams) (*ploke.ChatSendResult, error) {
	if strings.TrimSpace(p.Text) == "" {
		return nil, errors.New("the message is empty: send a question or an instruction")
	}
	whileBusy := session.Queue
	switch p.WhileBusy {
	case "", ploke.WhileBusyQueue:
	case ploke.WhileBusySteer:
		whileBusy = session.Steer
	default:
		return nil, fmt.Errorf("whileBusy is %q: it must be queue or steer", p.WhileBusy)
	}
	attachments, err := s.attachments(ctx, p.Attachments)
	if err != nil {
		return nil, err
	}
	started, transcript, err := s.start(ctx, session.Prompt{
		ConversationID: p.ConversationID, ParentID: p.ParentID, Text: p.Text, Model: p.Model,
		Origin: "chat", Attachments: attachments, Owner: ctx, WhileBusy: whileBusy,
	})
	if err != nil {
		return nil, err
	}
	progress := turnProgress{s.client.NoProgress()}
	if p.WorkDoneToken != nil {
		progress = turnProgress{s.client.BeginProgress(ctx, client.Task{Token: p.WorkDoneToken, Title: "ploke: answering"})}
	}
	after := 0
	if started.Joined() { // the parts so far do not answer this message
		after = transcript.Last()
	}
	// A cancelled turn also finishes, so this waits for its end in any case.
	finished := transcript.Follow(context.WithoutCancel(ctx), transcript.From(after), func(part project.Part) {
		progress.show(part)
		if p.PartialResultToken != nil && part.Result == nil {
			s.client.Stream(protocol.MethodProgress, &ploke.Progress{Token: p.PartialResultToken, Value: s.client.EncodeTurnEvent(transcript, part)})
		}
	})
	result := s.client.EncodeResult(finished)
	result.MessageID, result.AssistantMessageID = started.UserMessageID, started.AssistantMessageID
	return result, nil
}

// start starts a turn. It calls release, but turns still start in the order of
// their requests, because two may belong to the same conversation. Turns wait until
// the client has sent its settings once.
func (s *Server) start(ctx context.Context, prompt session.Prompt) (*session.Turn, *project.Transcript, error) {
	started := make(chan struct{})
	s.startOrder.Lock()
	before := s.lastStart
	s.lastStart = started
	s.startOrder.Unlock()
	defer close(started)
	opened, configuration := s.project, s.configuration
	rpc.Release(ctx)
	<-configuration.loaded
	if before != nil {
		<-before
	}
	configuration.settings.Refresh()
	return opened.Start(ctx, prompt)
}

func (s *Server) chatStop(_ context.Context, p *ploke.ChatStopParams) (any, error) {
	s.project.Engine.Stop(p.ConversationID)
	return struct{}{}, nil
}

// chatAttach lets the client follow a turn, whatever started it.
func (s *Server) chatAttach(_ context.Context, p *ploke.ChatAttachParams) (*ploke.ChatAttachResult, error) {
	transcript := s.project.FindTranscript(p.TurnID)
	switch {
	case !s.client.Ploke.Has(ploke.MethodEvent):
		return nil, fmt.Errorf("%s is for clients that name %s in capabilities.experimental.ploke.methods", ploke.MethodChatAttach, ploke.MethodEvent)
	case transcript == nil:
		return nil, fmt.Errorf("the turn %q is over, or never existed: read the history of its conversation", p.TurnID)
	}
	parts, rest, ok := transcript.Attach(p.AfterSeq)
	if ok {
		s.background.Go(func() { transcript.Follow(s.background.Context(), rest, s.client.EventSender(transcript)) })
	}
	result := &ploke.ChatAttachResult{Events: []ploke.Event{}}
	for _, part := range parts {
		result.Events = append(result.Events, *s.client.EncodeTurnEvent(transcript, part))
	}
	return result, nil
}

// turnProgress shows a turn as work-done progress.
type turnProgress struct{ *client.Progress }

// show updates the progress for one part: a tool call, or the end of the turn.
func (p turnProgress) show(part project.Part) {
	switch e := part.Event.(type) {
	case bus.ToolCallRequested:
		p.Report(e.Name, -1)
	case bus.TurnFinished:
		p.End(string(e.StopReason))
	}
}
