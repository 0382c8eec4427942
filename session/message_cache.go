package session

import (
	"context"
	"slices"
	"sync"

	"ploke-lsp/internal/store"
)

// maxCached is how many conversations' pasts are kept in memory.
const maxCached = 4

// messageCache keeps what the last turns' conversations said before them, so that the next turn
// reads only what is new. A message that is no longer pending never changes.
type messageCache struct {
	db *store.DB

	mu      sync.Mutex
	entries [][]Message // the last used first; not modified
}

// read returns the messages from a conversation's root to the leaf, as branch does. The
// caller must not modify them.
func (p *messageCache) read(ctx context.Context, conversationID, leafID string) ([]Message, error) {
	known := p.lookup(conversationID)
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
	p.put(known)
	return known, nil
}

// lookup returns what is kept of a conversation.
func (p *messageCache) lookup(conversationID string) []Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, past := range p.entries {
		if past[0].ConversationID == conversationID {
			return past
		}
	}
	return nil
}

func (p *messageCache) put(past []Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.entries = slices.DeleteFunc(p.entries, func(other []Message) bool { return other[0].ConversationID == past[0].ConversationID })
	if !slices.ContainsFunc(past, func(m Message) bool { return m.Status == Pending }) {
		p.entries = slices.Insert(p.entries, 0, past)
	}
	p.entries = p.entries[:min(len(p.entries), maxCached)]
}
