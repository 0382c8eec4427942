package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/document"
)

// followers is who learns that the text of a document is now another one, in this order:
//
//   - What is derived from the text alone, so that whoever asks next gets what belongs to the new text.
//   - What is shown in the document, whose place in it has changed, and what streams into it, which waits for this.
//   - The project, whose index and proposals are about the text.
//   - What the server has written to the document, which goes to its file once the document is closed.
//   - The review last: it places hunks in the text that the project has. Before it, the client gets what it may have
//     forgotten of a document that was not open.
func (s *service) followers() []document.Follower {
	return []document.Follower{
		s.texts.parser.Follow,
		s.turns.Answers.Follow,
		s.chats.Follow,
		s.followEditing,
		s.followProject,
		s.followClosing,
		s.texts.published.Follow,
		s.followReview,
	}
}

// followEditing notes where the person edits, unless that is in a document of the server's.
func (s *service) followEditing(e document.Event) {
	if e.Kind == document.Changed && isWork(s.texts.views, e.URI) {
		s.frontEnd.editorState.recordChanges(e.URI, e.Changes)
	}
}

// followProject gives the project the text, or tells it that the text is not known or the disk's.
func (s *service) followProject(e document.Event) {
	switch {
	case e.Kind == document.Opened:
		s.project.Opened(e.After.Path, e.After.Version, e.After.Text)
	case e.Kind == document.Changed && e.Known():
		s.project.Changed(e.After.Path, e.After.Version, e.After.Text)
	case e.Kind == document.Lost:
		s.project.OutOfStep(e.After.Path, e.After.OutOfStep)
	case e.Kind == document.Closed && e.Before != nil:
		s.followFile(e.Before.Path)
	}
}

// followFile makes the disk's text of a file count again, or that of another document of the
// same file: an editor may open it under several URIs.
func (s *service) followFile(path string) {
	switch other := s.texts.documents.At(path); {
	case other == nil || path == "":
		s.project.Closed(path)
	case other.OutOfStep != "":
		s.project.OutOfStep(other.Path, other.OutOfStep)
	default:
		s.project.Changed(other.Path, other.Version, other.Text)
	}
}

// followClosing does what may take a moment once a document is closed.
func (s *service) followClosing(e document.Event) {
	if e.Kind == document.Closed && e.Before != nil {
		s.background.Go(func() { s.texts.views.Closed(e.URI) })
		s.background.Go(func() { s.texts.parser.Release(e.URI) })
	}
}

// followReview notes that hunks may have other places in the text, or none.
func (s *service) followReview(e document.Event) {
	switch {
	case e.Known():
		s.review.TextChanged(e.After.Path)
	case e.Kind == document.Closed && e.Before != nil:
		s.review.TextChanged(e.Before.Path)
	}
}

// didSave notes that the text of a document is the disk's.
func (s *service) didSave(_ context.Context, p *protocol.DidSaveTextDocumentParams) error {
	s.chats.Saved(p.TextDocument.URI)
	s.project.Saved(document.CanonicalPath(s.project.Workspace, p.TextDocument.URI))
	return nil
}
