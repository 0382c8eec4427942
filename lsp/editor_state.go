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
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

const (
	// stateTimeout is short, because a search waits for the reply, but an editor under load needs some time.
	stateTimeout = time.Second
	maxRecent    = 10 // documents
)

// editorState tracks the cursor, the visible documents and the recently edited ones.
// It requests them from a client that supports ploke/client/state. For other clients,
// and if the reply is late, it infers them from requests and changes.
type editorState struct {
	client    *client.Client
	documents *document.Table
	log       *slog.Logger

	mu      sync.Mutex
	current uri.URI
	cursor  protocol.Position
	edited  []uri.URI // the most recent first
}

// setCursor records the position of a request as the cursor.
func (s *editorState) setCursor(u uri.URI, cursor protocol.Position) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current, s.cursor = u, cursor
}

// recordChanges records that the person edited a document.
func (s *editorState) recordChanges(u uri.URI, changes []document.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != u {
		s.current, s.cursor = u, protocol.Position{}
	}
	for _, change := range changes {
		if change.Partial {
			s.cursor = change.Start
		}
	}
	s.edited = slices.DeleteFunc(s.edited, func(other uri.URI) bool { return other == u })
	s.edited = slices.Insert(s.edited, 0, u)
	s.edited = s.edited[:min(len(s.edited), maxRecent)]
}

// get returns the current state. A handler must call release before it calls get.
func (s *editorState) get(ctx context.Context) index.Editor { return s.encode(s.ask(ctx)) }

// selection returns what is selected, or the cursor as an empty range; nil if that is unknown. A handler must call
// release before it calls selection.
func (s *editorState) selection(ctx context.Context) *protocol.Location { return s.ask(ctx).Selection }

// ask returns what the client says, or else what follows from its requests.
func (s *editorState) ask(ctx context.Context) ploke.ClientState {
	state := s.inferred()
	if s.client.Ploke.Has(ploke.MethodClientState) {
		limited, stop := context.WithTimeout(ctx, stateTimeout)
		defer stop()
		var answer ploke.ClientState
		if err := s.client.Call(limited, ploke.MethodClientState, nil, &answer); err != nil {
			s.log.Warn("the editor did not send its state", "error", err)
		} else {
			state = answer
		}
	}
	return state
}

// inferred returns the state that follows from the client's requests and changes.
func (s *editorState) inferred() ploke.ClientState {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := ploke.ClientState{Recent: slices.Clone(s.edited)}
	if s.current != "" {
		state.Selection = &protocol.Location{URI: s.current, Range: protocol.Range{Start: s.cursor, End: s.cursor}}
	}
	return state
}

// encode converts a state to paths and byte offsets. It omits the cursor if its
// document is not open, or out of step.
func (s *editorState) encode(state ploke.ClientState) index.Editor {
	e := index.Editor{Visible: s.paths(state.Visible), Recent: s.paths(state.Recent), Open: s.paths(state.Open)}
	if state.Open == nil {
		e.Open = s.paths(s.documents.All())
	}
	if state.Selection == nil {
		return e
	}
	if doc := s.documents.Get(state.Selection.URI); doc != nil && doc.OutOfStep == "" {
		p := state.Selection.Range.Start
		e.Current = doc.Path
		e.Offset, _ = doc.Text.Offset(int(p.Line), int(p.Character), document.UnitOf(s.client.Encoding))
	}
	return e
}

// paths returns the paths of those documents that are files.
func (s *editorState) paths(documents []uri.URI) (paths []string) {
	for _, u := range documents {
		path := document.FilePath(u)
		if doc := s.documents.Get(u); doc != nil {
			path = doc.Path
		}
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}
