package edits

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gofrs/flock"
	"github.com/rogpeppe/go-internal/diff"

	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
)

// Options adjusts a Manager.
type Options struct {
	// OnChange is called with a changed proposal after the change is committed. Calls come one
	// at a time, in the order of the commits. The callee owns the proposal. It must not call
	// the Manager back. OnChange may be nil.
	OnChange func(*Proposal)
}

// Manager keeps the proposals of a workspace. It is safe for concurrent use.
type Manager struct {
	db       *store.DB
	ws       *workspace.Workspace
	onChange func(*Proposal)

	mu       sync.Mutex      // held while a proposal is changed
	inFlight map[string]bool // ids of the hunks that a plan is applying
	lease    *flock.Flock    // held while inFlight is not empty

	effects    map[string]int           // by hunk id: how many plans have taken effect
	lastViewed atomic.Pointer[Proposal] // the latest proposal that a View has read

	onReplace func(file rootedPath, checked bool) // for tests: called before and after the last check of each file
}

// New returns a Manager of the proposals in db for the files of ws.
func New(db *store.DB, ws *workspace.Workspace, opts Options) *Manager {
	m := &Manager{db: db, ws: ws, onChange: opts.OnChange, inFlight: make(map[string]bool), effects: make(map[string]int)}
	m.lease = m.newLease()
	m.onReplace = func(rootedPath, bool) {}
	if m.onChange == nil {
		m.onChange = func(*Proposal) {}
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

// StagedIn returns the staged proposals of a turn. The newest comes first.
func (m *Manager) StagedIn(ctx context.Context, requestID string) ([]*Proposal, error) {
	// The + keeps SQLite from searching all staged proposals by the index of the states.
	return m.queryProposals(ctx, `WHERE request_id = ? AND +status = ? ORDER BY created_at DESC, id DESC`, requestID, string(Staged))
}

// FileView is a change with its texts.
type FileView struct {
	Path, Rel     string
	To, RelTo     string // the new path, for OpRename
	Op            Op
	Before, After string // the text that the hunks are made against, and the text with the hunks applied
	Hunks         []Hunk // offsets in Before
}

// Files returns a proposal's changes with their texts, as they were made. Each part that was
// decided on separately is an entry of its own: a file of which a part was accepted has two
// entries, and the second builds on the first.
func (m *Manager) Files(ctx context.Context, p *Proposal) ([]FileView, error) {
	var views []FileView
	for i := range p.Changes {
		c := &p.Changes[i]
		before, err := m.text(ctx, c.BaseHash)
		if err != nil {
			return nil, err
		}
		after, err := m.newOverlay().after(ctx, c)
		if err != nil {
			return nil, err
		}
		v := FileView{
			Path: c.Path, Rel: m.ws.Rel(c.Path), Op: c.Op,
			Before: string(before), After: string(after), Hunks: c.Hunks,
		}
		if c.Op == OpRename {
			v.To, v.RelTo = c.To, m.ws.Rel(c.To)
		}
		views = append(views, v)
	}
	return views, nil
}

// Diff returns a proposal as a unified diff that git apply accepts.
func (m *Manager) Diff(ctx context.Context, p *Proposal) (string, error) {
	views, err := m.Files(ctx, p)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, v := range views {
		v.diff(&out)
	}
	return out.String(), nil
}

func (v *FileView) diff(out *strings.Builder) {
	from, to := "a/"+v.Rel, "b/"+v.Rel
	switch v.Op {
	case OpCreate:
		from = "/dev/null"
	case OpDelete:
		to = "/dev/null"
	case OpRename:
		fmt.Fprintf(out, "diff --git a/%s b/%s\nrename from %s\nrename to %s\n", v.Rel, v.RelTo, v.Rel, v.RelTo)
		to = "b/" + v.RelTo
	}
	text := diff.Diff(from, []byte(v.Before), to, []byte(v.After))
	// diff.Diff begins with a line of its own; the names are in the lines after it, too.
	_, text, _ = bytes.Cut(text, []byte("\n"))
	out.Write(text)
}
