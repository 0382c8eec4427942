package session

import (
	"context"
	"slices"
	"sync"

	"ploke-lsp/internal/store"
)

// maxCached is the number of conversations that are cached.
const maxCached = 4

// messageCache holds the messages of the conversations used last, so that a turn
// reads only new messages from the database. A message that is no longer pending
// never changes.
type messageCache struct {
	db *store.DB

	mu      sync.Mutex
	entries [][]Message // most recently used first; not modified
}

// read returns the messages from a conversation's root to the leaf, like branch. The
// caller must not modify them.
func (p *messageCache) read(ctx context.Context, conversationID, leafID string) ([]Message, error) {
	known := p.lookup(conversationID)
	end := slices.IndexFunc(known, func(m Message) bool { return m.ID == leafID })
	if end >= 0 { // another branch
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

// lookup returns the cached messages of a conversation.
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
