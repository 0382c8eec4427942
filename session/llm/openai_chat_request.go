package llm

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
)

// chatRequest is the body of a request for a chat completion, less its messages.
type chatRequest struct {
	Model               string        `json:"model"`
	MaxTokens           int           `json:"max_tokens,omitempty"`
	MaxCompletionTokens int           `json:"max_completion_tokens,omitempty"`
	ParallelToolCalls   *bool         `json:"parallel_tool_calls,omitempty"`
	StreamOptions       streamOptions `json:"stream_options"`
	Tools               []chatTool    `json:"tools,omitempty"`
	Stream              bool          `json:"stream"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type chatTool struct {
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"` // in its own order, which carries meaning for models
	} `json:"function"`
	Type string `json:"type"`
}

// chatMessage is a message of a request.
type chatMessage struct {
	Content    *string    `json:"content,omitempty"`
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	Role       Role       `json:"role"`
}

type chatCall struct {
	ID       string `json:"id"`
	Function struct {
		Arguments string `json:"arguments"`
		Name      string `json:"name"`
	} `json:"function"`
	Type string `json:"type"`
}

// chatBody returns the body of a request.
func (p *openAI) chatBody(req *Request) ([]byte, error) {
	r := chatRequest{Model: req.Model, StreamOptions: streamOptions{IncludeUsage: true}, Stream: true}
	for _, t := range req.Tools {
		tool := chatTool{Type: "function"}
		tool.Function.Name, tool.Function.Description, tool.Function.Parameters = t.Name, t.Description, t.Schema
		r.Tools = append(r.Tools, tool)
	}
	if p.ownEndpoint { // OpenAI's newer models reject max_tokens; other servers may not support the new name
		r.MaxCompletionTokens = req.MaxTokens
	} else {
		r.MaxTokens = req.MaxTokens
	}
	if req.SerialTools && len(req.Tools) > 0 {
		r.ParallelToolCalls = new(bool)
	}
	rest, err := appendJSON(nil, r)
	if err != nil {
		return nil, err
	}
	return p.sent.body(req.Messages, rest)
}

func chatMessageOf(m *Message) chatMessage {
	c := chatMessage{Role: m.Role}
	if m.Role != Assistant || m.Text != "" || len(m.Calls) == 0 {
		c.Content = &m.Text
	}
	switch m.Role {
	case Tool:
		c.ToolCallID = m.CallID
	case Assistant:
		for i := range m.Calls {
			call := chatCall{ID: m.Calls[i].ID, Type: "function"}
			call.Function.Name, call.Function.Arguments = m.Calls[i].Name, string(m.Calls[i].Arguments)
			c.ToolCalls = append(c.ToolCalls, call)
		}
	}
	return c
}

// maxSent is the number of conversations whose messages sentMessages holds.
const maxSent = 4

// sentMessages holds the messages that were sent last with their JSON, so that a request encodes only what its
// conversation has not sent before. It is safe for concurrent use.
type sentMessages struct {
	mu            sync.Mutex
	conversations []sentConversation // most recently used first
}

type sentConversation struct {
	messages []Message // shared with the requests, not modified
	ends     []int     // in json, of each message
	json     []byte    // of the messages, with a comma behind each
}

// body returns the body of a request with the messages, and with rest, the JSON object of everything else.
func (s *sentMessages) body(messages []Message, rest []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.take(messages)
	for i := len(c.messages); i < len(messages); i++ {
		var err error
		if c.json, err = appendJSON(c.json, chatMessageOf(&messages[i])); err != nil {
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
func (s *sentMessages) take(messages []Message) (c sentConversation) {
	best, most := -1, 1
	for i := range s.conversations {
		if n := sameMessages(s.conversations[i].messages, messages); n > most {
			best, most = i, n
		}
	}
	if best < 0 {
		return c
	}
	c = s.conversations[best]
	s.conversations = slices.Delete(s.conversations, best, best+1)
	c.messages, c.ends = c.messages[:most], c.ends[:most]
	c.json = c.json[:c.ends[most-1]]
	return c
}

// sameMessages returns how many messages at the beginning are sent as the same bytes.
func sameMessages(a, b []Message) (n int) {
	if len(a) > 0 && len(b) > 0 && &a[0] == &b[0] {
		return min(len(a), len(b)) // one array, which is not modified
	}
	for n < len(a) && n < len(b) && sameMessage(&a[n], &b[n]) {
		n++
	}
	return n
}

func sameMessage(a, b *Message) bool {
	return a.Role == b.Role && a.Text == b.Text && a.CallID == b.CallID && slices.EqualFunc(a.Calls, b.Calls, func(x, y Call) bool {
		return x.ID == y.ID && x.Name == y.Name && bytes.Equal(x.Arguments, y.Arguments)
	})
}

// appendJSON appends the JSON of a value. It leaves <, > and & as they are, of which code has many.
func appendJSON(to []byte, value any) ([]byte, error) {
	b := bytes.NewBuffer(to)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
