package indexing

import (
	"context"
	"log/slog"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/bus"
)

// Options are what an indexer works with. All but ResumeHint and OneScan must be set.
type Options struct {
	Index     *index.Index
	Workspace *workspace.Workspace
	Bus       *bus.Bus
	FrontEnd  FrontEnd
	Log       *slog.Logger

	Indexed    func() // called after each update of the index; it does not wait
	ResumeHint string // says how to resume the indexing; a part of a sentence
	OneScan    bool   // the first scan is enough for all turns
}

// FrontEnd is what an indexer shows to the person. Its methods are called from several
// goroutines at once. Those that show a message do not wait.
type FrontEnd interface {
	ShowError(text string)
	ShowInfo(text string)
	// BeginProgress shows that work has begun. It never returns nil, and it may wait for a
	// client that is slow to read, as the methods of the result may. cancel is called when the
	// person cancels the work.
	BeginProgress(ctx context.Context, title string, cancel func()) Progress
}

// Progress is the display of one running task.
type Progress interface {
	// Report shows how far the work is; percent is from 0 to 100.
	Report(message string, percent int)
	// End takes the display away, with a last message.
	End(message string)
}
