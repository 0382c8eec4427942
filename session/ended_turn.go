package session

import "slices"

// maxEnded bounds the memory of an ended turn, in bytes. The next turn reads a larger one from the database.
const maxEnded = 256 << 10

// endedTurn has the rows of a turn as they were committed. The next turn makes its messages of them as if it had read them,
// since they don't change any more.
type endedTurn struct {
	messages []*messageRow // in their order on the branch
	calls    []callRow     // of those that have ended; none if they are too large
	size     int           // bytes
}

// addMessages adds a message and its answer, which are stored.
func (t *endedTurn) addMessages(user, answer *Message) {
	for _, r := range []*messageRow{user.stored, answer.stored} {
		t.messages = append(t.messages, r)
		t.size += len(r.text) + len(r.extra)
	}
}

// addCall adds a call that is stored. The recorder calls it before it publishes the call's end, for which the turn waits.
func (t *endedTurn) addCall(r callRow) {
	t.size += len(r.arguments) + len(r.content)
	if t.size > maxEnded {
		t.calls = nil
		return
	}
	t.calls = append(t.calls, r)
}

// leads reports whether the messages are those of the branch that come after the message last up to the leaf.
func (t *endedTurn) leads(last, leafID string) bool {
	n := len(t.messages)
	return n > 0 && t.messages[0].parentID == last && t.messages[n-1].id == leafID
}

// messagesAndCalls returns the messages with their calls, like [branchFrom].
func (t *endedTurn) messagesAndCalls() ([]Message, error) {
	calls := make(map[string]ToolCall, len(t.calls))
	for i := range t.calls {
		c, err := t.calls[i].call()
		if err != nil {
			return nil, err
		}
		calls[c.ID] = c
	}
	path := make([]Message, len(t.messages))
	for i, r := range t.messages {
		m, err := r.message()
		if err != nil {
			return nil, err
		}
		m.takeCalls(calls)
		path[i] = *m
	}
	return path, nil
}

// keepEnded keeps a turn that has ended for the next one of its conversation.
func (p *messageCache) keepEnded(t endedTurn) {
	if t.size > maxEnded {
		return
	}
	p.takeEnded(t.messages[0].conversationID)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = slices.Insert(p.ended, 0, t)
	if n := len(p.ended); n > maxCached {
		p.ended = slices.Delete(p.ended, maxCached, n)
	}
}

// takeEnded removes the turn of a conversation that has ended last, and returns it. It has no messages if there is none.
func (p *messageCache) takeEnded(conversationID string) (t endedTurn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.ended, func(t endedTurn) bool { return t.messages[0].conversationID == conversationID })
	if i >= 0 {
		t = p.ended[i]
		p.ended = slices.Delete(p.ended, i, i+1)
	}
	return t
}
