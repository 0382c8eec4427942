package document

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/client"
)

// DiagnosticSource is the source of the server's own diagnostics. They are notes for the
// person, so they are neither given to a model nor fixed.
const DiagnosticSource = "ploke"

// CheckSource returns the source of the diagnostics that a check of a proposal has found.
func CheckSource(check string) protocol.Optional[string] {
	return protocol.NewOptional(DiagnosticSource + ": " + check)
}

// IsOwn reports whether a source is one of the server's own.
func IsOwn(source protocol.Optional[string]) bool {
	name, _ := source.Get()
	return name == DiagnosticSource || strings.HasPrefix(name, DiagnosticSource+": ")
}

// A Topic says which part of the server publishes a diagnostic.
type Topic string

// Published holds the server's own diagnostics. A client takes all of a document
// at once; a topic changes only its own here. It is safe for concurrent use.
type Published struct {
	client    *client.Client
	documents *Table

	mu    sync.Mutex
	all   map[uri.URI]map[Topic][]protocol.Diagnostic
	names map[uri.URI]uri.URI // under which the client has them
}

// NewPublished returns the diagnostics that the server publishes to a client: none yet.
func NewPublished(c *client.Client, d *Table) *Published {
	return &Published{client: c, documents: d, all: map[uri.URI]map[Topic][]protocol.Diagnostic{},
		names: map[uri.URI]uri.URI{}}
}

// Set publishes the diagnostics of a topic in a document in place of its earlier ones; none
// clears them. It sets their source. Nothing is published to a client that shows none.
func (p *Published) Set(u uri.URI, topic Topic, list []protocol.Diagnostic) {
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
		topics = map[Topic][]protocol.Diagnostic{}
		p.all[u] = topics
	}
	topics[topic] = slices.Clone(list)
	for i := range topics[topic] {
		if d := &topics[topic][i]; !IsOwn(d.Source) {
			d.Source = protocol.NewOptional(DiagnosticSource)
		}
	}
	p.publish(u, merged(topics))
}

// merged returns the diagnostics of all topics.
func merged(topics map[Topic][]protocol.Diagnostic) (all []protocol.Diagnostic) {
	for _, t := range slices.Sorted(maps.Keys(topics)) {
		all = append(all, topics[t]...)
	}
	return all
}

// Follow publishes what a document has once more when it is opened: some clients, such as Eglot of Emacs 28, forget the
// diagnostics of a document that they have not open.
func (p *Published) Follow(e Event) {
	if e.Kind != Opened {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if all := merged(p.all[e.URI]); len(all) > 0 {
		p.publish(e.URI, all)
	}
}

// publish sends all diagnostics of a document under the name that the client has for it. Those of a
// closed document have the name that they were sent under, and those under an earlier name are
// cleared. The lock is held.
func (p *Published) publish(u uri.URI, all []protocol.Diagnostic) {
	before, known := p.names[u]
	name := p.documents.Spelled(u)
	if known && p.documents.Get(u) == nil {
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

func (p *Published) send(name uri.URI, all []protocol.Diagnostic) {
	p.client.Notify(protocol.MethodTextDocumentPublishDiagnostics,
		&protocol.PublishDiagnosticsParams{URI: name, Diagnostics: append([]protocol.Diagnostic{}, all...)})
}
