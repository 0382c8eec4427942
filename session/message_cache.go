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
	entries [][]Message // most recently used first; only appended to
}

// read returns the messages from a conversation's root to the leaf, like branch. The
// caller must not modify them.
func (p *messageCache) read(ctx context.Context, conversationID, leafID string) ([]Message, error) {
	known := p.lookup(conversationID)
	if end := indexOf(known, leafID); end >= 0 { // another branch, which must not overwrite this one
		known = known[: end+1 : end+1]
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
		known = append(known, fresh...)
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

// indexOf returns the index of a message, or -1. It looks at the last messages first.
func indexOf(past []Message, id string) int {
	for i := len(past) - 1; i >= 0; i-- {
		if past[i].ID == id {
			return i
		}
	}
	return -1
}

func hasPending(past []Message) bool {
	for i := range past {
		if past[i].Status == Pending {
			return true
		}
	}
	return false
}

func (p *messageCache) put(past []Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.entries = slices.DeleteFunc(p.entries, func(other []Message) bool { return other[0].ConversationID == past[0].ConversationID })
	if !hasPending(past) {
		p.entries = slices.Insert(p.entries, 0, past)
	}
	p.entries = p.entries[:min(len(p.entries), maxCached)]
}
