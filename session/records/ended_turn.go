package records

// MaxEnded bounds the memory of an ended turn, in bytes. The next turn reads a larger one from the database.
const MaxEnded = 256 << 10

// EndedTurn has the rows of a turn as they were committed. The next turn makes its messages of them
// as if it had read them, since they don't change any more.
type EndedTurn struct {
	Messages []*MessageRow // in their order on the branch
	Calls    []CallRow     // of those that have ended; none if they are too large
	Size     int           // bytes
}

// AddMessages adds a message and its answer, which are stored.
func (t *EndedTurn) AddMessages(user, answer *Message) {
	for _, r := range []*MessageRow{user.Row, answer.Row} {
		t.Messages = append(t.Messages, r)
		t.Size += len(r.text) + len(r.extra)
	}
}

// AddCall adds a call that is stored. The recorder calls it before it publishes the call's end, for
// which the turn waits.
func (t *EndedTurn) AddCall(r CallRow) {
	t.Size += len(r.arguments) + len(r.content)
	if t.Size > MaxEnded {
		t.Calls = nil
		return
	}
	t.Calls = append(t.Calls, r)
}

// Leads reports whether the messages are those of the branch that come after the message last up to the leaf.
func (t *EndedTurn) Leads(last, leafID string) bool {
	n := len(t.Messages)
	return n > 0 && t.Messages[0].parentID == last && t.Messages[n-1].id == leafID
}

// MessagesAndCalls returns the messages with their calls, like [BranchFrom].
func (t *EndedTurn) MessagesAndCalls() ([]Message, error) {
	calls := make(map[string]ToolCall, len(t.Calls))
	for i := range t.Calls {
		c, err := t.Calls[i].call()
		if err != nil {
			return nil, err
		}
		calls[c.ID] = c
	}
	path := make([]Message, len(t.Messages))
	for i, r := range t.Messages {
		m, err := r.message()
		if err != nil {
			return nil, err
		}
		m.takeCalls(calls)
		path[i] = *m
	}
	return path, nil
}
