package window

import (
	"context"
	"slices"
	"sync"

	"ploke-lsp/internal/store"
	"ploke-lsp/session/records"
)

// MaxCached is the number of conversations that are cached.
const MaxCached = 4

// Cache holds the messages of the conversations used last, so that a turn reads only what is new in
// the database: what other processes have added, and the turn before it, if that did not succeed or
// is larger than [records.MaxEnded]. A message that is no longer pending never changes. Of what a compaction
// has shortened or dropped, it holds only what later turns send of it, so that its memory is
// bounded by the windows of models.
type Cache struct {
	DB     *store.DB
	Render Rendering
	Roots  func() []string

	mu      sync.Mutex
	Entries []cachedPast        // most recently used first
	Ended   []records.EndedTurn // that were not read yet, one of a conversation, the last one first
}

// cachedPast is the past of a conversation.
type cachedPast struct {
	Past
	roots []string // the folders that the paths in the prepared messages are relative to
	// trimmed is the number of messages up to the last compaction by which they were trimmed. A shorter past may need
	// what they have lost.
	trimmed int
	dropped int // how many messages at the beginning were trimmed because they are not sent any more
}

// Read returns the past from a conversation's root to the leaf, and those messages of it
// that were not cached. The caller must not modify them.
//
// There are four cases. The leaf is the last cached message, or lies before it on the same branch:
// then nothing is read, and the shorter past is a slice of the longer one, whose array it must not
// grow into. The leaf lies before what a compaction has trimmed: the messages have lost what the
// shorter past may still send, so all are read. The leaf is unknown: the messages after the last
// cached one are read, and continue it if the first of them is its child. Otherwise they are those of
// another branch, from the root on.
func (p *Cache) Read(ctx context.Context, conversationID, leafID string) (_ Past, fresh []Message, err error) {
	c := p.lookup(conversationID, p.Roots())
	switch n := c.place(leafID) + 1; {
	case n > 0 && n >= c.trimmed:
		if n < len(c.Messages) { // another branch, which must not overwrite this one
			c.Past = NewPast(c.Messages[:n:n])
		}
	default:
		last := ""
		if n == 0 && len(c.Messages) > 0 {
			last = c.Messages[len(c.Messages)-1].ID
		}
		if fresh, err = p.unread(ctx, conversationID, last, leafID); err != nil {
			return Past{}, nil, err
		}
		if last == "" || fresh[0].ParentID != last {
			c = cachedPast{Past: NewPast(nil), roots: c.roots}
		}
		c.Past = c.Extended(fresh)
	}
	c.trim()
	p.put(c, !hasPending(fresh))
	return c.Past, fresh, nil
}

// unread returns what branch does. If that is the turn that has ended last, it does not read it.
func (p *Cache) unread(ctx context.Context, conversationID, last, leafID string) ([]Message, error) {
	t := p.takeEnded(conversationID)
	if !t.Leads(last, leafID) {
		return p.Branch(ctx, conversationID, last, leafID)
	}
	messages, err := t.MessagesAndCalls()
	return p.Render.prepareAll(messages), err
}

// Branch returns the messages after the message last up to the leaf, like [records.BranchFrom]. All are prepared.
func (p *Cache) Branch(ctx context.Context, conversationID, last, leafID string) ([]Message, error) {
	messages, err := records.BranchFrom(ctx, p.DB.Read(), conversationID, last, leafID)
	return p.Render.prepareAll(messages), err
}

// lookup returns what is cached of a conversation, if it was prepared for these folders, else an empty past for them.
func (p *Cache) lookup(conversationID string, roots []string) cachedPast {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.Entries {
		if c.Messages[0].ConversationID == conversationID && slices.Equal(c.roots, roots) {
			return c
		}
	}
	return cachedPast{Past: NewPast(nil), roots: roots}
}

func hasPending(past []Message) bool {
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
	holds := c.LastCompaction()
	from := c.FirstSent(holds)
	shortened := SetOf(holds.Shortened)
	for i := c.dropped; i < from; i++ {
		c.Messages[i].trim()
	}
	for i := from; i < n; i++ {
		c.Messages[i].Prepared.trim(shortened)
	}
	c.trimmed, c.dropped = n, max(from, c.dropped)
}

// put replaces what is cached of the past's conversation: by the past if it is settled, else by nothing.
func (p *Cache) put(c cachedPast, settled bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := c.Messages[0].ConversationID
	p.Entries = slices.DeleteFunc(p.Entries, func(other cachedPast) bool { return other.Messages[0].ConversationID == id })
	if settled {
		p.Entries = slices.Insert(p.Entries, 0, c)
	}
	if n := len(p.Entries); n > MaxCached {
		p.Entries = slices.Delete(p.Entries, MaxCached, n)
	}
}

// KeepEnded keeps a turn that has ended for the next one of its conversation.
func (p *Cache) KeepEnded(t records.EndedTurn) {
	if t.Size > records.MaxEnded {
		return
	}
	p.takeEnded(t.Messages[0].ConversationID)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Ended = slices.Insert(p.Ended, 0, t)
	if n := len(p.Ended); n > MaxCached {
		p.Ended = slices.Delete(p.Ended, MaxCached, n)
	}
}

// takeEnded removes the turn of a conversation that has ended last, and returns it. It has no
// messages if there is none.
func (p *Cache) takeEnded(conversationID string) (t records.EndedTurn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.Ended,
		func(t records.EndedTurn) bool { return t.Messages[0].ConversationID == conversationID })
	if i >= 0 {
		t = p.Ended[i]
		p.Ended = slices.Delete(p.Ended, i, i+1)
	}
	return t
}
