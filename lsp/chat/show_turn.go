package chat

import (
	"context"

	"ploke-lsp/internal/display"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/records"
)

// A CommandTurn is a turn that a command starts.
type CommandTurn struct {
	Title          string // for people, such as "explain Serve"
	Text           string // of the message
	ConversationID string // empty for a new conversation
	Attachments    []records.Attachment
	About          *Subject // nil if it is about no single declaration
	Purpose        Purpose
	BeforeEnd      func(context.Context, bus.TurnRef) // as in [session.Prompt]
}

// Purpose is what the person wants from a turn.
type Purpose int

const (
	WantsAnswer Purpose = iota // to read
	WantsEdit                  // a proposal; the answer matters only if there is none
)

// Start starts a turn that no chat request waits for, and returns at once. The
// client shows the turn as progress. It gets the answer as events or, if it does not
// support them, as a document.
func (t *Turns) Start(ctx context.Context, turn CommandTurn) (*ploke.TurnStarted, error) {
	started, transcript, err := t.begin(ctx, session.Prompt{
		ConversationID: turn.ConversationID, Title: FirstUpper(turn.Title), Text: turn.Text, Model: t.Model(),
		Origin: "command", Attachments: turn.Attachments, BeforeEnd: turn.BeforeEnd, WhileBusy: session.Queue,
	})
	if err != nil {
		return nil, err
	}
	progress := client.Task{Title: "ploke: " + display.Name(turn.Title), Cancel: started.Stop}
	t.Background.Go(func() { t.showProgress(progress, transcript) })
	if t.Client.Ploke.Has(ploke.MethodEvent) {
		t.Background.Go(func() { t.publishTurn(transcript) })
	} else {
		t.Background.Go(func() { t.showAnswer(turn, transcript) })
	}
	return &ploke.TurnStarted{ConversationID: started.ConversationID, TurnID: started.RequestID}, nil
}

// showProgress shows a turn as progress until it ends.
func (t *Turns) showProgress(shown client.Task, transcript *project.Transcript) {
	progress := turnProgress{t.Client.BeginProgress(t.Background.Context(), shown)}
	transcript.Follow(t.Background.Context(), transcript.From(0), progress.show)
}

// publishTurn sends a turn as events, unless another follower does.
func (t *Turns) publishTurn(transcript *project.Transcript) {
	if start, ok := transcript.Publish(); ok {
		transcript.Follow(t.Background.Context(), start, t.Client.EventSender(transcript))
	}
}

// showAnswer shows the answer of a turn while it comes, if the client opens documents in the
// background, else at its end.
func (t *Turns) showAnswer(turn CommandTurn, transcript *project.Transcript) {
	a := &answer{views: t.Views, client: t.Client, places: t.Answers, CommandTurn: turn}
	result := transcript.Follow(t.Background.Context(), transcript.From(0),
		func(part project.Part) { a.stream(t.Background.Context(), part) })
	if result != nil {
		a.finish(t.Background.Context(), result)
	}
}

// Model returns the model of the turns that commands start; "" for that of the settings.
func (t *Turns) Model() string {
	model, _ := t.chosenModel.Load().(string)
	return model
}

// ChooseModel makes a model that of the turns that commands start; "" is that of the settings.
func (t *Turns) ChooseModel(id string) { t.chosenModel.Store(id) }
