package edits

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"ploke-lsp/internal/workspace"
)

// ProposedText is a file as a proposal that waits for a decision would leave it.
type ProposedText struct {
	ProposalID string
	Changes    string // the path of the file that the proposal changes: the old one, if it renames it
	File       *workspace.File
}

// ProposedTexts returns what the waiting proposals of a conversation would make of the file at a
// path, the newest first.
func (s *Staging) ProposedTexts(ctx context.Context, conversationID, path string) (texts []ProposedText, err error) {
	if path, err = s.ws.Resolve(path); err != nil {
		return nil, err
	}
	named, err := json.Marshal(path)
	if err != nil {
		return nil, err
	}
	ps, err := s.proposals.queryProposals(ctx, `WHERE conversation_id = ? AND rowid IN (SELECT rowid FROM proposals WHERE status IN (?, ?))
		AND `+someChange(`?`)+` ORDER BY created_at DESC, id DESC`, conversationID, string(Staged), string(Partial), string(named))
	if err != nil {
		return nil, fmt.Errorf("looking for proposals of %s: %w", s.ws.Rel(path), err)
	}
	for _, p := range ps {
		if !p.waits() {
			continue
		}
		f, proposed, err := s.readAfter(ctx, p, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case proposed:
			texts = append(texts, ProposedText{p.ID, s.pending(p, path).Path, f})
		}
	}
	return texts, nil
}
