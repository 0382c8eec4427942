package document

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/pieces"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/client"
)

// A Sync takes what the client says of its documents, in the order in which it happened, and tells
// its followers of each text.
type Sync struct {
	client     *client.Client
	documents  *Table
	workspace  *workspace.Workspace
	background *client.Background
	log        *slog.Logger
	followers  []Follower
	heap       heapRelease

	mu    sync.Mutex // held while a document is opened, changed or closed
	early earlyChanges
}

// NewSync returns a sync of the documents of a workspace, whose followers learn of each event one
// after the other.
func NewSync(c *client.Client, d *Table, w *workspace.Workspace, b *client.Background, log *slog.Logger,
	followers ...Follower) *Sync {
	return &Sync{client: c, documents: d, workspace: w, background: b, log: log, followers: followers,
		early: earlyChanges{}}
}

// Stop stops what is to be done a moment later. No document may be synced from then on. A nil Sync
// does nothing.
func (s *Sync) Stop() {
	if s != nil {
		s.heap.stop()
	}
}

// DidOpen takes a text. A document that is open already gets it as its new text.
func (s *Sync) DidOpen(_ context.Context, p *OpenParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	doc := &Document{
		URI: p.uri.canonical, spelling: p.uri.spelling, Path: CanonicalPath(s.workspace, p.uri.canonical),
		Version: p.version, Text: pieces.New(p.text),
	}
	if p.fault != nil {
		return s.loseStep(doc, p.fault)
	}
	before := s.documents.Get(doc.URI)
	s.documents.set(doc)
	s.tell(Event{Kind: Opened, URI: doc.URI, Before: before, After: doc})
	s.dropHeld(doc.URI, doc.Version)
	s.applyHeld(doc.URI, doc.Version+1)
	return nil
}

// DidChange applies changes, those of each document in the order of their versions.
func (s *Sync) DidChange(_ context.Context, p *ChangeParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isEarly(p) {
		s.hold(p)
		return nil
	}
	err := s.change(p)
	if doc := s.documents.Get(p.uri); doc != nil {
		s.applyHeld(p.uri, doc.Version+1)
	}
	return err
}

// change applies changes. A document that is not open stays as it is on disk.
func (s *Sync) change(p *ChangeParams) error {
	old := s.documents.Get(p.uri)
	if old == nil {
		return fmt.Errorf("the client changed %s, which is not open", p.uri)
	}
	doc, err := old.changed(p, s.client.Encoding)
	if err != nil {
		return s.loseStep(old, err)
	}
	s.documents.set(doc)
	s.tell(Event{Kind: Changed, URI: doc.URI, Before: old, After: doc, Changes: p.changes})
	return nil
}

// loseStep refuses a notification about a document, whose text is not known from then on.
// The person is told once. It returns the reason for the log.
func (s *Sync) loseStep(old *Document, reason error) error {
	doc := *old
	doc.Text, doc.OutOfStep, doc.asked = pieces.Text{}, reason.Error(), true
	before := s.documents.Get(doc.URI)
	s.documents.set(&doc)
	s.tell(Event{Kind: Lost, URI: doc.URI, Before: before, After: &doc})
	if !old.asked {
		s.client.ShowMessage(protocol.MessageTypeWarning, "ploke: %s", s.explainLostStep(&doc, reason))
	}
	return fmt.Errorf("%s is out of step: %w", doc.URI, reason)
}

func (s *Sync) explainLostStep(doc *Document, reason error) string {
	name := string(doc.URI)
	if doc.Path != "" {
		name = s.workspace.Rel(doc.Path)
	}
	if unread, ok := reason.(*unreadError); ok && unread.TooLong {
		return fmt.Sprintf("%s is too large: %v. While it is open, ploke does not see it and does not edit it", name, unread)
	}
	return fmt.Sprintf("the editor sent a change of %s that can't be applied: %v. "+
		"Please close the file and open it again; until then ploke does not know its text, and does not edit it",
		name, reason)
}

// DidClose forgets a document. One that is not open is ignored.
func (s *Sync) DidClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := p.TextDocument.URI
	before := s.documents.Get(u)
	s.documents.remove(u)
	s.tell(Event{Kind: Closed, URI: u, Before: before})
	return nil
}

// tell tells the followers of an event. The lock is held.
func (s *Sync) tell(e Event) {
	s.heap.follow(e)
	for _, follow := range s.followers {
		follow(e)
	}
}

// CanonicalPath is filePath as the workspace spells it.
func CanonicalPath(w *workspace.Workspace, u uri.URI) string {
	path := FilePath(u)
	if path == "" {
		return path
	}
	return w.Canonical(path)
}
