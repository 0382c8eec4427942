package lsp_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// startWithSimilarFiles starts an editor on a project with four files with the same text.
func startWithSimilarFiles(t *testing.T, options lsptest.Options) (f *fixture, e *lsptest.Editor) {
	f = newFixture(t)
	for _, name := range []string{"alpha", "beta", "delta", "gamma"} {
		if err := os.MkdirAll(f.path(name), 0o700); err != nil {
			t.Fatal(err)
		}
		text := "package " + name + "\n\n// Encode writes a value.\nfunc Encode(value int) {}\n\n/* 😀é */ func helper() {}\n"
		if err := os.WriteFile(f.path(name+"/codec.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e = f.start(options)
	e.AwaitIndex()
	return f, e
}

// topHit returns the path and the canonical name of the best hit.
func topHit(e *lsptest.Editor, query string) string {
	var result ploke.SearchResult
	e.Call(ploke.MethodSearch, &ploke.SearchParams{Query: query}, &result)
	if len(result.Results) == 0 {
		return ""
	}
	return result.Results[0].Path + " " + result.Results[0].Canon
}

// TestSearchUsesTheClientsState uses a client that supports ploke/client/state.
func TestSearchUsesTheClientsState(t *testing.T) {
	state := &ploke.ClientState{}
	f, e := startWithSimilarFiles(t, lsptest.Options{Capabilities: lsptest.WithEditorState(lsptest.Capabilities()),
		State: func(context.Context) *ploke.ClientState { return state }})
	check := func(s *ploke.ClientState, query, want string) {
		t.Helper()
		state = s
		if got := topHit(e, query); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	document := func(name string) uri.URI { return fileURI(f.path(name + "/codec.go")) }
	check(&ploke.ClientState{}, "encode a value", "alpha/codec.go Encode")
	check(&ploke.ClientState{Visible: []uri.URI{"untitled:x", document("beta")}}, "encode a value", "beta/codec.go Encode")
	check(&ploke.ClientState{Recent: []uri.URI{document("delta")}}, "encode a value", "delta/codec.go Encode")
	path := f.path("gamma/codec.go")
	e.Open(path)
	at := strings.Index(e.Text(path), "helper")
	check(&ploke.ClientState{Selection: &protocol.Location{URI: document("gamma"), Range: e.Range(path, at, at)}},
		"encode a value", "gamma/codec.go Encode")
	check(&ploke.ClientState{Selection: &protocol.Location{URI: document("gamma"), Range: e.Range(path, at, at)}},
		"what does this function do", "gamma/codec.go helper")
}

// TestSearchDoesNotWaitForTheClient uses a client that does not reply until the server
// cancels the request.
func TestSearchDoesNotWaitForTheClient(t *testing.T) {
	cancelled := make(chan struct{})
	_, e := startWithSimilarFiles(t, lsptest.Options{Capabilities: lsptest.WithEditorState(lsptest.Capabilities()),
		State: func(ctx context.Context) *ploke.ClientState { <-ctx.Done(); close(cancelled); return nil }})
	if got := topHit(e, "encode a value"); got != "alpha/codec.go Encode" {
		t.Errorf("found %q", got)
	}
	<-cancelled
}

// TestSearchUsesRequestsAndChanges uses a client without ploke/client/state, whose state the
// server infers from its requests and changes.
func TestSearchUsesRequestsAndChanges(t *testing.T) {
	f, e := startWithSimilarFiles(t, lsptest.Options{})
	path := func(name string) string { return f.path(name + "/codec.go") }
	for _, name := range []string{"beta", "delta", "gamma"} {
		e.Open(path(name))
	}
	expect := func(query, want string) {
		t.Helper()
		if got := topHit(e, query); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	expect("encode a value", "beta/codec.go Encode")
	e.Type(path("gamma"), 0, 0, "// Typed.\n")
	expect("encode a value", "gamma/codec.go Encode")
	at := strings.Index(e.Text(path("delta")), "helper")
	e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path("delta"))}, Range: e.Range(path("delta"), at, at)}, nil)
	expect("encode a value", "delta/codec.go Encode")
	expect("what does this function do", "delta/codec.go helper")
	e.CloseDocument(path("delta"))
	expect("encode a value", "gamma/codec.go Encode")
}

// TestToolSearchUsesTheEditorState checks that the search tool prefers symbols of the
// current file.
func TestToolSearchUsesTheEditorState(t *testing.T) {
	f := newFixture(t)
	content := callTool(t, f, lsptest.Options{}, func(e *lsptest.Editor) {
		e.Open(f.path("shapes/circle.go"))
		e.Type(f.path("shapes/circle.go"), 0, 0, "// Typed.\n")
	}, "request_code_context", `{"hint":"area"}`)
	if circle, rect := strings.Index(content, "Circle::Area"), strings.Index(content, "Rect::Area"); circle < 0 || rect < circle {
		t.Errorf("Circle::Area is not before Rect::Area: %s", content)
	}
}
