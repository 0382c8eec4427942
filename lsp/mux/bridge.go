package mux

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// innerID is by what ours names the inner server.
const innerID = "inner"

// maxLent is the size in bytes of the largest file that is opened for a question.
const maxLent = 16 << 20

// describe tells ours of the inner server.
func (m *Mux) describe() *ploke.LSPServer {
	s := &ploke.LSPServer{ID: innerID, Name: m.inner.name, Version: m.inner.version, Encoding: m.encoding(),
		Methods: []ploke.LSPMethod{}}
	for _, method := range slices.Sorted(maps.Keys(provider)) {
		if asked := ploke.LSPMethod(method); asked.Known() && m.inner.can.answers(method) {
			s.Methods = append(s.Methods, asked)
		}
	}
	for _, title := range m.work.running {
		s.Running = append(s.Running, title)
	}
	slices.Sort(s.Running)
	s.Ended = slices.Sorted(maps.Keys(m.work.ended))
	return s
}

// encoding is how the inner server counts positions.
func (m *Mux) encoding() string {
	chosen := utf16
	_ = json.Unmarshal(m.inner.can.static["positionEncoding"], &chosen)
	return chosen
}

// serves reports whether the inner server knows documents like this one: those with the ending of one that was open.
func (m *Mux) serves(u string) bool {
	_, known := m.documents.extensions[extensionOf(u)]
	return m.inner.state == serving && known && !m.options.Own(u)
}

// answerOurs answers a request of ours.
func (m *Mux) answerOurs(id jsonrpc2.ID, result any) {
	m.send(m.ours, jsonrpc2.NewResponse(id, encode(result), nil))
}

// listInner answers which language servers a document has.
func (m *Mux) listInner(c *jsonrpc2.Call) {
	var p ploke.ClientLSPServersParams
	_ = json.Unmarshal(c.Params(), &p) // ours
	result := ploke.ClientLSPServersResult{Servers: []ploke.LSPServer{}}
	if m.serves(string(p.URI)) {
		result.Servers = append(result.Servers, *m.describe())
	}
	m.answerOurs(c.ID(), &result)
}

// askInner asks the inner server for ours. The answer counts for the text that the editor has sent by then.
func (m *Mux) askInner(c *jsonrpc2.Call) {
	var p ploke.ClientLSPParams
	if err := json.Unmarshal(c.Params(), &p); err != nil {
		m.refuse(m.ours, c, err.Error())
		return
	}
	u := string(p.URI)
	d := m.documents.open[u]
	switch {
	case !p.Method.Known() || p.Server != innerID:
		m.answerOurs(c.ID(), &ploke.LSPAnswer{Failure: fmt.Sprintf("%s is not asked for others", p.Method)})
	case !m.serves(u):
		m.answerOurs(c.ID(), &ploke.LSPAnswer{Failure: m.inner.name + " does not serve the document"})
	case (d == nil) != (p.Version == nil) || d != nil && (d.lost || int64(*p.Version) != d.version):
		m.answerOurs(c.ID(), &ploke.LSPAnswer{Changed: true})
	case d != nil:
		m.question(c.ID(), &p, func() {})
	default:
		go m.lendAndAsk(c.ID(), &p)
	}
}

// lendAndAsk opens a file for the inner server, for one question.
func (m *Mux) lendAndAsk(id jsonrpc2.ID, p *ploke.ClientLSPParams) {
	text, err := readFile(p.URI)
	m.mu.Lock()
	defer m.mu.Unlock()
	switch u := string(p.URI); {
	case err != nil:
		m.answerOurs(id, &ploke.LSPAnswer{Failure: err.Error()})
	case m.documents.open[u] != nil:
		m.answerOurs(id, &ploke.LSPAnswer{Changed: true})
	default:
		m.lend(u, text)
		m.question(id, p, func() { m.giveBack(u) })
	}
}

// readFile returns the text of a file in UTF-8.
func readFile(u uri.URI) (string, error) {
	name := document.FilePath(u)
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file", name)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxLent+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > maxLent:
		return "", fmt.Errorf("%s is larger than %d bytes", name, maxLent)
	case !utf8.Valid(text):
		return "", fmt.Errorf("%s is not in UTF-8", name)
	}
	return string(text), nil
}

// question asks the inner server, and answers ours once: with the answer, or when there is none for too long.
func (m *Mux) question(id jsonrpc2.ID, p *ploke.ClientLSPParams, done func()) {
	u := string(p.URI)
	asked := m.documents.open[u]
	waiting := true
	finish := func(a ploke.LSPAnswer) {
		if !waiting {
			return
		}
		waiting = false
		now := m.documents.open[u]
		a.Version, a.Server = p.Version, m.describe()
		a.Changed = now != asked || now != nil && now.version != int64(*p.Version)
		done()
		m.answerOurs(id, &a)
	}
	number := m.ask(m.inner, string(p.Method), json.RawMessage(p.Params), func(a answer) {
		switch {
		case m.inner.state == ended:
			finish(ploke.LSPAnswer{Failure: m.inner.name + " has ended"})
		case a.err != nil:
			finish(ploke.LSPAnswer{Refusal: a.err.Error()})
		default:
			finish(ploke.LSPAnswer{Result: []byte(a.result)})
		}
	})
	time.AfterFunc(m.options.CallTime, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if waiting {
			m.abandon(m.inner, number)
			finish(ploke.LSPAnswer{Failure: fmt.Sprintf("%s has not answered within %v", m.inner.name, m.options.CallTime)})
		}
	})
}

// timeout returns a context that ends after a time.
func timeout(most time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	context.AfterFunc(ctx, cancel)
	return ctx
}
