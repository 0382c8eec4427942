// Package llmtest is a model server for tests. It speaks OpenAI's chat completions
// over HTTP and answers from a script.
//
// Its promises:
//
//   - The n-th request is answered by the n-th turn of the script. A request beyond
//     the end of the script, or one that a turn's Check rejects, gets a status that
//     clients don't retry. The error is reported to the test by [NewServer], and by
//     [Script.Err].
//   - Answers are streamed like those of real servers: one delta for each text, a
//     call's arguments split into several deltas, usage in a separate chunk.
//   - Every request is kept with its body and header.
//   - What the strictest real server refuses is refused, and reported like a request
//     that does not fit the script. It wants back the reasoning that came with calls.
package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Turn is the response to one request.
type Turn struct {
	Reasoning []string // one delta each
	Text      []string // one delta each
	Calls     []Call
	Finish    string // default: tool_calls if there are calls, else stop
	Usage     Usage

	Status     int    // an error instead of a response, unless 0 or 200
	Body       string // of the error; the default is an error object
	RetryAfter string // header of the error

	Cut   bool                     `json:"-"` // close the connection after the text
	Hold  *Gate                    `json:"-"` // wait after the text
	Check func(req *Request) error `json:"-"` // rejects an unexpected request
}

// Call is a tool call of a response. Arguments are sent unchanged.
type Call struct{ ID, Name, Arguments string }

// Usage is the usage that the response reports.
type Usage struct{ Prompt, Completion, Cached int }

// Gate holds a response's stream until a test opens it.
type Gate struct {
	reached, open chan struct{}
	once          sync.Once
}

// NewGate returns a closed gate, for one turn.
func NewGate() *Gate {
	return &Gate{reached: make(chan struct{}), open: make(chan struct{})}
}

// Reached returns a channel that is closed when the stream has come to the gate.
func (g *Gate) Reached() <-chan struct{} { return g.reached }

// Open lets the stream continue.
func (g *Gate) Open() { g.once.Do(func() { close(g.open) }) }

// Request is a received request.
type Request struct {
	Header   http.Header `json:"-"`
	Body     []byte      `json:"-"`
	Model    string
	Effort   string `json:"reasoning_effort"`
	Messages []Message
	Tools    []struct {
		Function struct {
			Name, Description string
			Parameters        json.RawMessage
		}
	}
}

// Message is a message of a request. Raw is its JSON as it was sent.
type Message struct {
	Raw        json.RawMessage `json:"-"`
	Role       string
	Content    string
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

// UnmarshalJSON decodes b and keeps its bytes in Raw.
func (m *Message) UnmarshalJSON(b []byte) error {
	type plain Message
	m.Raw = append(json.RawMessage(nil), b...)
	return json.Unmarshal(b, (*plain)(m))
}

// Last returns the last message, or an empty one.
func (r *Request) Last() Message {
	if len(r.Messages) == 0 {
		return Message{}
	}
	return r.Messages[len(r.Messages)-1]
}

// Script is an [http.Handler] that answers by its turns. It serves any path that ends
// in /chat/completions, and describes no models.
type Script struct {
	turns  []Turn
	report func(error)

	mu       sync.Mutex
	requests []Request
	given    map[string]givenCall
	errs     []error
}

// NewScript returns a handler that answers by turns, in order.
func NewScript(turns ...Turn) *Script { return &Script{turns: turns} }

// Server is a [Script] on a loopback address.
type Server struct {
	*Script
	URL string // base URL, ends in /v1
}

// NewServer runs the script until t ends. Requests that don't fit the script, and
// turns that were not requested, fail t.
func NewServer(t testing.TB, turns ...Turn) *Server {
	t.Helper()
	s := NewScript(turns...)
	s.report = func(err error) { t.Errorf("model server: %v", err) }
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
		if n := len(s.Requests()); n < len(turns) {
			t.Errorf("model server: %d of the script's %d turns were requested", n, len(turns))
		}
	})
	return &Server{Script: s, URL: h.URL + "/v1"}
}

// Requests returns the requests so far, in order.
func (s *Script) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Err returns the errors of requests that did not fit the script, or nil.
func (s *Script) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.errs...)
}

func (s *Script) fail(w http.ResponseWriter, err error) {
	s.mu.Lock()
	s.errs = append(s.errs, err)
	s.mu.Unlock()
	if s.report != nil {
		s.report(err)
	}
	writeError(w, &Turn{Status: http.StatusBadRequest}, err.Error())
}

// take records req and returns the turn that answers it.
func (s *Script) take(req Request) (*Turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.requests)
	s.requests = append(s.requests, req)
	if n >= len(s.turns) {
		return nil, fmt.Errorf("request %d, but the script has %d turns; its last message: %s", n+1, len(s.turns),
			req.Last().Raw)
	}
	if err := check(req.Body, s.given); err != nil {
		return nil, fmt.Errorf("request %d: %w", n+1, err)
	}
	turn := &s.turns[n]
	for _, c := range turn.Calls {
		if s.given == nil {
			s.given = map[string]givenCall{}
		}
		s.given[c.ID] = givenCall{reasoning: strings.Join(turn.Reasoning, "")}
	}
	return turn, nil
}

// ServeHTTP answers one request.
func (s *Script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	req := Request{Header: r.Header.Clone(), Body: body}
	if err == nil {
		err = json.Unmarshal(body, &req)
	}
	if err != nil || r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		s.fail(w, fmt.Errorf("not a chat completions request: %s %s: %v", r.Method, r.URL, err))
		return
	}
	turn, err := s.take(req)
	if err == nil && turn.Check != nil {
		if err = turn.Check(&req); err != nil {
			err = fmt.Errorf("request %d: %w", len(s.Requests()), err)
		}
	}
	switch {
	case err != nil:
		s.fail(w, err)
	case turn.Status != 0 && turn.Status != http.StatusOK:
		writeError(w, turn, "scripted error")
	default:
		(&stream{w: w, r: r, model: req.Model, created: time.Now().Unix()}).answer(turn)
	}
}

func writeError(w http.ResponseWriter, t *Turn, message string) {
	if t.RetryAfter != "" {
		w.Header().Set("Retry-After", t.RetryAfter)
	}
	body := t.Body
	if body == "" {
		b, _ := json.Marshal(map[string]any{"error": map[string]string{"message": message, "type": "error"}})
		body = string(b)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(t.Status)
	io.WriteString(w, body)
}
