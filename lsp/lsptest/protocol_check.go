package lsptest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/lsp/protocol/schema"
)

// A checkedStream fails the test if a ploke/* message, in either direction, does not have the form that
// the protocol's schema says. Of the editor's requests it checks those that succeed, because tests
// also send wrong ones, and of its replies not those that tests make wrong: answers to questions, and null
// for a cancelled request.
type checkedStream struct {
	jsonrpc2.Stream
	t   testing.TB
	odd bool // the editor's requests may be wrong and succeed

	mu     sync.Mutex
	ours   map[jsonrpc2.ID]sentRequest // of the editor, without a reply
	theirs map[jsonrpc2.ID]string      // the methods of the server's requests without a reply
	tokens map[string]bool             // of partial results, as JSON
	ended  bool                        // the test can't fail any more
}

// A sentRequest is a request of the editor.
type sentRequest struct {
	method string // or the name of a command
	params []byte
}

// checked returns a stream that is checked, except in a benchmark.
func (e *Editor) checked(s jsonrpc2.Stream) jsonrpc2.Stream {
	if _, measures := e.t.(*testing.B); measures {
		return s
	}
	c := &checkedStream{Stream: s, t: e.t, odd: e.options.OddRequests, ours: map[jsonrpc2.ID]sentRequest{},
		theirs: map[jsonrpc2.ID]string{}, tokens: map[string]bool{}}
	e.t.Cleanup(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ended = true
	})
	return c
}

// Read returns the next message of the server.
func (s *checkedStream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	m, n, err := s.Stream.Read(ctx)
	if err != nil {
		return m, n, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m := m.(type) {
	case *jsonrpc2.Call:
		s.theirs[m.ID()] = strings.Clone(m.Method())
		s.params(m.Method(), m.Params())
	case *jsonrpc2.Notification:
		s.params(m.Method(), m.Params())
		s.partialResult(m)
	case *jsonrpc2.Response:
		s.reply(m)
	}
	return m, n, err
}

// Write sends a message of the editor.
func (s *checkedStream) Write(ctx context.Context, m jsonrpc2.Message) (int64, error) {
	if err := s.writing(m); err != nil {
		return 0, err
	}
	return s.Stream.Write(ctx, m)
}

// writing checks a message of the editor. The connection has types of its own for these, so the message
// is looked at as it is on the wire.
func (s *checkedStream) writing(m jsonrpc2.Message) error {
	text, err := jsonrpc2.EncodeMessage(m)
	if err != nil {
		return err
	}
	if m, err = jsonrpc2.DecodeMessage(text); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m := m.(type) {
	case *jsonrpc2.Call:
		s.ours[m.ID()] = requestOf(m)
		var p struct{ PartialResultToken json.RawMessage }
		if json.Unmarshal(m.Params(), &p) == nil && strings.HasPrefix(m.Method(), "ploke/") {
			s.tokens[string(p.PartialResultToken)] = true
		}
	case *jsonrpc2.Notification:
		if !s.odd {
			s.params(m.Method(), m.Params())
		}
	case *jsonrpc2.Response:
		method := s.theirs[m.ID()]
		if strings.HasPrefix(method, "ploke/") && method != ploke.MethodPermissionAsk && m.Err() == nil &&
			string(m.Result()) != "null" {
			s.expect(method+": the editor's result", schema.CheckResult(method, m.Result()), m.Result())
		}
		delete(s.theirs, m.ID())
	}
	return nil
}

// requestOf returns a request, or the command that it runs with the object among its arguments.
func requestOf(m *jsonrpc2.Call) sentRequest {
	var p struct {
		Command   string
		Arguments []json.RawMessage
	}
	if m.Method() != protocol.MethodWorkspaceExecuteCommand || json.Unmarshal(m.Params(), &p) != nil {
		return sentRequest{m.Method(), bytes.Clone(m.Params())}
	}
	request := sentRequest{method: p.Command}
	for _, a := range p.Arguments {
		if bytes.HasPrefix(a, []byte("{")) {
			request.params = a
			break
		}
	}
	return request
}

// params checks the parameters of a message that needs no reply, or of a request of the server.
func (s *checkedStream) params(method string, raw []byte) {
	if strings.HasPrefix(method, "ploke/") {
		s.expect(method, schema.CheckParams(method, raw), raw)
		seen.Store(strings.Clone(method), true)
	}
	var part struct{ Type string }
	if method == ploke.MethodEvent && json.Unmarshal(raw, &part) == nil {
		seen.Store("part "+part.Type, true)
	}
}

// partialResult checks a part of a turn for which the editor has sent a token.
func (s *checkedStream) partialResult(m *jsonrpc2.Notification) {
	var p struct{ Token, Value json.RawMessage }
	if m.Method() == protocol.MethodProgress && json.Unmarshal(m.Params(), &p) == nil && s.tokens[string(p.Token)] {
		s.params(ploke.MethodEvent, p.Value)
	}
}

// reply checks a reply of the server.
func (s *checkedStream) reply(m *jsonrpc2.Response) {
	request := s.ours[m.ID()]
	delete(s.ours, m.ID())
	switch {
	case m.Err() != nil:
		s.errorCode(request.method, m.Err())
	case request.method == protocol.MethodInitialize:
		s.offer(m.Result())
	case strings.HasPrefix(request.method, "ploke"):
		seen.Store(request.method, true)
		if !s.odd {
			s.expect("the parameters of "+request.method, schema.CheckParams(request.method, request.params), request.params)
		}
		s.expect("the result of "+request.method, schema.CheckResult(request.method, m.Result()), m.Result())
	}
}

// offer checks what the server's capabilities say about the methods.
func (s *checkedStream) offer(raw []byte) {
	var result struct {
		Capabilities struct {
			Experimental struct{ Ploke json.RawMessage }
		}
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		s.expect("the result of initialize", err, raw)
		return
	}
	offered := result.Capabilities.Experimental.Ploke
	s.expect("experimental.ploke", schema.Check("Capabilities", offered), offered)
}

func (s *checkedStream) errorCode(method string, err error) {
	var e *jsonrpc2.Error
	if strings.HasPrefix(method, "ploke") && errors.As(err, &e) && !ploke.IsErrorCode(e.Code) {
		s.expect("the error of "+method, fmt.Errorf("it has no code %d", e.Code), nil)
	}
}

// seen holds the names of the methods and commands that succeeded in this process, and of the parts that
// were sent.
var seen sync.Map

// NeverSeen returns the methods, commands and types of parts that no editor of this process has seen on
// the wire.
func NeverSeen() (names []string) {
	for _, m := range ploke.AllMethods() {
		names = append(names, m.Name)
	}
	names = append(names, ploke.Commands()...)
	for _, t := range ploke.PartTypes() {
		names = append(names, "part "+string(t))
	}
	return slices.DeleteFunc(names, func(name string) bool {
		_, ok := seen.Load(name)
		return ok
	})
}

// expect reports what is wrong with a message.
func (s *checkedStream) expect(what string, err error, raw []byte) {
	if err != nil && !s.ended {
		s.t.Errorf("%s does not have the form of the protocol: %v\n%s", what, err, raw)
	}
}
