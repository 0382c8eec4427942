package mux

import (
	"encoding/json"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/wire"
	ploke "ploke-lsp/lsp/protocol"
)

// A request is one of the editor that waits for its answer.
type request struct {
	id      jsonrpc2.ID
	numbers [2]int64 // of the requests to the servers
	answers [2]answer
	left    int // servers that have not answered
	merge   func([2]json.RawMessage) json.RawMessage
	timer   *time.Timer
}

// fromEditor takes a message of the editor. The lock is held.
func (m *Mux) fromEditor(msg jsonrpc2.Message) {
	switch msg := msg.(type) {
	case *jsonrpc2.Call:
		m.requested(msg)
	case *jsonrpc2.Notification:
		m.notified(msg)
	case *jsonrpc2.Response:
		m.answered(msg)
	}
}

// requested passes a request on.
func (m *Mux) requested(c *jsonrpc2.Call) {
	method, params := c.Method(), json.RawMessage(c.Params())
	switch {
	case method == methodInitialize && m.phase != created:
		m.reply(c.ID(), failure(jsonrpc2.InvalidRequest, "initialize was sent a second time"))
		return
	case method == methodInitialize:
		m.initialize(c.ID(), params)
		return
	case m.phase < initialized:
		m.reply(c.ID(), failure(ploke.CodeServerNotInitialized, method+" came before the answer to initialize"))
		return
	case m.phase >= stopping:
		m.reply(c.ID(), failure(jsonrpc2.InvalidRequest, method+" came after shutdown"))
		return
	case method == protocol.MethodShutdown:
		m.shutdown(c.ID())
		return
	}
	h := headOf(c.Params())
	if resolves[method] && m.resolvable.isOurs(params) {
		m.reply(c.ID(), answer{result: params}) // ours are complete
		return
	}
	own := h.TextDocument.URI != "" && m.options.Own(h.TextDocument.URI)
	if merge := merged[method]; merge != nil && !own && m.inner.can.answers(method) && m.ours.can.answers(method) {
		m.askBoth(c, merge)
		return
	}
	switch target := m.target(method, &h); {
	case target != nil:
		m.askOne(target, c)
	case method == methodDiagnostic:
		m.reply(c.ID(), emptyReport)
	default:
		m.reply(c.ID(), null)
	}
}

// askOne passes a request on to one server.
func (m *Mux) askOne(s *server, c *jsonrpc2.Call) {
	r := &request{id: c.ID(), left: 1}
	m.running[r.id] = r
	method := c.Method()
	number := s.ask(method, json.RawMessage(c.Params()), func(a answer) {
		if s == m.ours {
			m.resolvable.note(method, a.result)
		}
		m.finish(r, a)
	})
	r.numbers[s.side] = number
}

// askBoth passes a request on to both servers. The first answer is the only one if the second one does not come soon.
func (m *Mux) askBoth(c *jsonrpc2.Call, merge func([2]json.RawMessage) json.RawMessage) {
	r := &request{id: c.ID(), left: 2, merge: merge}
	m.running[r.id] = r
	method := c.Method()
	params := withoutMember(json.RawMessage(c.Params()), "partialResultToken") // parts could not be joined
	for _, s := range []*server{m.inner, m.ours} {
		asked := params
		if s == m.ours {
			asked = withoutMember(params, "workDoneToken") // the inner server's
		} else if method == "textDocument/codeAction" {
			asked = m.diagnostics.withoutOurs(params)
		}
		r.numbers[s.side] = s.ask(method, asked, func(a answer) {
			if s == m.ours {
				m.resolvable.note(method, a.result)
			}
			m.join(r, s.side, a)
		})
	}
}

// join takes the answer of one server to a request of both.
func (m *Mux) join(r *request, s side, a answer) {
	r.answers[s] = a
	if r.left--; r.left == 0 {
		m.finish(r, r.joined())
		return
	}
	r.timer = time.AfterFunc(m.options.Patience, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.running[r.id] == r {
			late := []*server{m.inner, m.ours}[1-s]
			late.abandon(r.numbers[late.side])
			m.finish(r, a)
		}
	})
}

