package edits

import (
	"context"
	"errors"
	"io/fs"

	"ploke-lsp/internal/workspace"
)

// View returns the workspace as the turn's undecided proposal would leave it. The turn's next
// edits are made against it. A file that the proposal renames exists under its new path only; a
// file that it deletes does not exist. Once the person has decided on the proposal, or has
// changed the text that it builds on, View returns the files themselves.
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
	if p == nil {
		return v.m.ws.Read(ctx, path)
	}
	return v.m.readAfter(ctx, p, path)
}

// readAfter returns the file as p would leave it, or as it is if p's change of it no longer fits.
func (m *Manager) readAfter(ctx context.Context, p *Proposal, path string) (_ *workspace.File, err error) {
	c := p.pending(path)
	if c == nil || !c.Link { // a link is known by its own name
		if path, err = m.ws.Resolve(path); err != nil {
			return nil, err
		}
		c = p.pending(path)
	}
	if c == nil {
		return m.ws.Read(ctx, path)
	}
	s := m.newOverlay()
	_, err = s.apply(ctx, c)
	var stale *StaleError
	if errors.As(err, &stale) {
		return m.ws.Read(ctx, path)
	}
	if err != nil {
		return nil, err
	}
	f, err := s.at(ctx, path)
	if err != nil {
		return nil, err
	}
	return f.file(path)
}

// undecided returns the turn's proposal that further edits amend: the last one, as long as all
// of it is staged. It returns nil if there is none. The result is shared; callers must clone it
// before they change it.
func (m *Manager) undecided(ctx context.Context, requestID string) (*Proposal, error) {
	if requestID == "" {
		return nil, nil
	}
	if unstored := m.unstored.visible(requestID); len(unstored) > 0 {
		if p := unstored[len(unstored)-1]; p.Status() == Staged {
			return p, nil
		}
		return nil, nil
	}
	id, updated, err := m.latestOf(ctx, requestID)
	if err != nil || id == "" {
		return nil, err
	}
	p := m.lastViewed.Load()
	if p == nil || p.ID != id || p.updatedAt != updated {
		if p, err = m.Get(ctx, id); err != nil {
			return nil, err
		}
		m.lastViewed.Store(p)
	}
	if p.Status() != Staged {
		return nil, nil
	}
	return p, nil
}

// readIfExists returns the file at a canonical path, or the link that has this path. It returns
// nil if nothing has it.
func (m *Manager) readIfExists(ctx context.Context, path string) (*workspace.File, error) {
	if link, err := m.ws.ReadLink(path); link != nil || err != nil {
		return link, err
	}
	f, err := m.ws.Read(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}
