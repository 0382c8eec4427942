package mux

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/disk"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// innerID is by what ours names the inner server.
const innerID = "inner"

// maxLent is the size in bytes of the largest file that is opened for a question.
const maxLent = 16 << 20

// A bridge asks the inner server for ours. The lock of the mux is held where nothing else is said.
type bridge struct {
	mux  *Mux
	lent map[string]int // questions for which a file is open for the inner server alone, by URI
}

// describe tells ours of the inner server.
func (b *bridge) describe() *ploke.LSPServer {
	server, work := b.mux.inner, &b.mux.work
	s := &ploke.LSPServer{ID: innerID, Name: server.name, Version: server.version, Encoding: server.can.encoding(),
		Methods: []ploke.LSPMethod{}}
	for _, method := range slices.Sorted(maps.Keys(provider)) {
		if asked := ploke.LSPMethod(method); asked.Known() && server.can.answers(method) {
			s.Methods = append(s.Methods, asked)
		}
	}
	s.Running = slices.Sorted(maps.Values(work.running))
	s.Ended = slices.Sorted(maps.Keys(work.ended))
	return s
}

// serves reports whether the inner server knows documents like this one: those with the ending of one that was open.
func (b *bridge) serves(u string) bool {
	_, known := b.mux.documents.extensions[extensionOf(u)]
	return b.mux.inner.state == serving && known && !b.mux.options.Own(u)
}

// answer answers a request of ours.
func (b *bridge) answer(id jsonrpc2.ID, result any) {
	b.mux.ours.send(jsonrpc2.NewResponse(id, encode(result), nil))
}

// list answers which language servers a document has.
func (b *bridge) list(c *jsonrpc2.Call) {
	var p ploke.ClientLSPServersParams
	_ = json.Unmarshal(c.Params(), &p) // ours
	result := ploke.ClientLSPServersResult{Servers: []ploke.LSPServer{}}
	if b.serves(string(p.URI)) {
		result.Servers = append(result.Servers, *b.describe())
	}
	b.answer(c.ID(), &result)
}

// ask asks the inner server. The answer counts for the text that the editor has sent by then.
func (b *bridge) ask(c *jsonrpc2.Call) {
	var p ploke.ClientLSPParams
	if err := json.Unmarshal(c.Params(), &p); err != nil {
		b.answer(c.ID(), &ploke.LSPAnswer{Failure: err.Error()})
		return
	}
	u := string(p.URI)
	d := b.mux.documents.open[u]
	switch {
	case !p.Method.Known() || p.Server != innerID:
		b.answer(c.ID(), &ploke.LSPAnswer{Failure: fmt.Sprintf("%s is not asked for others", p.Method)})
	case !b.serves(u):
		b.answer(c.ID(), &ploke.LSPAnswer{Failure: b.mux.inner.name + " does not serve the document"})
	case (d == nil) != (p.Version == nil) || d != nil && (d.lost || int64(*p.Version) != d.version):
		b.answer(c.ID(), &ploke.LSPAnswer{Changed: true})
	case d != nil:
		b.question(c.ID(), &p, func() {})
	default:
		go b.lendAndAsk(c.ID(), &p)
	}
}

// lendAndAsk opens a file for the inner server, for one question. It takes the lock.
func (b *bridge) lendAndAsk(id jsonrpc2.ID, p *ploke.ClientLSPParams) {
	text, err := readFile(p.URI)
	b.mux.mu.Lock()
	defer b.mux.mu.Unlock()
	switch u := string(p.URI); {
	case err != nil:
		b.answer(id, &ploke.LSPAnswer{Failure: err.Error()})
	case b.mux.documents.open[u] != nil:
		b.answer(id, &ploke.LSPAnswer{Changed: true})
	default:
		b.lend(u, text)
		b.question(id, p, func() { b.giveBack(u) })
	}
}

// readFile returns the text of a file in UTF-8.
func readFile(u uri.URI) (string, error) {
	name := document.FilePath(u)
	text, err := disk.ReadRegular(name, maxLent)
	if err == nil && !utf8.Valid(text) {
		err = fmt.Errorf("%s is not in UTF-8", name)
	}
	return string(text), err
}

// question asks the inner server, and answers ours once: with the answer, or when there is none for too long.
func (b *bridge) question(id jsonrpc2.ID, p *ploke.ClientLSPParams, done func()) {
	m, u := b.mux, string(p.URI)
	asked := m.documents.open[u]
	waiting := true
	finish := func(a ploke.LSPAnswer) {
		if !waiting {
			return
		}
		waiting = false
		now := m.documents.open[u]
		a.Version, a.Server = p.Version, b.describe()
		a.Changed = now != asked || now != nil && now.version != int64(*p.Version)
		done()
		b.answer(id, &a)
	}
	number := m.inner.ask(string(p.Method), json.RawMessage(p.Params), func(a answer) {
		switch {
		case m.inner.state == ended:
			finish(ploke.LSPAnswer{Failure: m.inner.name + " has ended"})
		case a.err != nil:
			finish(ploke.LSPAnswer{Refusal: a.err.Error()})
		default:
			finish(ploke.LSPAnswer{Result: protocol.LSPAny(a.result)})
		}
	})
	time.AfterFunc(m.options.CallTime, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if waiting {
			m.inner.abandon(number)
			finish(ploke.LSPAnswer{Failure: fmt.Sprintf("%s has not answered within %v", m.inner.name, m.options.CallTime)})
		}
	})
}

// lend opens a file that the editor has not open for the inner server, until it is given back.
func (b *bridge) lend(u, text string) {
	if b.lent[u]++; b.lent[u] > 1 {
		return
	}
	b.mux.inner.pass(protocol.MethodTextDocumentDidOpen, encode(mustMarshal(map[string]any{
		"textDocument": map[string]any{"uri": u, "languageId": b.mux.documents.extensions[extensionOf(u)], "version": 0,
			"text": text}})))
}

// giveBack closes a file that was lent, unless the editor has opened it meanwhile.
func (b *bridge) giveBack(u string) {
	if b.lent[u] == 0 {
		return
	}
	if b.lent[u]--; b.lent[u] == 0 {
		b.takeBack(u)
	}
}

// takeBack closes what is lent, as before the editor opens it.
func (b *bridge) takeBack(u string) {
	if _, lent := b.lent[u]; lent {
		delete(b.lent, u)
		b.mux.inner.close(u)
	}
}
