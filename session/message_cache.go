package session

import (
	"context"
	"slices"
	"sync"

	"ploke-lsp/internal/store"
	"ploke-lsp/session/records"
)

// maxCached is the number of conversations that are cached.
const maxCached = 4

// messageCache holds the messages of the conversations used last, so that a turn
// reads only what is new in the database: what other processes have added, and the turn
// before it, if that did not succeed or is larger than maxEnded. A message that is no longer pending never changes. Of what a
// compaction has shortened or dropped, it holds only what later turns send of it, so
// that its memory is bounded by the windows of models.
type messageCache struct {
	db     *store.DB
	render rendering
	roots  func() []string

	mu      sync.Mutex
	entries []cachedPast        // most recently used first
	ended   []records.EndedTurn // that were not read yet, one of a conversation, the last one first
}

// cachedPast is the past of a conversation.
type cachedPast struct {
	past
	roots []string // the folders that the paths in the prepared messages are relative to
	// trimmed is the number of messages up to the last compaction by which they were trimmed. A shorter past may need
	// what they have lost.
	trimmed int
	dropped int // how many messages at the beginning were trimmed because they are not sent any more
}

// read returns the past from a conversation's root to the leaf, and those messages of it
// that were not cached. The caller must not modify them.
func (p *messageCache) read(ctx context.Context, conversationID, leafID string) (_ past, fresh []pastMessage, err error) {
	c := p.lookup(conversationID, p.roots())
	switch n := c.place(leafID) + 1; {
	case n > 0 && n >= c.trimmed:
		if n < len(c.messages) { // another branch, which must not overwrite this one
			c.past = newPast(c.messages[:n:n])
		}
	default:
		last := ""
		if n == 0 && len(c.messages) > 0 {
			last = c.messages[len(c.messages)-1].ID
		}
		if fresh, err = p.unread(ctx, conversationID, last, leafID); err != nil {
			return past{}, nil, err
		}
		if last == "" || fresh[0].ParentID != last {
			c = cachedPast{past: newPast(nil), roots: c.roots}
		}
		c.past = c.extended(fresh)
	}
	c.trim()
	p.put(c, !hasPending(fresh))
	return c.past, fresh, nil
}

// unread returns what branch does. If that is the turn that has ended last, it does not read it.
func (p *messageCache) unread(ctx context.Context, conversationID, last, leafID string) ([]pastMessage, error) {
	t := p.takeEnded(conversationID)
	if !t.Leads(last, leafID) {
		return p.branch(ctx, conversationID, last, leafID)
	}
	messages, err := t.MessagesAndCalls()
	return p.render.prepareAll(messages), err
}

// branch returns the messages after the message last up to the leaf, like [records.BranchFrom]. All are prepared.
func (p *messageCache) branch(ctx context.Context, conversationID, last, leafID string) ([]pastMessage, error) {
	messages, err := records.BranchFrom(ctx, p.db.Read(), conversationID, last, leafID)
	return p.render.prepareAll(messages), err
}

// lookup returns what is cached of a conversation, if it was prepared for these folders, else an empty past for them.
func (p *messageCache) lookup(conversationID string, roots []string) cachedPast {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.entries {
		if c.messages[0].ConversationID == conversationID && slices.Equal(c.roots, roots) {
			return c
		}
	}
	return cachedPast{past: newPast(nil), roots: roots}
}

func hasPending(past []pastMessage) bool {
	for i := range past {
		if past[i].Status == records.Pending {
			return true
		}
	}
	return false
}

// trim lets go of what the last compaction has shortened or dropped, unless that was done before.
func (c *cachedPast) trim() {
	if len(c.compacting) == 0 {
		return
	}
	n := c.compacting[len(c.compacting)-1] + 1
	if n <= c.trimmed {
		return
	}
	holds := c.lastCompaction()
	from := c.firstSent(holds)
	shortened := setOf(holds.Shortened)
	for i := c.dropped; i < from; i++ {
		c.messages[i].trim()
	}
	for i := from; i < n; i++ {
		c.messages[i].prepared.trim(shortened)
	}
	c.trimmed, c.dropped = n, max(from, c.dropped)
}

// put replaces what is cached of the past's conversation: by the past if it is settled, else by nothing.
func (p *messageCache) put(c cachedPast, settled bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := c.messages[0].ConversationID
	p.entries = slices.DeleteFunc(p.entries, func(other cachedPast) bool { return other.messages[0].ConversationID == id })
	if settled {
		p.entries = slices.Insert(p.entries, 0, c)
	}
	if n := len(p.entries); n > maxCached {
		p.entries = slices.Delete(p.entries, maxCached, n)
	}
}

// keepEnded keeps a turn that has ended for the next one of its conversation.
func (p *messageCache) keepEnded(t records.EndedTurn) {
	if t.Size > records.MaxEnded {
		return
	}
	p.takeEnded(t.Messages[0].ConversationID)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = slices.Insert(p.ended, 0, t)
	if n := len(p.ended); n > maxCached {
		p.ended = slices.Delete(p.ended, maxCached, n)
	}
}

// takeEnded removes the turn of a conversation that has ended last, and returns it. It has no messages if there is none.
func (p *messageCache) takeEnded(conversationID string) (t records.EndedTurn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.ended, func(t records.EndedTurn) bool { return t.Messages[0].ConversationID == conversationID })
	if i >= 0 {
		t = p.ended[i]
		p.ended = slices.Delete(p.ended, i, i+1)
	}
	return t
}
