package document

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/client"
)

// notified notes the diagnostics that a client is sent.
type notified struct {
	jsonrpc2.Conn
	sent []string
}

func (n *notified) Notify(_ context.Context, _ string, params any) error {
	p := params.(*protocol.PublishDiagnosticsParams)
	n.sent = append(n.sent, fmt.Sprintf("%s: %d", p.URI, len(p.Diagnostics)))
	return nil
}

// TestDiagnosticsAreClearedWhereTheyAre closes a document, and opens it under another spelling of its URI.
func TestDiagnosticsAreClearedWhereTheyAre(t *testing.T) {
	const canonical, spelling, other = uri.URI("file:///w/a%5Bb%5D.go"), uri.URI("file:///w/a[b].go"), uri.URI("file:///w/%61[b].go")
	one := []protocol.Diagnostic{{}}
	open := func(spelled uri.URI) func(*Published) {
		return func(p *Published) { p.documents.set(&Document{URI: canonical, spelling: spelled}) }
	}
	opened := func(p *Published) { p.Follow(Event{Kind: Opened, URI: canonical}) }
	closed := func(p *Published) { p.documents.remove(canonical) }
	set := func(list []protocol.Diagnostic) func(*Published) {
		return func(p *Published) { p.Set(canonical, "topic", list) }
	}
	for name, tt := range map[string]struct {
		steps []func(*Published)
		want  []string
	}{
		"closed":        {[]func(*Published){open(spelling), set(one), closed, set(nil)}, []string{"file:///w/a[b].go: 1", "file:///w/a[b].go: 0"}},
		"changed":       {[]func(*Published){open(spelling), set(one), closed, set(append(one, one...))}, []string{"file:///w/a[b].go: 1", "file:///w/a[b].go: 2"}},
		"open":          {[]func(*Published){open(spelling), set(one), set(nil)}, []string{"file:///w/a[b].go: 1", "file:///w/a[b].go: 0"}},
		"never open":    {[]func(*Published){set(one), set(nil)}, []string{"file:///w/a%5Bb%5D.go: 1", "file:///w/a%5Bb%5D.go: 0"}},
		"opened":        {[]func(*Published){set(one), open(spelling), set(nil)}, []string{"file:///w/a%5Bb%5D.go: 1", "file:///w/a%5Bb%5D.go: 0", "file:///w/a[b].go: 0"}},
		"told of it":    {[]func(*Published){set(one), open(spelling), opened}, []string{"file:///w/a%5Bb%5D.go: 1", "file:///w/a%5Bb%5D.go: 0", "file:///w/a[b].go: 1"}},
		"told of none":  {[]func(*Published){set(one), set(nil), open(spelling), opened}, []string{"file:///w/a%5Bb%5D.go: 1", "file:///w/a%5Bb%5D.go: 0"}},
		"other name":    {[]func(*Published){open(spelling), set(one), closed, open(other), set(one)}, []string{"file:///w/a[b].go: 1", "file:///w/a[b].go: 0", "file:///w/%61[b].go: 1"}},
		"cleared twice": {[]func(*Published){open(spelling), set(one), set(nil), closed, set(nil), set(one)}, []string{"file:///w/a[b].go: 1", "file:///w/a[b].go: 0", "file:///w/a%5Bb%5D.go: 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			conn := &notified{}
			c := client.New(conn, nil)
			c.PublishesDiagnostics = true
			p := NewPublished(c, NewTable())
			for _, step := range tt.steps {
				step(p)
			}
			if !slices.Equal(conn.sent, tt.want) {
				t.Errorf("sent %q, want %q", conn.sent, tt.want)
			}
		})
	}
}
