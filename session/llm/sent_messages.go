package llm

import (
	"bytes"
	"slices"
	"sync"
)

// maxSent is the number of conversations whose messages sentMessages holds.
const maxSent = 4

// sentMessages holds the messages that were sent last with their JSON, so that a request encodes only what its
// conversation has not sent before. It is safe for concurrent use.
type sentMessages struct {
	mu            sync.Mutex
	conversations []sentConversation // most recently used first
}

type sentConversation struct {
	origin   string    // of the model that it was sent to
	messages []Message // not modified
	ends     []int     // in json, of each message
	json     []byte    // of the messages, with a comma behind each
}

// body returns the body of a request with the messages to origin, and with rest, the JSON object of everything else.
func (s *sentMessages) body(origin string, messages []Message, rest []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.take(origin, messages)
	for i := len(c.messages); i < len(messages); i++ {
		var err error
		if c.json, err = chatMessageOf(origin, messages, i).appendTo(c.json); err != nil {
			return nil, err
		}
		c.json = append(c.json, ',')
		c.ends = append(c.ends, len(c.json))
	}
	c.messages = messages
	s.conversations = slices.Insert(s.conversations, 0, c)[:min(len(s.conversations)+1, maxSent)]
	const begin, end = `{"messages":[`, `],`
	body := make([]byte, 0, len(begin)+len(c.json)+len(end)+len(rest))
	body = append(append(body, begin...), bytes.TrimSuffix(c.json, []byte(","))...)
	return append(append(body, end...), bytes.TrimPrefix(rest, []byte("{"))...), nil
}

// take removes the conversation whose messages most of these messages repeat, and returns what they repeat. A
// conversation of which they only repeat the first one, the system text, is another one.
func (s *sentMessages) take(origin string, messages []Message) sentConversation {
	best, most := -1, 1
	for i := range s.conversations {
		if s.conversations[i].origin != origin {
			continue
		}
		if n := sameMessages(s.conversations[i].messages, messages); n > most {
			best, most = i, n
		}
	}
	if best < 0 {
		return sentConversation{origin: origin}
	}
	c := s.conversations[best]
	s.conversations = slices.Delete(s.conversations, best, best+1)
	c.messages, c.ends = c.messages[:most], c.ends[:most]
	c.json = c.json[:c.ends[most-1]]
	return c
}

// sameMessages returns how many messages at the beginning are sent as the same bytes.
func sameMessages(a, b []Message) (n int) {
	for n < len(a) && n < len(b) && sameMessage(&a[n], &b[n]) {
		n++
	}
	return n
}

func sameMessage(a, b *Message) bool {
	return a.Role == b.Role && a.Text == b.Text && a.CallID == b.CallID && bytes.Equal(a.Opaque, b.Opaque) &&
		slices.EqualFunc(a.Calls, b.Calls, func(x, y Call) bool {
			return x.ID == y.ID && x.Name == y.Name && bytes.Equal(x.Arguments, y.Arguments)
		})
}
