package edits

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

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

// Manager keeps the proposals of a workspace. It is safe for concurrent use. Managers of several
// processes may share a database; each process must have only one.
type Manager struct {
	db       *store.DB
	ws       *workspace.Workspace
	onChange func(*Proposal)
	permit   func(*Plan) error

	self string // the id of this Manager as an owner of plans

	mu   sync.Mutex      // held while a proposal is changed
	own  map[string]bool // ids of the plans that this Manager has in flight
	seen seenTexts

	unstored unstoredTurns

	lastViewed atomic.Pointer[[2]*Proposal] // the latest proposals that a View has read or Stage has stored

	onReplace func(file rooted.Path, checked bool) // for tests: called before and after the last check of each file
}

// New returns a Manager of the proposals in db for the files of ws.
func New(db *store.DB, ws *workspace.Workspace, opts Options) *Manager {
	m := &Manager{db: db, ws: ws, onChange: opts.OnChange, permit: opts.Permit, self: newID(), own: make(map[string]bool),
		seen:     make(seenTexts),
		unstored: unstoredTurns{all: make(map[string]*unstoredTurn)}}
	m.onReplace = func(rooted.Path, bool) {}
	if m.onChange == nil {
		m.onChange = func(*Proposal) {}
	}
	if m.permit == nil {
		m.permit = func(*Plan) error { return nil }
	}
	return m
}

// Get returns a proposal, or a *NotFoundError.
func (m *Manager) Get(ctx context.Context, id string) (*Proposal, error) {
	ps, err := m.queryProposals(ctx, `WHERE id = ?`, id)
	if err != nil {
		return nil, err
	}
	if len(ps) == 0 {
		return nil, &NotFoundError{ID: id}
	}
	return ps[0], nil
}

// List returns the proposals with the given status, or all proposals if status is "". The
// newest comes first.
func (m *Manager) List(ctx context.Context, status State) ([]*Proposal, error) {
	return m.queryProposals(ctx, `WHERE ? IN ('', status) ORDER BY created_at DESC, id DESC`, string(status))
}

// InConversation returns the proposals of a conversation. The oldest comes first.
func (m *Manager) InConversation(ctx context.Context, conversationID string) ([]*Proposal, error) {
	return m.queryProposals(ctx, `WHERE conversation_id = ? ORDER BY created_at, id`, conversationID)
}

// StagedIn returns the staged proposals of a turn as its View serves them. The newest comes first.
func (m *Manager) StagedIn(ctx context.Context, requestID string) ([]*Proposal, error) {
	unstored := m.unstored.visible(requestID) // before what is stored, so that nothing is missed
	// The + keeps SQLite from searching all staged proposals by the index of the states.
	ps, err := m.queryProposals(ctx, `WHERE request_id = ? AND +status = ? ORDER BY created_at DESC, id DESC`, requestID,
		string(Staged))
	for _, p := range unstored {
		ps = slices.DeleteFunc(ps, func(stored *Proposal) bool { return stored.ID == p.ID })
		if p.Status() == Staged {
			ps = slices.Insert(ps, 0, p.clone())
		}
	}
	return ps, err
}
