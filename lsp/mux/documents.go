package mux

import (
	"encoding/json"
	"path"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// documents are those that the editor has open.
type documents struct {
	open       map[string]*openDocument
	extensions map[string]string // languages of what was open, by the ending of the name
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
		m.bridge.takeBack(uri)
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
			m.inner.close(uri)
		}
	}
	if forInner && (d == nil || !d.lost) {
		m.inner.pass(method, params)
	}
	m.ours.pass(method, params)
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
