package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/syntax"
	ploke "ploke-lsp/lsp/protocol"
)

// The kinds of the server's code actions.
const (
	kindExplain  protocol.CodeActionKind = "ploke.explain"
	kindDocument protocol.CodeActionKind = "ploke.document"
)

// symbolActions are the actions on a symbol. Each runs a command, because the menu of
// code actions must not wait for a model.
var symbolActions = []struct {
	kind    protocol.CodeActionKind
	verb    string
	command string
}{
	{kindExplain, "explain", ploke.CommandExplain},
	{kindDocument, "document", ploke.CommandDocument},
}

func (s *Server) codeAction(ctx context.Context, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	s.project.Active()
	s.editorState.setCursor(p.TextDocument.URI, p.Range.Start)
	actions := []protocol.CommandOrCodeAction{}
	text, path, err := s.textOf(ctx, p.TextDocument.URI)
	if err != nil {
		return actions, nil // an unreadable file has no actions
	}
	s.diagnostics.cacheFrom(ctx, p)
	symbol, ok := symbolAt(path, text, ploke.NewMapper(text, s.client.encoding).Offset(p.Range.Start))
	if !ok {
		return actions, nil
	}
	argument := mustMarshal(ploke.SymbolParams{URI: p.TextDocument.URI, Range: p.Range})
	for _, a := range symbolActions {
		if !requested(a.kind, p.Context.Only) {
			continue
		}
		title := "ploke: " + a.verb + " " + symbol.Name
		actions = append(actions, &protocol.CodeAction{
			Title:   title,
			Kind:    &a.kind,
			Command: protocol.Command{Title: title, Command: a.command, Arguments: []protocol.LSPAny{argument}},
		})
	}
	return actions, nil
}

// requested reports whether the client's filter includes a kind: if only is empty, or
// holds the kind or a prefix of it.
func requested(kind protocol.CodeActionKind, only []protocol.CodeActionKind) bool {
	if len(only) == 0 {
		return true
	}
	for _, o := range only {
		if o == "" || kind == o || strings.HasPrefix(string(kind), string(o)+".") {
			return true
		}
	}
	return false
}

// textOf returns the current text of a document, and its path. It fails if the text is
// unknown, or too large to be parsed.
func (s *Server) textOf(ctx context.Context, u uri.URI) (text []byte, path string, err error) {
	if doc := s.documents.get(u); doc != nil {
		switch limit := s.project.Workspace.MaxFileBytes(); {
		case doc.outOfStep != "":
			return nil, "", fmt.Errorf("the text of %s is not known: %s; close the file and open it again", u, doc.outOfStep)
		case int64(doc.text.Len()) > limit:
			return nil, "", fmt.Errorf("%s has %d bytes, and the limit is %d; raise index.maxFileBytes", u, doc.text.Len(), limit)
		}
		return doc.text.Bytes(), doc.path, nil
	}
	file, err := s.project.Workspace.Read(ctx, filePath(u))
	if err != nil {
		return nil, "", err
	}
	return file.Text, file.Path, nil
}

// symbolAt returns the innermost symbol around a byte offset. It parses text, so the
// result matches the editor's text even if the index is outdated.
func symbolAt(path string, text []byte, offset int) (symbol syntax.Symbol, ok bool) {
	file, err := syntax.Parse(syntax.Detect(path, text), text)
	if err != nil {
		return symbol, false
	}
	for _, sym := range file.Symbols {
		start := sym.Start
		if sym.DocEnd > sym.DocStart {
			start = min(start, sym.DocStart)
		}
		if start <= offset && offset <= sym.End && (!ok || sym.End-sym.Start <= symbol.End-symbol.Start) {
			symbol, ok = sym, true
		}
	}
	return symbol, ok
}
