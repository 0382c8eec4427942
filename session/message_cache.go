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
	db     *store.DB
	render rendering
	roots  func() []string

	mu      sync.Mutex
	entries []cachedPast // most recently used first
}

// cachedPast is the past of a conversation.
type cachedPast struct {
	messages []Message // prepared; only appended to
	roots    []string  // the folders that the paths in the prepared messages are relative to
}

// read returns the messages from a conversation's root to the leaf, like branch, and those of them
// that were not cached. All are prepared. The caller must not modify them.
func (p *messageCache) read(ctx context.Context, conversationID, leafID string) (past, fresh []Message, err error) {
	roots := p.roots()
	known := p.lookup(conversationID, roots)
	if end := indexOf(known, leafID); end >= 0 { // another branch, which must not overwrite this one
		known = known[: end+1 : end+1]
	} else {
		last := ""
		if len(known) > 0 {
			last = known[len(known)-1].ID
		}
		if fresh, err = branchFrom(ctx, p.db.Read(), conversationID, last, leafID); err != nil {
			return nil, nil, err
		}
		for i := range fresh {
			p.render.prepare(&fresh[i])
		}
		if fresh[0].ParentID != last {
			known = nil
		}
		known = append(known, fresh...)
	}
	p.put(cachedPast{known, roots}, !hasPending(fresh))
	return known, fresh, nil
}

// lookup returns the cached messages of a conversation, if they were prepared for these folders.
func (p *messageCache) lookup(conversationID string, roots []string) []Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, past := range p.entries {
		if past.messages[0].ConversationID == conversationID && slices.Equal(past.roots, roots) {
			return past.messages
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

// put replaces what is cached of the past's conversation: by the past if it is settled, else by nothing.
func (p *messageCache) put(past cachedPast, settled bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := past.messages[0].ConversationID
	p.entries = slices.DeleteFunc(p.entries, func(other cachedPast) bool { return other.messages[0].ConversationID == id })
	if settled {
		p.entries = slices.Insert(p.entries, 0, past)
	}
	if n := len(p.entries); n > maxCached {
		p.entries = slices.Delete(p.entries, maxCached, n)
	}
}
