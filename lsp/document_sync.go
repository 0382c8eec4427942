package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/pieces"
	"ploke-lsp/project"
)

// didOpen takes a text. A document that is open already gets it as its new text.
func (s *Server) didOpen(_ context.Context, p *didOpenParams) error {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	doc := &document{uri: p.uri.canonical, spelling: p.uri.spelling, path: s.canonicalPath(p.uri.canonical), version: p.version, text: pieces.New(p.text)}
	if p.fault != nil {
		return s.loseStep(doc, p.fault)
	}
	s.documents.set(doc)
	s.parsed.forget(doc.uri)
	s.scavenger.changed(doc.text.Len())
	s.project.Opened(doc.path, doc.version, doc.text)
	s.review.typed(doc.path)
	s.chatOpened(doc)
	s.dropHeld(doc.uri, doc.version)
	s.applyHeld(doc.uri, doc.version+1)
	return nil
}

// didChange applies changes, those of each document in the order of their versions.
func (s *Server) didChange(_ context.Context, p *didChangeParams) error {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	if s.isEarly(p) {
		s.hold(p)
		return nil
	}
	err := s.change(p)
	if doc := s.documents.get(p.uri); doc != nil {
		s.applyHeld(p.uri, doc.version+1)
	}
	return err
}

// change applies changes. A document that is not open stays as it is on disk.
func (s *Server) change(p *didChangeParams) error {
	old := s.documents.get(p.uri)
	if old == nil {
		return fmt.Errorf("the client changed %s, which is not open", p.uri)
	}
	doc, err := old.changed(p, s.client.Encoding)
	if err != nil {
		return s.loseStep(old, err)
	}
	s.documents.set(doc)
	s.scavenger.changed(p.bytes())
	s.answers.changed(p.uri)
	s.chats.changed(old, doc, p.changes, s.client.Encoding)
	if s.isWork(p.uri) {
		s.editorState.recordChanges(p.uri, p.changes)
	}
	s.parsed.changed(old, doc)
	if doc.outOfStep == "" {
		s.project.Changed(doc.path, doc.version, doc.text)
		s.review.typed(doc.path)
	}
	return nil
}

// loseStep refuses a notification about a document, whose text is not known from then on.
// The person is told once. It returns the reason for the log.
func (s *Server) loseStep(old *document, reason error) error {
	doc := *old
	doc.text, doc.outOfStep, doc.asked = pieces.Text{}, reason.Error(), true
	s.documents.set(&doc)
	s.scavenger.changed(old.text.Len())
	s.project.OutOfStep(doc.path, doc.outOfStep)
	s.chats.closed(doc.uri)
	s.parsed.forget(doc.uri)
	if !old.asked {
		s.frontEnd.ShowMessage(project.Warning, s.explainLostStep(&doc, reason))
	}
	return fmt.Errorf("%s is out of step: %w", doc.uri, reason)
}

func (s *Server) explainLostStep(doc *document, reason error) string {
	name := string(doc.uri)
	if doc.path != "" {
		name = s.project.Workspace.Rel(doc.path)
	}
	if unread, ok := reason.(*unreadError); ok && unread.TooLong {
		return fmt.Sprintf("%s is too large: %v. While it is open, ploke does not see it and does not edit it", name, unread)
	}
	return fmt.Sprintf("the editor sent a change of %s that can't be applied: %v. Please close the file and open it again; until then ploke does not know its text, and does not edit it", name, reason)
}

func (s *Server) didSave(_ context.Context, p *protocol.DidSaveTextDocumentParams) error {
	s.chatSaved(p.TextDocument.URI)
	s.project.Saved(s.canonicalPath(p.TextDocument.URI))
	return nil
}

// didClose forgets a document. One that is not open is ignored.
func (s *Server) didClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	doc := s.documents.get(p.TextDocument.URI)
	s.documents.remove(p.TextDocument.URI)
	s.chats.closed(p.TextDocument.URI)
	s.parsed.forget(p.TextDocument.URI)
	s.answers.changed(p.TextDocument.URI)
	if doc != nil {
		s.scavenger.changed(doc.text.Len())
		s.fileClosed(doc)
		s.background.Go(func() { s.views.closed(doc.uri) })
		s.background.Go(func() { s.parsed.release(doc.uri) })
		s.review.typed(doc.path)
	}
	return nil
}

// fileClosed makes the disk's text of a document count again, or that of another document of the
// same file: an editor may open it under several URIs.
func (s *Server) fileClosed(doc *document) {
	switch other := s.documents.at(doc.path); {
	case other == nil || doc.path == "":
		s.project.Closed(doc.path)
	case other.outOfStep != "":
		s.project.OutOfStep(other.path, other.outOfStep)
	default:
		s.project.Changed(other.path, other.version, other.text)
	}
}

// canonicalPath is filePath as the workspace spells it.
func (s *Server) canonicalPath(u uri.URI) string {
	path := filePath(u)
	if path == "" || s.project == nil {
		return path
	}
	return s.project.Workspace.Canonical(path)
}

// filePath returns the path of a URI that names a file of this machine, and "" for other
// URIs.
func filePath(u uri.URI) string {
	path, err := localPath(u)
	if err != nil {
		return ""
	}
	return path
}
