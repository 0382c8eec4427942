package mux

import (
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/wire"
	ploke "ploke-lsp/lsp/protocol"
)

// maxAsked bounds how many requests of a server wait for the editor.
const maxAsked = 4096

// asked is a request of a server that waits for the editor.
type asked struct {
	server   *server
	id       jsonrpc2.ID   // the server's
	answered func(ok bool) // nil if only the server wants to know
}

// fromServer takes a message of a server. The lock is held.
func (m *Mux) fromServer(s *server, msg jsonrpc2.Message) {
	if s.state == ended {
		return
	}
	switch msg := msg.(type) {
	case *jsonrpc2.Call:
		if m.phase == stopped {
			m.refuse(s, msg, "the editor has shut down")
			return
		}
		m.serverRequested(s, msg)
	case *jsonrpc2.Notification:
		if m.phase == stopped {
			return // the editor takes none any more
		}
		m.serverNotified(s, msg.Method(), json.RawMessage(msg.Params()))
	case *jsonrpc2.Response:
		s.responded(msg)
	}
}

// serverRequested passes a request of a server on to the editor, or answers what ours asks of the inner one.
func (m *Mux) serverRequested(s *server, c *jsonrpc2.Call) {
	params := json.RawMessage(c.Params())
	var settled func(ok bool)
	switch method := c.Method(); {
	case s == m.ours && method == ploke.MethodClientServers:
		m.bridge.list(c)
		return
	case s == m.ours && method == ploke.MethodClientAsk:
		m.bridge.ask(c)
		return
	case method == protocol.MethodWindowWorkDoneProgressCreate:
		token := headOf(c.Params()).Token
		name, ok := m.tokens.add(s.side, token)
		if !ok {
			m.refuse(s, c, "it has no token, or too many tokens have not ended")
			return
		}
		if string(name) != string(token) {
			params = withMember(params, "token", name)
		}
		settled = func(ok bool) {
			if !ok {
				m.tokens.remove(s.side, token)
			}
		}
	case method == protocol.MethodClientRegisterCapability:
		var ok bool
		if params, settled, ok = m.register(s, params); !ok {
			m.refuse(s, c, "a registration has no id, or there are too many")
			return
		}
	case method == protocol.MethodClientUnregisterCapability:
		params = m.unregister(s, params)
	}
	if len(m.asked) >= maxAsked {
		m.refuse(s, c, "the editor does not answer")
		return
	}
	m.last++
	m.asked[m.last] = &asked{server: s, id: c.ID(), answered: settled}
	m.write(jsonrpc2.NewCall(jsonrpc2.NewNumberID(m.last), c.Method(), jsonrpc2.RawMessage(params)))
}

// refuse answers a server's request with an error.
func (m *Mux) refuse(s *server, c *jsonrpc2.Call, why string) {
	s.send(jsonrpc2.NewResponse(c.ID(), nil, jsonrpc2.NewError(codeRequestFailed, why)))
}

// serverNotified passes a notification of a server on to the editor.
func (m *Mux) serverNotified(s *server, method string, params json.RawMessage) {
	switch method {
	case methodCancel:
		id, err := wire.ParseID(headOf(jsonrpc2.RawMessage(params)).ID)
		if err != nil {
			return
		}
		for number, a := range m.asked {
			if a.server == s && a.id == id {
				m.notify(methodCancel, map[string]int64{"id": number})
			}
		}
		return
	case methodProgress:
		m.progress(s, params)
		return
	case protocol.MethodTextDocumentPublishDiagnostics:
		m.publish(s.side, params)
		return
	}
	m.notify(method, params)
}

// maxTitles is how many titles of work the inner server is known by.
const maxTitles = 64

// work is what the inner server has told of its work with $/progress.
type work struct {
	running map[string]string // titles, by token
	ended   map[string]bool   // titles
}

// progress passes on the progress of a server. The inner one's is how far it is, which ours wants to know.
func (m *Mux) progress(s *server, params json.RawMessage) {
	var p struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind  string `json:"kind"`
			Title string `json:"title"`
		} `json:"value"`
	}
	_ = json.Unmarshal(params, &p) // another value is one of a partial result
	name, ok := m.tokens.of(s.side, p.Token)
	if !ok {
		return
	}
	if string(name) != string(p.Token) {
		params = withMember(params, "token", name)
	}
	token := string(p.Token)
	if s == m.inner && p.Value.Kind == "begin" && len(m.work.running) < maxTitles {
		m.work.running[token] = p.Value.Title
	}
	if p.Value.Kind == "end" {
		m.tokens.remove(s.side, p.Token)
		if title, known := m.work.running[token]; known && s == m.inner {
			delete(m.work.running, token)
			if len(m.work.ended) < maxTitles {
				m.work.ended[title] = true
			}
		}
	}
	m.notify(methodProgress, params)
}

// progressEnd are the parameters of the end of a progress.
func progressEnd(token json.RawMessage) any {
	return map[string]any{"token": token, "value": map[string]string{"kind": "end"}}
}
