package document

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/wire"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/client"
)

// A followed document is what the followers of a sync learn, as one line for each event.
type followed struct {
	sync   *Sync
	uri    uri.URI
	events []string
}

// follow returns a sync of a workspace, for a client with these quirks.
func follow(t *testing.T, q client.Quirks) *followed {
	t.Helper()
	w, err := workspace.New([]string{t.TempDir()}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	stream := wire.NewStream(theirs, wire.Events{})
	t.Cleanup(func() { ours.Close(); stream.Close() })
	go io.Copy(io.Discard, ours)
	c := client.New(jsonrpc2.NewConn(stream), stream)
	c.Quirks = q
	ctx, cancel := context.WithCancel(t.Context())
	b := client.NewBackground(ctx, c)
	t.Cleanup(func() { cancel(); b.Wait() })
	f := &followed{uri: uri.File(filepath.Join(w.Roots()[0], "a.go"))}
	table := NewTable()
	note := func(who string) Follower {
		return func(e Event) {
			if table.Get(e.URI) != e.After {
				t.Errorf("the table does not have what the event says: %+v", e)
			}
			f.events = append(f.events, who+" "+describeEvent(e))
		}
	}
	f.sync = NewSync(c, table, w, b, slog.New(slog.DiscardHandler), note("first"), note("second"))
	return f
}

func describeEvent(e Event) string {
	text := func(d *Document) string {
		switch {
		case d == nil:
			return "nothing"
		case d.OutOfStep != "":
			return "unknown"
		}
		return string(d.Text.Bytes())
	}
	kind := map[Kind]string{Opened: "opened", Changed: "changed", Lost: "lost", Closed: "closed"}[e.Kind]
	return fmt.Sprintf("%s: %s to %s by %d, known %t", kind, text(e.Before), text(e.After), len(e.Changes), e.Known())
}

// send sends a notification of the document, of which params are what follows its URI, and returns what the followers
// learn.
func (f *followed) send(t *testing.T, method, params string) []string {
	t.Helper()
	f.events = nil
	raw := []byte(strings.ReplaceAll(params, "URI", string(f.uri)))
	var err error
	switch method {
	case "didOpen":
		var p OpenParams
		if err = json.Unmarshal(raw, &p); err == nil {
			err = f.sync.DidOpen(t.Context(), &p)
		}
	case "didChange":
		var p ChangeParams
		if err = json.Unmarshal(raw, &p); err == nil {
			err = f.sync.DidChange(t.Context(), &p)
		}
	case "didClose":
		err = f.sync.DidClose(t.Context(), &protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: f.uri}})
	}
	if lost := slices.ContainsFunc(f.events, func(e string) bool { return strings.Contains(e, " lost") }); lost == (err == nil) {
		t.Errorf("%s %s: %v, and the followers learn %q", method, params, err, f.events)
	}
	return f.events
}

const (
	openOne   = `{"textDocument":{"uri":"URI","version":1,"text":"one"}}`
	insertTwo = `{"textDocument":{"uri":"URI","version":2},"contentChanges":[` +
		`{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":3}},"text":" two"}]}`
	insertThree = `{"textDocument":{"uri":"URI","version":3},"contentChanges":[` +
		`{"range":{"start":{"line":0,"character":7},"end":{"line":0,"character":7}},"text":" three"}]}`
	outside  = `{"textDocument":{"uri":"URI","version":4},"contentChanges":[{"range":{"start":{"line":0}},"text":"x"}]}`
	allAgain = `{"textDocument":{"uri":"URI","version":5},"contentChanges":[{"text":"four"}]}`
)

// TestFollowersLearnOfEachText lets a document go through all that may happen to it.
func TestFollowersLearnOfEachText(t *testing.T) {
	f := follow(t, client.Quirks{})
	for _, tt := range []struct{ method, params, want string }{
		{"didOpen", openOne, "opened: nothing to one by 0, known true"},
		{"didChange", insertTwo, "changed: one to one two by 1, known true"},
		{"didChange", outside, "lost: one two to unknown by 0, known false"},
		{"didChange", insertThree, "changed: unknown to unknown by 1, known false"},
		{"didChange", allAgain, "changed: unknown to four by 1, known true"},
		{"didOpen", openOne, "opened: four to one by 0, known true"},
		{"didClose", "", "closed: one to nothing by 0, known false"},
		{"didClose", "", "closed: nothing to nothing by 0, known false"},
	} {
		want := []string{"first " + tt.want, "second " + tt.want}
		if got := f.send(t, tt.method, tt.params); !slices.Equal(got, want) {
			t.Errorf("%s %s: the followers learn %q, want %q", tt.method, tt.params, got, want)
		}
	}
}

// TestFollowersLearnInTheOrderOfVersions sends changes in another order than that of their versions.
func TestFollowersLearnInTheOrderOfVersions(t *testing.T) {
	f := follow(t, client.Quirks{ShufflesChanges: true})
	f.send(t, "didOpen", openOne)
	if got := f.send(t, "didChange", insertThree); got != nil {
		t.Errorf("the followers learn %q before the change that it builds on", got)
	}
	want := []string{
		"first changed: one to one two by 1, known true", "second changed: one to one two by 1, known true",
		"first changed: one two to one two three by 1, known true", "second changed: one two to one two three by 1, known true",
	}
	if got := f.send(t, "didChange", insertTwo); !slices.Equal(got, want) {
		t.Errorf("the followers learn %q, want %q", got, want)
	}
}
