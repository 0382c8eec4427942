package session

import (
	"context"
	"slices"
	"sync"

	"ploke-lsp/internal/store"
)

// keptPasts is how many conversations' pasts are kept in memory.
const keptPasts = 4

// pasts keeps what the last turns' conversations said before them, so that the next turn
// reads only what is new. A message that is no longer pending never changes.
type pasts struct {
	db *store.DB

	mu   sync.Mutex
	kept [][]Message // the last used first; not modified
}

// read returns the messages from a conversation's root to the leaf, as branch does. The
// caller must not modify them.
func (p *pasts) read(ctx context.Context, conversationID, leafID string) ([]Message, error) {
	known := p.of(conversationID)
	end := slices.IndexFunc(known, func(m Message) bool { return m.ID == leafID })
	if end >= 0 { // another answer to the same
		known = known[:end+1]
	} else {
		last := ""
		if len(known) > 0 {
			last = known[len(known)-1].ID
		}
		fresh, err := branchFrom(ctx, p.db.Read(), conversationID, last, leafID)
		if err != nil {
			return nil, err
		}
		if fresh[0].ParentID != last {
			known = nil
		}
		known = append(slices.Clip(known), fresh...)
	}
	p.keep(known)
	return known, nil
}

// of returns what is kept of a conversation.
func (p *pasts) of(conversationID string) []Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, past := range p.kept {
		if past[0].ConversationID == conversationID {
			return past
		}
	}
	return nil
}

func (p *pasts) keep(past []Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = slices.DeleteFunc(p.kept, func(other []Message) bool { return other[0].ConversationID == past[0].ConversationID })
	if !slices.ContainsFunc(past, func(m Message) bool { return m.Status == Pending }) {
		p.kept = slices.Insert(p.kept, 0, past)
	}
	p.kept = p.kept[:min(len(p.kept), keptPasts)]
}
