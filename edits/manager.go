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
	// OnChange is told of every change to a proposal once it is committed, one
	// at a time and in that order. The proposal is its own to keep. It must not
	// call the Manager back. It may be nil.
	OnChange func(*Proposal)
}

// Manager keeps the proposals of a workspace. It is safe for concurrent use.
type Manager struct {
	db       *store.DB
	ws       *workspace.Workspace
	onChange func(*Proposal)

	mu       sync.Mutex      // held by whoever changes a proposal
	inFlight map[string]bool // ids of the hunks that a plan is applying
	lease    *flock.Flock    // held while there are any

	lastViewed atomic.Pointer[Proposal] // the last one that a View looked at
}

// New returns a manager of the proposals in db, which are for files of ws.
func New(db *store.DB, ws *workspace.Workspace, opts Options) *Manager {
	m := &Manager{db: db, ws: ws, onChange: opts.OnChange, inFlight: make(map[string]bool)}
	m.lease = m.newLease()
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

// List returns the proposals with the given status, or all for "", the newest
// first.
func (m *Manager) List(ctx context.Context, status State) ([]*Proposal, error) {
	return m.queryProposals(ctx, `WHERE ? IN ('', status) ORDER BY created_at DESC, id DESC`, string(status))
}

// FileView is a change with its texts.
type FileView struct {
	Path, Rel     string
	To, RelTo     string // the new path, for OpRename
	Op            Op
	Before, After string // what the hunks are made against, and what they make of it
	Hunks         []Hunk // places in Before
}

// Files returns a proposal's changes with their texts, as they were made: what
// was decided on together is one entry, so that a file of which a part was
// accepted has two, the second one on top of the first.
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

// Diff returns a proposal as a unified diff, in the form that git applies.
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
	// The names stand in the lines behind the first one too.
	_, text, _ = bytes.Cut(text, []byte("\n"))
	out.Write(text)
}
