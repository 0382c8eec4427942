package chat

import (
	"context"
	"slices"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/lsp/document"
)

// topicAnswer is the topic of answers that are shown as diagnostics.
const topicAnswer document.Topic = "answer"

// maxPlacedAnswers bounds the answers that hovers show in one document. The oldest go first.
const maxPlacedAnswers = 50

// A Subject is the declaration that an answer is about.
type Subject struct {
	URI         uri.URI
	Canon, Name string
}

// Answers holds the answers for clients that open no documents. A hover over the
// declaration shows the newest one about it, and a diagnostic there shows the newest one in
// the document until the text changes.
type Answers struct {
	parsed    func(context.Context, uri.URI) (*document.Parsed, error)
	published *document.Published

	mu  sync.Mutex
	all map[uri.URI][]placedAnswer // the newest last
}

type placedAnswer struct{ canon, text string }

// add places an answer at its subject; one without a subject has no place.
func (p *Answers) add(ctx context.Context, about *Subject, text string) {
	if about == nil {
		return
	}
	p.mu.Lock()
	if p.all == nil {
		p.all = map[uri.URI][]placedAnswer{}
	}
	list := slices.DeleteFunc(p.all[about.URI], func(a placedAnswer) bool { return a.canon == about.Canon })
	list = append(list, placedAnswer{about.Canon, text})
	p.all[about.URI] = list[max(0, len(list)-maxPlacedAnswers):]
	p.mu.Unlock()
	p.publish(ctx, about, text)
}

// publish shows an answer as a diagnostic at the name of its subject.
func (p *Answers) publish(ctx context.Context, about *Subject, text string) {
	d, err := p.parsed(ctx, about.URI)
	if err != nil {
		return // the document was closed, and with it its diagnostics
	}
	symbols := d.Symbols()
	i := slices.IndexFunc(symbols, func(s syntax.Symbol) bool { return s.Canon == about.Canon })
	if i < 0 {
		return // it was renamed meanwhile
	}
	p.published.Set(about.URI, topicAnswer, []protocol.Diagnostic{{
		Range:    d.Range(symbols[i].NameStart, symbols[i].NameEnd),
		Severity: protocol.DiagnosticSeverityInformation,
		Message:  protocol.String(text),
	}})
}

// Follow clears the diagnostic of a document, whose place may be another one now.
func (p *Answers) Follow(e document.Event) {
	if e.Kind == document.Changed || e.Kind == document.Closed {
		p.published.Set(e.URI, topicAnswer, nil)
	}
}

// Hover returns the newest answer about the declaration at a position.
func (p *Answers) Hover(ctx context.Context, params *protocol.HoverParams) string {
	u := params.TextDocument.URI
	p.mu.Lock()
	list := slices.Clone(p.all[u])
	p.mu.Unlock()
	if len(list) == 0 {
		return ""
	}
	d, err := p.parsed(ctx, u)
	if err != nil {
		return ""
	}
	symbol, ok := d.MenuSymbolAt(d.Offset(params.Position))
	if !ok {
		return ""
	}
	for _, a := range slices.Backward(list) {
		if a.canon == symbol.Canon {
			return a.text
		}
	}
	return ""
}
