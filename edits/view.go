package edits

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"

	"ploke-lsp/internal/workspace"
)

// Turn is a turn of a conversation: it sees and amends the proposal that waits for a decision.
type Turn struct {
	ID      string // request id; "" sees and amends nothing
	Earlier string // id of the proposal that waited on the turn's branch when it began; "" if none did
}

// View is the workspace as a turn sees it: as the proposal that waits would leave it. The turn's
// next edits are made against it. A file that the proposal renames exists under its new path
// only; a file that it deletes does not exist. Once the person has decided on the proposal, or has
// changed the text that it builds on, the View has the files themselves.
type View struct {
	m    *Manager
	turn Turn
}

// View returns what the turn sees.
func (m *Manager) View(turn Turn) *View { return &View{m, turn} }

// Read implements [workspace.Reader].
func (v *View) Read(ctx context.Context, path string) (*workspace.File, error) {
	f, _, err := v.ReadProposed(ctx, path)
	return f, err
}

// ReadProposed is Read, and returns the id of the proposal that the text comes from; "" if it is
// the file's own.
func (v *View) ReadProposed(ctx context.Context, path string) (f *workspace.File, proposal string, err error) {
	waiting, err := v.m.Waiting(ctx, v.turn)
	if err != nil {
		return nil, "", err
	}
	for _, p := range waiting {
		if f, proposed, err := v.m.readAfter(ctx, p, path); proposed || err != nil {
			return f, p.ID, err
		}
	}
	f, err = v.m.ws.Read(ctx, path)
	return f, "", err
}

// readAfter returns the file as p would leave it. If p does not change it, or its change no longer
// fits, proposed is false.
func (m *Manager) readAfter(ctx context.Context, p *Proposal,
	path string) (_ *workspace.File, proposed bool, err error) {
	c := m.pending(p, path)
	if c == nil || !c.Link { // a link is known by its own name
		if path, err = m.ws.Resolve(path); err != nil {
			return nil, false, err
		}
		c = m.pending(p, path)
	}
	s := m.newOverlay()
	var stale *StaleError
	if c != nil {
		if _, err = s.apply(ctx, c); err != nil && !errors.As(err, &stale) {
			return nil, false, err
		}
	}
	if c == nil || stale != nil {
		return nil, false, nil
	}
	f, err := s.at(ctx, path)
	if err != nil {
		return nil, false, err
	}
	file, err := s.file(f, path)
	return file, true, err
}

// Waiting returns the proposals that the turn sees and that its edits amend: the turn's last one,
// then the one that waited when the turn began, as long as nobody has decided on it as a whole,
// nothing of it is being applied, and nothing in it has failed to fit. The result is shared; callers
// must not change it.
func (m *Manager) Waiting(ctx context.Context, turn Turn) (waiting []*Proposal, err error) {
	if turn.ID == "" {
		return nil, nil
	}
	newest := map[string]bool{} // by id
	for _, p := range slices.Backward(m.unstored.visible(turn.ID)) {
		if !newest[p.ID] && p.waits() {
			waiting = append(waiting, p)
		}
		newest[p.ID] = true
	}
	if len(newest) > 0 && turn.Earlier == "" {
		return waiting, nil // what is stored of the turn is older
	}
	versions, err := m.versionsFor(ctx, turn)
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		if newest[v.id] {
			continue
		}
		p, err := m.viewed(ctx, v)
		if err != nil {
			return nil, err
		}
		if p.waits() {
			waiting = append(waiting, p)
		}
	}
	return waiting, nil
}

// viewed returns a version of a proposal, decoded if it is not one of those viewed last.
func (m *Manager) viewed(ctx context.Context, v storedVersion) (*Proposal, error) {
	last := m.lastViewed.Load()
	if last != nil {
		for _, p := range last {
			if p != nil && p.ID == v.id && p.updatedAt == v.updatedAt {
				return p, nil
			}
		}
	}
	p, err := m.Get(ctx, v.id)
	if err == nil {
		m.keepViewed(p)
	}
	return p, err
}

// keepViewed keeps p for the next View, beside the other proposal that was viewed last.
func (m *Manager) keepViewed(p *Proposal) {
	kept := &[2]*Proposal{p}
	if last := m.lastViewed.Load(); last != nil {
		kept[1] = last[0]
		if last[0].ID == p.ID {
			kept[1] = last[1]
		}
	}
	m.lastViewed.Store(kept)
}

// WaitingOn returns the id of the newest proposal of the turns that waits for a decision, for a
// turn after them on their branch. It is "" if there is none.
func (m *Manager) WaitingOn(ctx context.Context, requestIDs []string) (string, error) {
	turns, err := json.Marshal(requestIDs)
	if err != nil {
		return "", err
	}
	// The + keeps SQLite from searching all staged proposals by the index of the states.
	ps, err := m.queryProposals(ctx, `WHERE request_id IN (SELECT value FROM json_each(?))
		AND (+status = ? OR +status = ? AND `+someChange(`'"State":"staged"'`)+`) ORDER BY created_at DESC, id DESC`,
		string(turns), string(Staged), string(Partial))
	if err != nil {
		return "", err
	}
	for _, p := range ps {
		if p.waits() {
			return p.ID, nil
		}
	}
	return "", nil
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
