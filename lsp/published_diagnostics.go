package lsp

import (
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/client"
)

// diagnosticSource is the source of the server's own diagnostics. They are notes for the
// person, so they are neither given to a model nor fixed.
const diagnosticSource = "ploke"

// A diagnosticTopic says which part of the server publishes a diagnostic.
type diagnosticTopic string

// publishedDiagnostics holds the server's own diagnostics. A client takes all of a document
// at once; a topic changes only its own here. It is safe for concurrent use.
type publishedDiagnostics struct {
	client    *client.Client
	documents *documents

	mu    sync.Mutex
	all   map[uri.URI]map[diagnosticTopic][]protocol.Diagnostic
	names map[uri.URI]uri.URI // under which the client has them
}

func newPublishedDiagnostics(c *client.Client, d *documents) *publishedDiagnostics {
	return &publishedDiagnostics{client: c, documents: d, all: map[uri.URI]map[diagnosticTopic][]protocol.Diagnostic{},
		names: map[uri.URI]uri.URI{}}
}

// set publishes the diagnostics of a topic in a document in place of its earlier ones; none
// clears them. It sets their source. Nothing is published to a client that shows none.
func (p *publishedDiagnostics) set(u uri.URI, topic diagnosticTopic, list []protocol.Diagnostic) {
	if !p.client.PublishesDiagnostics {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	topics := p.all[u]
	if len(list) == 0 && len(topics[topic]) == 0 {
		return
	}
	if topics == nil {
		topics = map[diagnosticTopic][]protocol.Diagnostic{}
		p.all[u] = topics
	}
	topics[topic] = slices.Clone(list)
	for i := range topics[topic] {
		topics[topic][i].Source = protocol.NewOptional(diagnosticSource)
	}
	var all []protocol.Diagnostic
	for _, t := range slices.Sorted(maps.Keys(topics)) {
		all = append(all, topics[t]...)
	}
	p.publish(u, all)
}

// publish sends all diagnostics of a document under the name that the client has for it. Those of a closed document have the name that
// they were sent under, and those under an earlier name are cleared. The lock is held.
func (p *publishedDiagnostics) publish(u uri.URI, all []protocol.Diagnostic) {
	before, known := p.names[u]
	name := p.documents.spelled(u)
	if known && p.documents.get(u) == nil {
		name = before
	}
	if known && name != before {
		p.send(before, nil)
	}
	p.send(name, all)
	p.names[u] = name
	if len(all) == 0 {
		delete(p.all, u)
		delete(p.names, u)
	}
}

func (p *publishedDiagnostics) send(name uri.URI, all []protocol.Diagnostic) {
	p.client.Notify(protocol.MethodTextDocumentPublishDiagnostics, &protocol.PublishDiagnosticsParams{URI: name, Diagnostics: append([]protocol.Diagnostic{}, all...)})
}
