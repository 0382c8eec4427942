package edits

import (
	"context"
	"errors"
	"io/fs"

	"ploke-lsp/internal/workspace"
)

// View returns the workspace as the turn's undecided proposal would leave it:
// what the turn's next edits are made against. Once the user has decided on the
// proposal, or changed what it builds on, the files themselves count again.
func (m *Manager) View(requestID string) workspace.Reader {
	return &view{m: m, requestID: requestID}
}

type view struct {
	m         *Manager
	requestID string
}

func (v *view) Read(ctx context.Context, path string) (*workspace.File, error) {
	p, err := v.m.undecided(ctx, v.requestID)
	if err != nil {
		return nil, err
	}
	s, err := v.m.look(ctx, p, path)
	var stale *StaleError
	if errors.As(err, &stale) {
		return v.m.ws.Read(ctx, path)
	}
	if err != nil {
		return nil, err
	}
	return s.file()
}

// undecided returns the turn's proposal that further edits amend: its last one,
// while all of it is staged. It returns nil when there is none.
func (m *Manager) undecided(ctx context.Context, requestID string) (*Proposal, error) {
	if requestID == "" {
		return nil, nil
	}
	ps, err := m.queryProposals(ctx, `WHERE request_id = ? ORDER BY created_at DESC, id DESC LIMIT 1`, requestID)
	if err != nil || len(ps) == 0 || ps[0].Status() != Staged {
		return nil, err
	}
	return ps[0], nil
}

// sight is one file as a proposal sees it.
type sight struct {
	path  string
	now   *workspace.File // nil when it does not exist
	op    Op
	hunks []Hunk // the proposal's, made against now
	text  []byte // now with the hunks
}

// base returns the text that the hunks are edits of.
func (s *sight) base() []byte {
	if s.now == nil {
		return nil
	}
	return s.now.Text
}

// exists reports whether the file is there, or would be.
func (s *sight) exists() bool {
	return s.now != nil || s.op == OpCreate
}

// file returns what the file would say.
func (s *sight) file() (*workspace.File, error) {
	switch {
	case !s.exists():
		return nil, &fs.PathError{Op: "open", Path: s.path, Err: fs.ErrNotExist}
	case len(s.hunks) == 0:
		return s.now, nil
	}
	f := workspace.File{Path: s.path}
	if s.now != nil {
		f = *s.now
	}
	f.Text, f.Hash = s.text, workspace.Hash(s.text)
	return &f, nil
}

// look returns the file at path with p's pending hunks, carried over to what it
// says now. Where that is impossible it returns a *StaleError; p may be nil.
func (m *Manager) look(ctx context.Context, p *Proposal, path string) (*sight, error) {
	path, err := m.ws.Resolve(path)
	if err != nil {
		return nil, err
	}
	s := &sight{path: path, op: OpEdit}
	s.now, err = m.ws.Read(ctx, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if s.text = s.base(); p == nil {
		return s, nil
	}
	c := p.pending(path)
	if c == nil {
		return s, nil
	}
	s.op = c.Op
	if s.hunks, _, err = m.carry(ctx, c, c.Hunks, s.now); err != nil {
		return nil, err
	}
	s.text, err = Apply(s.base(), editsOf(s.hunks))
	return s, err
}

// carry returns hunks of c as edits of what the file says now; now is nil when
// there is no file. A *StaleError comes with the hunks that don't fit.
func (m *Manager) carry(ctx context.Context, c *Change, hunks []Hunk, now *workspace.File) (carried, unfit []Hunk, err error) {
	if (now == nil) != (c.Op == OpCreate) {
		return nil, hunks, &StaleError{Path: c.Path}
	}
	if now == nil || now.Hash == c.BaseHash {
		return hunks, nil, nil
	}
	base, err := m.text(ctx, c.BaseHash)
	if err != nil {
		return nil, nil, err
	}
	moved, conflicts := rebase(base, now.Text, editsOf(hunks))
	if len(conflicts) > 0 {
		for _, x := range conflicts {
			unfit = append(unfit, hunks[x.index])
		}
		return nil, unfit, &StaleError{Path: c.Path, Line: conflicts[0].line}
	}
	return withEdits(now.Text, hunks, moved), nil, nil
}

// withEdits returns copies of hunks that make the given edits of base.
func withEdits(base []byte, hunks []Hunk, es []Edit) []Hunk {
	moved := make([]Hunk, len(hunks))
	for i, h := range hunks {
		h.Edit = es[i]
		moved[i] = h
	}
	setLines(base, moved)
	return moved
}
