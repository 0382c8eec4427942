package mux

import (
	"encoding/json"

	"go.lsp.dev/protocol"
)

// maxDiagnosticBytes bounds what is remembered of the diagnostics of the inner server.
const maxDiagnosticBytes = 64 << 20

// diagnostics are what both servers have published.
type diagnostics struct {
	all  map[string]*published // by URI
	size int                   // bytes of the lists
}

// published are the diagnostics of one document.
type published struct {
	lists   [2][]json.RawMessage
	sizes   [2]int
	version [2]*int64 // of the text that the newest list is for; nil if it is not known
}

// publish passes on what a server publishes, with what the other one has published before. A list for an older text
// than that of the list before has come too late.
func (m *Mux) publish(s side, params json.RawMessage) {
	var p struct {
		URI         string            `json:"uri"`
		Version     *int64            `json:"version"`
		Diagnostics []json.RawMessage `json:"diagnostics"`
	}
	if json.Unmarshal(params, &p) != nil || p.URI == "" {
		m.notify(protocol.MethodTextDocumentPublishDiagnostics, params) // the editor says what is wrong with it
		return
	}
	d := m.diagnostics.of(p.URI)
	if before := d.version[s]; before != nil && p.Version != nil && *p.Version < *before {
		return
	}
	d.version[s] = p.Version
	m.diagnostics.set(d, s, p.Diagnostics, len(params))
	other := d.lists[1-s]
	if len(d.lists[s])+len(other) == 0 && d.version[s] == nil {
		delete(m.diagnostics.all, p.URI)
	}
	if len(other) > 0 {
		all := objectOf(params)
		all["diagnostics"] = mustMarshal(d.both())
		params = all.raw()
	}
	m.notify(protocol.MethodTextDocumentPublishDiagnostics, params)
}

// of returns the diagnostics of a document.
func (a *diagnostics) of(uri string) *published {
	d := a.all[uri]
	if d == nil {
		d = &published{}
		a.all[uri] = d
	}
	return d
}

// set remembers a list. What is too much is forgotten: then a later list of ours stands alone.
func (a *diagnostics) set(d *published, s side, list []json.RawMessage, size int) {
	a.size -= d.sizes[s]
	d.lists[s], d.sizes[s] = nil, 0
	if len(list) > 0 && a.size+size <= maxDiagnosticBytes {
		d.lists[s], d.sizes[s] = list, size
		a.size += size
	}
}

// both returns the lists of both servers, never nil.
func (d *published) both() []json.RawMessage {
	return append(append([]json.RawMessage{}, d.lists[inner]...), d.lists[ours]...)
}

// closed notes that the versions of a document begin again when it is opened again.
func (a *diagnostics) closed(uri string) {
	if d := a.all[uri]; d != nil {
		d.version = [2]*int64{}
	}
}

// clearDiagnostics takes back what a server that has ended had published.
func (m *Mux) clearDiagnostics(s side) {
	for uri, d := range m.diagnostics.all {
		if len(d.lists[s]) == 0 {
			continue
		}
		m.diagnostics.set(d, s, nil, 0)
		m.notify(protocol.MethodTextDocumentPublishDiagnostics,
			mustMarshal(map[string]any{"uri": uri, "diagnostics": d.both()}))
	}
}

// withoutOurs returns the parameters of a code action without the diagnostics of ours: the inner server could take what
// is in their data for its own.
func (a *diagnostics) withoutOurs(params json.RawMessage) json.RawMessage {
	h := headOf([]byte(params))
	d := a.all[h.TextDocument.URI]
	if d == nil || len(d.lists[ours]) == 0 {
		return params
	}
	own := map[string]bool{}
	for _, one := range d.lists[ours] {
		own[diagnosticKey(one)] = true
	}
	all := objectOf(params)
	context := objectOf(all["context"])
	kept := []json.RawMessage{}
	for _, one := range listOf(context["diagnostics"]) {
		if !own[diagnosticKey(one)] {
			kept = append(kept, one)
		}
	}
	context["diagnostics"] = mustMarshal(kept)
	all["context"] = context.raw()
	return all.raw()
}

// diagnosticKey is what a diagnostic is known by when the editor sends it back. Its range may have moved.
func diagnosticKey(raw json.RawMessage) string {
	o := objectOf(raw)
	return canonical(o["source"]) + "\x00" + canonical(o["message"])
}
