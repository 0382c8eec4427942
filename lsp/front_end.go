package lsp

import (
	"context"
	"fmt"
	"sync/atomic"

	"go.lsp.dev/protocol"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/lsp/review"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
)

// A frontEnd implements [project.FrontEnd] with the client's capabilities.
type frontEnd struct {
	client *client.Client
	*document.Applier
	editorState *editorState
	diagnostics *diagnostics
	review      *review.Queue
	chats       atomic.Pointer[chat.Documents] // nil until the project is open
	*client.EditorModels
	*editorServers
}

// newFrontEnd returns the front end of a server. The project whose files it reads is that of the service.
func newFrontEnd(s *Server) *frontEnd {
	return &frontEnd{
		client:      s.client,
		Applier:     document.NewApplier(s.client, s.documents),
		editorState: &editorState{client: s.client, documents: s.documents, log: s.log},
		diagnostics: newDiagnostics(s.client, s.documents,
			func() *workspace.Workspace { return s.service.project.Workspace }),
		review:        review.NewQueue(s.log),
		EditorModels:  client.NewEditorModels(s.client),
		editorServers: newEditorServers(s.client, s.documents),
	}
}

var messageTypes = map[project.Severity]protocol.MessageType{
	project.Error:   protocol.MessageTypeError,
	project.Warning: protocol.MessageTypeWarning,
	project.Info:    protocol.MessageTypeInfo,
}

// HowToDecide implements [project.Decider].
func (f *frontEnd) HowToDecide(verb, id string) string { return f.client.HowToDecide(verb, id) }

// ShowMessage implements [project.FrontEnd].
func (f *frontEnd) ShowMessage(severity project.Severity, text string) {
	f.client.ShowMessage(messageTypes[severity], "ploke: %s", text)
}

// BeginProgress implements [project.FrontEnd].
func (f *frontEnd) BeginProgress(ctx context.Context, t project.Task) project.Progress {
	return f.client.BeginProgress(ctx, client.Task{Title: t.Title, Percentage: true, Cancel: t.Cancel})
}

// Notify implements [project.FrontEnd]: it sends the part as an event, if the client
// supports events. Index parts wait while the write queue is full.
func (f *frontEnd) Notify(part project.Part) {
	f.review.NoteEvent(part.Event)
	if chats := f.chats.Load(); chats != nil {
		chats.NoteEvent(part.Event)
	}
	if !f.client.Ploke.Has(ploke.MethodEvent) {
		return
	}
	if part.Index != nil {
		f.client.WaitForCapacity()
	}
	f.client.Notify(ploke.MethodEvent, &ploke.Event{Part: f.client.EncodePart(part)})
}

// ReviewReady implements [project.FrontEnd].
func (f *frontEnd) ReviewReady(turnID string) { f.review.TurnEnded(turnID) }

// Diagnostics implements [project.FrontEnd].
func (f *frontEnd) Diagnostics(ctx context.Context, path string) (tools.Diagnostics, error) {
	return f.diagnostics.get(ctx, path)
}

// EditorState implements [project.FrontEnd].
func (f *frontEnd) EditorState(ctx context.Context) index.Editor { return f.editorState.get(ctx) }

// AskPermission implements [project.FrontEnd].
func (f *frontEnd) AskPermission(ctx context.Context, e bus.PermissionAsked) session.Answer {
	return f.client.AskPermission(ctx, e)
}

// ShowsQuestions implements [project.FrontEnd].
func (f *frontEnd) ShowsQuestions() bool { return !f.client.PermitsByActions() }

// HasTerminal implements [project.Terminal].
func (f *frontEnd) HasTerminal() bool { return f.client.Ploke.Has(ploke.MethodClientTerminal) }

// LastCommand implements [project.Terminal].
func (f *frontEnd) LastCommand(ctx context.Context) (project.TerminalCommand, error) {
	var last ploke.ClientTerminalResult
	if err := f.client.Call(ctx, ploke.MethodClientTerminal, nil, &last); err != nil {
		return project.TerminalCommand{}, fmt.Errorf("the editor did not send its last command: %w", err)
	}
	return project.TerminalCommand{Line: last.Command, Output: last.Output, ExitCode: last.ExitCode}, nil
}

// Selection implements [chat.Editor].
func (f *frontEnd) Selection(ctx context.Context) *protocol.Location {
	return f.editorState.selection(ctx)
}
