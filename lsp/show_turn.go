package lsp

import (
	"context"

	"ploke-lsp/internal/display"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
)

// A commandTurn is a turn that a command starts.
type commandTurn struct {
	title          string // for people, such as "explain Serve"
	text           string // of the message
	conversationID string // empty for a new conversation
	attachments    []session.Attachment
	about          *subject // nil if it is about no single declaration
	purpose        turnPurpose
	beforeEnd      func(context.Context, bus.TurnRef) // as in [session.Prompt]
}

// turnPurpose is what the person wants from a turn.
type turnPurpose int

const (
	wantsAnswer turnPurpose = iota // to read
	wantsEdit                      // a proposal; the answer matters only if there is none
)

// startTurn starts a turn that no chat request waits for, and returns at once. The
// client shows the turn as progress. It gets the answer as events or, if it does not
// support them, as a document.
func (s *Server) startTurn(ctx context.Context, turn commandTurn) (*ploke.TurnStarted, error) {
	started, transcript, err := s.start(ctx, session.Prompt{
		ConversationID: turn.conversationID, Title: firstUpper(turn.title), Text: turn.text, Model: s.commandModel(), Origin: "command", Attachments: turn.attachments, BeforeEnd: turn.beforeEnd, WhileBusy: session.Queue,
	})
	if err != nil {
		return nil, err
	}
	progress := client.Task{Title: "ploke: " + display.Name(turn.title), Cancel: started.Stop}
	s.background.Go(func() { s.showProgress(progress, transcript) })
	if s.client.Ploke.Has(ploke.MethodEvent) {
		s.background.Go(func() { s.publishTurn(transcript) })
	} else {
		s.background.Go(func() { s.showAnswer(turn, transcript) })
	}
	return &ploke.TurnStarted{ConversationID: started.ConversationID, TurnID: started.RequestID}, nil
}

// showProgress shows a turn as progress until it ends.
func (s *Server) showProgress(t client.Task, transcript *project.Transcript) {
	progress := turnProgress{s.client.BeginProgress(s.background.Context(), t)}
	transcript.Follow(s.background.Context(), transcript.From(0), progress.show)
}

// publishTurn sends a turn as events, unless another follower does.
func (s *Server) publishTurn(transcript *project.Transcript) {
	if start, ok := transcript.Publish(); ok {
		transcript.Follow(s.background.Context(), start, s.client.EventSender(transcript))
	}
}

// showAnswer shows the answer of a turn while it comes, if the client opens documents in the
// background, else at its end.
func (s *Server) showAnswer(turn commandTurn, transcript *project.Transcript) {
	a := &answer{views: s.views, client: s.client, places: s.answers, commandTurn: turn}
	result := transcript.Follow(s.background.Context(), transcript.From(0), func(part project.Part) { a.stream(s.background.Context(), part) })
	if result != nil {
		a.finish(s.background.Context(), result)
	}
}
