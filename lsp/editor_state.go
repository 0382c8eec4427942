package lsp

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/index"
	ploke "ploke-lsp/lsp/protocol"
)

const (
	// stateTimeout is short, because a search waits for the answer.
	stateTimeout = 200 * time.Millisecond
	maxRecent    = 10 // documents
)

// editorState tracks where the person at the editor is. It asks a client that named the
// method. For another client, or if the answer is late, it uses what the client's
// requests and changes were about.
type editorState struct {
	client    *client
	documents *documents
	log       *slog.Logger

	mu      sync.Mutex
	current uri.URI
	cursor  protocol.Position
	edited  []uri.URI // the latest first
}

// setCursor notes that a request was about a place.
func (p *editorState) setCursor(u uri.URI, cursor protocol.Position) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.current, p.cursor = u, cursor
}

// edits notes the changes of a document.
func (p *editorState) recordChanges(u uri.URI, changes []protocol.TextDocumentContentChangeEvent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current != u {
		p.current, p.cursor = u, protocol.Position{}
	}
	for _, change := range changes {
		if c, ok := change.(*protocol.TextDocumentContentChangePartial); ok {
			p.cursor = c.Range.Start
		}
	}
	p.edited = slices.DeleteFunc(p.edited, func(other uri.URI) bool { return other == u })
	p.edited = slices.Insert(p.edited, 0, u)
	p.edited = p.edited[:min(len(p.edited), maxRecent)]
}

// now returns where the person is. A handler must release before it calls now.
func (p *editorState) get(ctx context.Context) index.Editor {
	state := p.inferred()
	if p.client.ploke.Has(ploke.MethodClientState) {
		limited, stop := context.WithTimeout(ctx, stateTimeout)
		defer stop()
		var answer ploke.ClientState
		if err := protocol.Call(limited, p.client.conn, ploke.MethodClientState, nil, &answer); err != nil {
			p.log.Warn("the editor did not send its state", "error", err)
		} else {
			state = answer
		}
	}
	return p.encode(state)
}

// seen returns the state that follows from the client's requests and changes.
func (p *editorState) inferred() ploke.ClientState {
	p.mu.Lock()
	defer p.mu.Unlock()
	state := ploke.ClientState{Recent: slices.Clone(p.edited)}
	if p.current != "" {
		state.Selection = &protocol.Location{URI: p.current, Range: protocol.Range{Start: p.cursor, End: p.cursor}}
	}
	return state
}

// editor converts a state to paths and bytes. The cursor is left out if its document is not open.
func (p *editorState) encode(state ploke.ClientState) index.Editor {
	e := index.Editor{Visible: filePaths(state.Visible), Recent: filePaths(state.Recent), Open: filePaths(p.documents.all())}
	if state.Selection == nil {
		return e
	}
	if doc := p.documents.get(state.Selection.URI); doc != nil {
		e.Current = doc.path
		e.Offset = ploke.NewMapper(doc.text, p.client.encoding).Offset(state.Selection.Range.Start)
	}
	return e
}

// filePaths returns the paths of the documents that are files.
func filePaths(documents []uri.URI) (paths []string) {
	for _, u := range documents {
		if path := filePath(u); path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}
