package chat

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"

	"ploke-lsp/index"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	"ploke-lsp/project"
)

// Deps are what conversations are about, and how they are shown.
type Deps struct {
	Project    *project.Project
	Settings   *project.Settings
	Settled    <-chan struct{} // closed once the client has sent its settings, or has not
	Client     *client.Client
	Documents  *document.Table
	Parser     *document.Parser
	Views      *document.Views
	Published  *document.Published
	Background *client.Background
	Log        *slog.Logger
	Editor     Editor
	Notebooks  *document.Notebooks
}

// An Editor says where the person is. A handler calls [rpc.Release] before it asks, since the client may take a moment.
type Editor interface {
	EditorState(context.Context) index.Editor
	// Selection returns what is selected, or the cursor as an empty range; nil if that is unknown.
	Selection(context.Context) *protocol.Location
}

// Turns starts turns, and shows them while they run.
type Turns struct {
	Deps
	Answers *Answers // for clients that open no documents

	chosenModel atomic.Value  // a string: the model of the turns that commands start; none for that of the settings
	startOrder  sync.Mutex    // guards lastStart
	lastStart   chan struct{} // closed once the latest turn has started
}

// NewTurns returns what starts turns in a project.
func NewTurns(d Deps) *Turns {
	return &Turns{Deps: d, Answers: &Answers{parsed: d.Parser.Get, published: d.Published}}
}
