package session

import (
	"slices"
	"sync"
)

// hiddenTexts holds the texts of a conversation as they are sent, with placeholders for secrets, so that a turn looks
// for secrets only in what is new. It forgets the texts that neither the last turn nor this one has sent. Only the
// running turn uses it.
type hiddenTexts struct {
	conversationID string
	now, before    map[hideKey]hiddenText // of this turn, and of the last one
}

// hideKey identifies a text and the secrets that are hidden in it, joined by line breaks.
type hideKey struct {
	text       string
	isJSON     bool
	known, own string
}

type hiddenText struct {
	text    string
	places  int
	secrets []string // of the places
}

func newHiddenTexts(conversationID string) *hiddenTexts {
	return &hiddenTexts{conversationID: conversationID, now: map[hideKey]hiddenText{}}
}

func (t *hiddenTexts) get(key hideKey) (h hiddenText, ok bool) {
	if h, ok = t.now[key]; ok {
		return h, true
	}
	if h, ok = t.before[key]; ok {
		t.now[key] = h
	}
	return h, ok
}

func (t *hiddenTexts) put(key hideKey, h hiddenText) { t.now[key] = h }

// hiddenCache holds the hidden texts of the conversations that were used last. It is safe for concurrent use.
type hiddenCache struct {
	mu      sync.Mutex
	entries []*hiddenTexts // most recently used first
}

// take removes the texts of a conversation from the cache, for a turn that begins.
func (c *hiddenCache) take(conversationID string) *hiddenTexts {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.entries, func(t *hiddenTexts) bool { return t.conversationID == conversationID })
	if i < 0 {
		return newHiddenTexts(conversationID)
	}
	t := c.entries[i]
	c.entries = slices.Delete(c.entries, i, i+1)
	t.before, t.now = t.now, make(map[hideKey]hiddenText, len(t.now))
	return t
}

// put returns the texts after a turn.
func (c *hiddenCache) put(t *hiddenTexts) {
	if t.before = nil; len(t.now) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries = slices.Insert(c.entries, 0, t)
	if n := len(c.entries); n > maxCached {
		c.entries = slices.Delete(c.entries, maxCached, n)
	}
}
