package edits

import (
	"context"
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
	staging *Staging
	turn    Turn
}

// View returns what the turn sees.
func (s *Staging) View(turn Turn) *View { return &View{s, turn} }

// Read implements [workspace.Reader].
func (v *View) Read(ctx context.Context, path string) (*workspace.File, error) {
	f, _, err := v.ReadProposed(ctx, path)
	return f, err
}

// ReadProposed is Read, and returns the id of the proposal that the text comes from; "" if it is
// the file's own.
func (v *View) ReadProposed(ctx context.Context, path string) (f *workspace.File, proposal string, err error) {
	waiting, err := v.staging.Waiting(ctx, v.turn)
	if err != nil {
		return nil, "", err
	}
	for _, p := range waiting {
		if f, proposed, err := v.staging.readAfter(ctx, p, path); proposed || err != nil {
			return f, p.ID, err
		}
	}
	f, err = v.staging.ws.Read(ctx, path)
	return f, "", err
}

// Waiting returns the proposals that the turn sees and that its edits amend: the turn's last one,
// then the one that waited when the turn began, as long as it is not decided as a whole,
// nothing of it is being applied, and nothing in it has failed to fit. The result is shared; callers
// must not change it.
func (s *Staging) Waiting(ctx context.Context, turn Turn) (waiting []*Proposal, err error) {
	if turn.ID == "" {
		return nil, nil
	}
	newest := map[string]bool{} // by id
	for _, p := range slices.Backward(s.unstored.visible(turn.ID)) {
		if !newest[p.ID] && p.waits() {
			waiting = append(waiting, p)
		}
		newest[p.ID] = true
	}
	if len(newest) > 0 && turn.Earlier == "" {
		return waiting, nil // what is stored of the turn is older
	}
	versions, err := s.proposals.versionsFor(ctx, turn)
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		if newest[v.id] {
			continue
		}
		p, err := s.viewed(ctx, v)
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
func (s *Staging) viewed(ctx context.Context, v storedVersion) (*Proposal, error) {
	last := s.lastViewed.Load()
	if last != nil {
		for _, p := range last {
			if p != nil && p.ID == v.id && p.updatedAt == v.updatedAt {
				return p, nil
			}
		}
	}
	p, err := s.proposals.Get(ctx, v.id)
	if err == nil {
		s.keepViewed(p)
	}
	return p, err
}

// keepViewed keeps p for the next View, with the other proposal that was viewed last.
func (s *Staging) keepViewed(p *Proposal) {
	kept := &[2]*Proposal{p}
	if last := s.lastViewed.Load(); last != nil {
		kept[1] = last[0]
		if last[0].ID == p.ID {
			kept[1] = last[1]
		}
	}
	s.lastViewed.Store(kept)
}

// StagedIn returns the staged proposals of a turn as its View serves them. The newest comes first.
func (s *Staging) StagedIn(ctx context.Context, requestID string) ([]*Proposal, error) {
	unstored := s.unstored.visible(requestID) // before what is stored, so that nothing is missed
	// The + keeps SQLite from searching all staged proposals by the index of the states.
	ps, err := s.proposals.queryProposals(ctx, `WHERE request_id = ? AND +status = ? ORDER BY created_at DESC, id DESC`,
		requestID,
		string(Staged))
	for _, p := range unstored {
		ps = slices.DeleteFunc(ps, func(stored *Proposal) bool { return stored.ID == p.ID })
		if p.Status() == Staged {
			ps = slices.Insert(ps, 0, p.clone())
		}
	}
	return ps, err
}