// joined is the answer of both. A server that fails is left out, unless both do.
func (r *request) joined() answer {
	switch {
	case r.answers[ours].err != nil:
		return r.answers[inner]
	case r.answers[inner].err != nil:
		return r.answers[ours]
	}
	return answer{result: r.merge([2]json.RawMessage{r.answers[inner].result, r.answers[ours].result})}
}

// finish answers a request of the editor.
func (m *Mux) finish(r *request, a answer) {
	if r.timer != nil {
		r.timer.Stop()
	}
	if m.running[r.id] == r {
		delete(m.running, r.id)
	}
	m.reply(r.id, a)
}

// shutdown asks both servers to shut down, and answers once they have, or have had the time for it.
func (m *Mux) shutdown(id jsonrpc2.ID) {
	m.phase = stopping
	r := &request{id: id, left: 2, merge: func(all [2]json.RawMessage) json.RawMessage { return all[ours] }}
	m.running[id] = r
	for _, s := range []*server{m.inner, m.ours} {
		s.ask(protocol.MethodShutdown, nil, func(a answer) {
			r.answers[s.side] = a
			if r.left--; r.left == 0 && m.running[id] == r {
				m.phase = stopped
				m.finish(r, r.answers[ours])
			}
		})
	}
	time.AfterFunc(m.options.StopTime, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.running[id] == r {
			m.phase = stopped
			m.finish(r, null)
		}
	})
}

// answered passes on the editor's answer to a request of a server. A second one is left aside.
func (m *Mux) answered(r *jsonrpc2.Response) {
	number, ok := r.ID().Number()
	a := m.asked[number]
	if !ok || a == nil {
		return
	}
	delete(m.asked, number)
	if a.answered != nil {
		a.answered(r.Err() == nil)
	}
	a.server.send(jsonrpc2.NewResponse(a.id, r.Result(), r.Err()))
}

// notified passes a notification on.
func (m *Mux) notified(n *jsonrpc2.Notification) {
	method, params := n.Method(), n.Params()
	if m.phase < initialized && method != protocol.MethodExit && method != methodCancel {
		return
	}
	switch method {
	case methodCancel:
		m.cancelled(headOf(params).ID)
	case protocol.MethodInitialized:
		m.start(params)
	case protocol.MethodWindowWorkDoneProgressCancel:
		m.cancelProgress(params)
	case protocol.MethodWorkspaceDidChangeWatchedFiles:
		m.ours.pass(method, params)
		m.passWatched(params)
	default:
		switch {
		case strings.HasPrefix(method, "textDocument/"):
			m.synchronize(method, params)
		case strings.HasPrefix(method, "ploke/"):
			m.ours.pass(method, params)
		default:
			for _, s := range []*server{m.inner, m.ours} {
				if s.takes(method) {
					s.pass(method, params)
				}
			}
		}
	}
}

// start tells both servers that the editor is initialized, and the person what came before.
func (m *Mux) start(params jsonrpc2.RawMessage) {
	if m.phase != initialized {
		return
	}
	m.phase = running
	for _, s := range []*server{m.inner, m.ours} {
		s.pass(protocol.MethodInitialized, params)
	}
	untold := m.untold
	m.untold = nil
	for _, text := range untold {
		m.tell(text)
	}
}

// cancelled cancels a request of the editor at those that it was passed on to.
func (m *Mux) cancelled(raw json.RawMessage) {
	id, err := wire.ParseID(raw)
	if err != nil {
		return
	}
	if r := m.running[id]; r != nil {
		m.inner.cancel(r.numbers[inner])
		m.ours.cancel(r.numbers[ours])
	}
}

// cancelProgress tells the server whose progress it is that the person has cancelled it. That of a token of the editor
// is both's.
func (m *Mux) cancelProgress(params jsonrpc2.RawMessage) {
	owner, ok := m.tokens.ownerOf(headOf(params).Token)
	for _, s := range []*server{m.inner, m.ours} {
		switch {
		case !ok:
			s.pass(protocol.MethodWindowWorkDoneProgressCancel, params)
		case s.side == owner.side:
			own := withMember(json.RawMessage(params), "token", json.RawMessage(owner.own))
			s.pass(protocol.MethodWindowWorkDoneProgressCancel, jsonrpc2.RawMessage(own))
		}
	}
}
