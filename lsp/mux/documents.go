package mux

import (
	"encoding/json"
	"path"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// documents are those that the editor has open, and what is lent to the inner server for one question.
type documents struct {
	open       map[string]*openDocument
	extensions map[string]string // languages of what was open, by the ending of the name
	lent       map[string]int    // questions for which a file is open, by URI
}

// openDocument is a document that the editor has open.
type openDocument struct {
	version int64
	lost    bool // the inner server does not have it, since a change was not read
}

// maxExtensions bounds how many endings of names are remembered.
const maxExtensions = 64

func extensionOf(uri string) string { return strings.ToLower(path.Ext(uri)) }

// synchronize passes on what happens to a document. The inner server gets nothing of what ours writes.
func (m *Mux) synchronize(method string, params jsonrpc2.RawMessage) {
	h := headOf(params)
	uri := h.TextDocument.URI
	forInner := m.inner.takes(method) && !m.options.Own(uri)
	d := m.documents.open[uri]
	switch method {
	case protocol.MethodTextDocumentDidOpen:
		m.takeBack(uri)
		d = &openDocument{version: h.TextDocument.Version}
		m.documents.open[uri] = d
		if extension := extensionOf(uri); len(m.documents.extensions) < maxExtensions && !m.options.Own(uri) {
			m.documents.extensions[extension] = h.TextDocument.LanguageID
		}
	case protocol.MethodTextDocumentDidChange:
		if d != nil {
			d.version = h.TextDocument.Version
		}
	case protocol.MethodTextDocumentDidClose:
		delete(m.documents.open, uri)
		m.diagnostics.closed(uri)
	}
	if h.Unread != nil && d != nil && !d.lost {
		if d.lost = true; method == protocol.MethodTextDocumentDidChange && forInner {
			m.closeForInner(uri)
		}
	}
	if forInner && (d == nil || !d.lost) {
		m.pass(m.inner, method, params)
	}
	m.pass(m.ours, method, params)
}

// closeForInner closes a document for the inner server alone.
func (m *Mux) closeForInner(uri string) {
	m.pass(m.inner, protocol.MethodTextDocumentDidClose,
		jsonrpc2.RawMessage(mustMarshal(map[string]any{"textDocument": map[string]string{"uri": uri}})))
}

// lend opens a file that the editor has not open for the inner server, until it is given back.
func (m *Mux) lend(uri, text string) {
	if m.documents.lent[uri]++; m.documents.lent[uri] > 1 {
		return
	}
	m.pass(m.inner, protocol.MethodTextDocumentDidOpen, jsonrpc2.RawMessage(mustMarshal(map[string]any{
		"textDocument": map[string]any{"uri": uri, "languageId": m.documents.extensions[extensionOf(uri)], "version": 0,
			"text": text}})))
}

// giveBack closes a file that was lent, unless the editor has opened it meanwhile.
func (m *Mux) giveBack(uri string) {
	if m.documents.lent[uri] == 0 {
		return
	}
	if m.documents.lent[uri]--; m.documents.lent[uri] == 0 {
		delete(m.documents.lent, uri)
		m.closeForInner(uri)
	}
}

// takeBack closes what is lent before the editor opens it.
func (m *Mux) takeBack(uri string) {
	if m.documents.lent[uri] > 0 {
		delete(m.documents.lent, uri)
		m.closeForInner(uri)
	}
}

// register notes what a server registers, under ids that the editor has from no other. ok is false if it is too much.
func (m *Mux) register(s *server, params json.RawMessage) (sent json.RawMessage, settled func(bool), ok bool) {
	all := objectOf(params)
	list := listOf(all["registrations"])
	var added []json.RawMessage
	for i, raw := range list {
		r := objectOf(raw)
		id, ok := m.registrations.add(s.side, r["id"])
		if !ok {
			return nil, nil, false
		}
		added = append(added, r["id"])
		one := registration{watchers: watchersOf(r["registerOptions"])}
		_ = json.Unmarshal(r["method"], &one.method) // one without a method registers nothing
		s.can.registered[string(r["id"])] = one
		if string(id) != string(r["id"]) {
			list[i] = withMember(raw, "id", id)
		}
	}
	if len(list) > 0 {
		all["registrations"] = mustMarshal(list)
		params = all.raw()
	}
	return params, func(ok bool) {
		for _, id := range added {
			if !ok {
				m.registrations.remove(s.side, id)
				delete(s.can.registered, string(id))
			}
		}
	}, true
}

// unregister notes what a server takes back, and returns it with the editor's ids.
func (m *Mux) unregister(s *server, params json.RawMessage) json.RawMessage {
	const member = "unregisterations" // as LSP spells it
	all := objectOf(params)
	list := listOf(all[member])
	for i, raw := range list {
		own := objectOf(raw)["id"]
		if id, ok := m.registrations.of(s.side, own); ok && string(id) != string(own) {
			list[i] = withMember(raw, "id", id)
		}
		m.registrations.remove(s.side, own)
		delete(s.can.registered, string(own))
	}
	if len(list) > 0 {
		all[member] = mustMarshal(list)
		params = all.raw()
	}
	return params
}

// unregisterAll takes back what a server that has ended had registered.
func (m *Mux) unregisterAll(s *server) {
	var list []any
	for own, r := range s.can.registered {
		if id, ok := m.registrations.of(s.side, json.RawMessage(own)); ok {
			list = append(list, map[string]any{"id": id, "method": r.method})
		}
	}
	m.registrations.take(s.side)
	if len(list) == 0 {
		return
	}
	m.last++ // nobody waits for the answer
	m.write(jsonrpc2.NewCall(jsonrpc2.NewNumberID(m.last), protocol.MethodClientUnregisterCapability,
		encode(mustMarshal(map[string]any{"unregisterations": list}))))
}
