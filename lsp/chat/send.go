package chat

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

// Send starts the turn of a message, and returns when it has ended.
func (t *Turns) Send(ctx context.Context, p *ploke.ChatSendParams) (*ploke.ChatSendResult, error) {
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
	attachments, err := t.Attachments(ctx, p.Attachments)
	if err != nil {
		return nil, err
	}
	started, transcript, err := t.begin(ctx, session.Prompt{
		ConversationID: p.ConversationID, ParentID: p.ParentID, Text: p.Text, Model: p.Model,
		Origin: "chat", Attachments: attachments, Owner: ctx, WhileBusy: whileBusy,
	})
	if err != nil {
		return nil, err
	}
	progress := turnProgress{t.Client.NoProgress()}
	if p.WorkDoneToken != nil {
		progress = turnProgress{t.Client.BeginProgress(ctx, client.Task{Token: p.WorkDoneToken, Title: "ploke: answering"})}
	}
	stream := func(e *ploke.Event) {
		if p.PartialResultToken != nil {
			t.Client.Stream(protocol.MethodProgress, &ploke.Progress{Token: p.PartialResultToken, Value: e})
		}
	}
	after := 0
	if started.Joined() { // the parts so far do not answer this message
		after = transcript.BeforeSteering(started.UserMessageID)
		stream(client.SteeringEvent(transcript, after, started.UserMessageID))
	}
	// A cancelled turn also finishes, so this waits for its end in any case.
	finished := transcript.Follow(context.WithoutCancel(ctx), transcript.From(after), func(part project.Part) {
		progress.show(part)
		if part.Result == nil {
			stream(t.Client.EncodeTurnEvent(transcript, part))
		}
	})
	result := t.Client.EncodeResult(finished)
	result.MessageID, result.AssistantMessageID = started.UserMessageID, started.AssistantMessageID
	return result, nil
}

// begin starts a turn. It calls release, but turns still start in the order of
// their requests, because two may belong to the same conversation. Turns wait until
// the client has sent its settings once.
func (t *Turns) begin(ctx context.Context, prompt session.Prompt) (*session.Turn, *project.Transcript, error) {
	started := make(chan struct{})
	t.startOrder.Lock()
	before := t.lastStart
	t.lastStart = started
	t.startOrder.Unlock()
	defer close(started)
	rpc.Release(ctx)
	<-t.Settled
	if before != nil {
		<-before
	}
	t.Settings.Refresh()
	if err := t.attachPlaces(ctx, &prompt); err != nil {
		return nil, nil, err
	}
	return t.Project.Transcripts.Start(ctx, prompt)
}

// Stop stops what runs in a conversation.
func (t *Turns) Stop(_ context.Context, p *ploke.ChatStopParams) (any, error) {
	t.Project.Engine.Stop(p.ConversationID)
	return struct{}{}, nil
}

// Attach lets the client follow a turn, whatever started it.
func (t *Turns) Attach(_ context.Context, p *ploke.ChatAttachParams) (*ploke.ChatAttachResult, error) {
	transcript := t.Project.Transcripts.Find(p.TurnID)
	switch {
	case !t.Client.Ploke.Has(ploke.MethodEvent):
		return nil, fmt.Errorf("%s is for clients that name %s in capabilities.experimental.ploke.methods",
			ploke.MethodChatAttach, ploke.MethodEvent)
	case transcript == nil:
		return nil, fmt.Errorf("the turn %q is over, or never existed: read the history of its conversation", p.TurnID)
	}
	parts, rest, ok := transcript.Attach(p.AfterSeq)
	if ok {
		t.Background.Go(func() { transcript.Follow(t.Background.Context(), rest, t.Client.EventSender(transcript)) })
	}
	result := &ploke.ChatAttachResult{Events: []ploke.Event{}}
	for _, part := range parts {
		result.Events = append(result.Events, *t.Client.EncodeTurnEvent(transcript, part))
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
