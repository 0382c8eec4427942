package edits

import (
	"ploke-lsp/edits/rooted"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
)

// Options adjusts a Manager.
type Options struct {
	// OnChange is called with a changed proposal after the change is committed. Calls come one
	// at a time, in the order of the commits. The callee owns the proposal. It must not call
	// the Manager back. OnChange may be nil.
	OnChange func(*Proposal)
	// Permit is called with a plan before it is begun. If it returns an error, nothing is begun, and
	// the proposal stays as it is. It must not call the Manager back. Permit may be nil.
	Permit func(*Plan) error
}

// Manager decides on the proposals of a workspace: it plans what is accepted, rejected, undone or redone, and settles
// each plan. It is safe for concurrent use. Managers of several processes may share a database; each process must have
// only one.
type Manager struct {
	Proposals *Proposals // as they are stored
	Staging   *Staging   // what is proposed, and what a turn sees
	Preview   *Preview   // what a proposal does to the files as they read now

	*currentFiles
	settler settler
	plans   inFlightPlans
	journal journal
	writer  diskWriter
	permit  func(*Plan) error
}

// New returns a Manager of the proposals in db for the files of ws.
func New(db *store.DB, ws *workspace.Workspace, opts Options) *Manager {
	stored := &Proposals{db: db, onChange: opts.OnChange}
	if stored.onChange == nil {
		stored.onChange = func(*Proposal) {}
	}
	now := &currentFiles{ws: ws, proposals: stored}
	m := &Manager{Proposals: stored, Preview: &Preview{now}, currentFiles: now,
		Staging: &Staging{currentFiles: now, unstored: unstoredTurns{all: make(map[string]*unstoredTurn)}},
		settler: settler{currentFiles: now, seen: make(seenTexts)},
		plans:   inFlightPlans{currentFiles: now, self: newID(), own: make(map[string]bool)},
		journal: journal{stored}, permit: opts.Permit}
	m.writer = diskWriter{currentFiles: now, journal: m.journal, onReplace: func(rooted.Path, bool) {}}
	if m.permit == nil {
		m.permit = func(*Plan) error { return nil }
	}
	return m
}
