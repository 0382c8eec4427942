package lsp_test

import (
	"fmt"
	"slices"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
)

// workspaceSymbols returns the found symbols as "name in container".
func workspaceSymbols(e *lsptest.Editor, query string) (names []string) {
	var found []protocol.SymbolInformation
	e.Call(protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: query}, &found)
	for _, s := range found {
		names = append(names, s.Name+" in "+*s.ContainerName)
	}
	return names
}

// TestSymbolsOfSomeLanguages gives an editor the symbols of SQL alone.
func TestSymbolsOfSomeLanguages(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{Capabilities: plain(nil), InitializationOptions: settings{"symbols": []string{"sql"}}})
	e.AwaitProgressEnd(indexingTitle)
	sql, code := f.path("tables.sql"), f.path("shapes/circle.go")
	e.Open(code)
	e.OpenText(sql, "create table squares (\n  id int\n);\n\ncreate view squared as select 1;\n")
	awaitSymbols(t, e, "sqre", []string{"squared in tables.sql", "squares in tables.sql"})
	if got := outlineOf(e, sql); !slices.Equal(got, []string{"squares", "squared"}) {
		t.Errorf("the outline is %q", got)
	}
	if got := outlineOf(e, code); len(got) != 0 {
		t.Errorf("the outline of a Go file is %q", got)
	}
}

func TestSymbolsOfAllLanguages(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{Capabilities: plain(nil), InitializationOptions: settings{"symbols": []string{"all"}}})
	e.AwaitProgressEnd(indexingTitle)
	awaitSymbols(t, e, "sqr", []string{"square in shapes/circle.go"})
	code := f.path("shapes/circle.go")
	e.Open(code)
	if got := outlineOf(e, code); !slices.Contains(got, "square") {
		t.Errorf("the outline is %q", got)
	}
}

// TestSymbolsAreOffByDefault has other servers serve them.
func TestSymbolsAreOffByDefault(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{Capabilities: plain(nil)})
	e.AwaitProgressEnd(indexingTitle)
	code := f.path("shapes/circle.go")
	e.Open(code)
	if got := append(workspaceSymbols(e, "square"), outlineOf(e, code)...); len(got) != 0 {
		t.Errorf("the symbols are %q", got)
	}
}

// outlineOf returns the names in a document's outline, without those inside of others.
func outlineOf(e *lsptest.Editor, path string) (names []string) {
	var symbols []protocol.DocumentSymbol
	e.Call(protocol.MethodTextDocumentDocumentSymbol,
		&protocol.DocumentSymbolParams{TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)}}, &symbols)
	for _, s := range symbols {
		names = append(names, s.Name)
	}
	return names
}

// awaitSymbols looks for symbols until these are found, since what is typed is indexed a moment later.
func awaitSymbols(t *testing.T, e *lsptest.Editor, query string, want []string) {
	t.Helper()
	var got []string
	testbed.Eventually(t, func() bool { got = workspaceSymbols(e, query); return slices.Equal(got, want) },
		func() string { return fmt.Sprintf("%q finds %q, want %q", query, got, want) })
}
