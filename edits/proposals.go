package edits

import (
	"context"
	"encoding/json"
	"sync"

	"ploke-lsp/internal/store"
)

// Proposals are the proposals in a database, with the texts that their changes are made against. It is safe for
// concurrent use.
type Proposals struct {
	db       *store.DB
	onChange func(*Proposal)

	mu sync.Mutex // held while a proposal is changed
}

// Get returns a proposal, or a *NotFoundError.
func (s *Proposals) Get(ctx context.Context, id string) (*Proposal, error) {
	ps, err := s.queryProposals(ctx, `WHERE id = ?`, id)
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
func (s *Proposals) List(ctx context.Context, status State) ([]*Proposal, error) {
	return s.queryProposals(ctx, `WHERE ? IN ('', status) ORDER BY created_at DESC, id DESC`, string(status))
}

// InConversation returns the proposals of a conversation. The oldest comes first.
func (s *Proposals) InConversation(ctx context.Context, conversationID string) ([]*Proposal, error) {
	return s.queryProposals(ctx, `WHERE conversation_id = ? ORDER BY created_at, id`, conversationID)
}

// maxListed is how many proposals a person is shown at once. Older ones are in the list of all
// proposals.
const maxListed = 100

// Undecided returns the proposals in which something waits for a decision, the newest first. It
// returns at most 100, as Applied and Undone do.
func (s *Proposals) Undecided(ctx context.Context) ([]*Proposal, error) {
	return s.having(ctx, "created_at", Staged, Stale, Failed)
}

// Applied returns the proposals of which something was applied and can be undone. Those that
// changed last come first.
func (s *Proposals) Applied(ctx context.Context) ([]*Proposal, error) {
	return s.having(ctx, "updated_at", Applied, Verified)
}

// Undone returns the proposals of which something was undone and can be redone. Those that changed
// last come first.
func (s *Proposals) Undone(ctx context.Context) ([]*Proposal, error) {
	return s.having(ctx, "updated_at", Undone)
}

// having returns the proposals with a hunk in one of the states, those with the latest time in a
// column first. Only a proposal that is decided in part has to be read for it.
func (s *Proposals) having(ctx context.Context, column string, states ...State) ([]*Proposal, error) {
	list, err := json.Marshal(states)
	if err != nil {
		return nil, err
	}
	// Only the listed rows are read whole, not all that are sorted.
	return s.queryProposals(ctx, `WHERE rowid IN (
			SELECT rowid FROM proposals WHERE status IN (SELECT value FROM json_each(?1))
			OR status = ?2 AND EXISTS (SELECT 1 FROM json_each(?1) WHERE `+someChange(`'"State":"' || value || '"'`)+`)
			ORDER BY `+column+` DESC, id DESC LIMIT ?3)
		ORDER BY `+column+` DESC, id DESC`, string(list), string(Partial), maxListed)
}

// WaitingOn returns the id of the newest proposal of the turns that waits for a decision, for a
// turn after them on their branch. It is "" if there is none.
func (s *Proposals) WaitingOn(ctx context.Context, requestIDs []string) (string, error) {
	turns, err := json.Marshal(requestIDs)
	if err != nil {
		return "", err
	}
	// The + keeps SQLite from searching all staged proposals by the index of the states.
	ps, err := s.queryProposals(ctx, `WHERE request_id IN (SELECT value FROM json_each(?))
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
