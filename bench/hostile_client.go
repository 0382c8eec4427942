package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
)

// nestedArguments sends a command whose argument is a text in n lists. The text grows with them.
func (b *bench) nestedArguments(ctx context.Context, n int) (time.Duration, error) {
	return b.withServer(ctx, func(s *server, _ string) error {
		argument := strings.Repeat("[", n) + `"` + strings.Repeat("x", 200*n) + `"` + strings.Repeat("]", n)
		_, _ = s.conn.Call(ctx, protocol.MethodWorkspaceExecuteCommand,
			// it is refused
			&protocol.ExecuteCommandParams{Command: ploke.CommandAsk,
				Arguments: []protocol.LSPAny{protocol.LSPAny(argument)}}, nil)
		return nil
	})
}

// closedDocuments opens n documents and closes them.
func (b *bench) closedDocuments(ctx context.Context, n int) (time.Duration, error) {
	return b.withServer(ctx, func(s *server, dir string) error {
		var errs []error
		for i := range 2 * n {
			name := uri.File(filepath.Join(dir, fmt.Sprintf("open%d.go", i%n)))
			if i < n {
				errs = append(errs, s.conn.Notify(ctx, protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
					TextDocument: protocol.TextDocumentItem{URI: name, LanguageID: "go", Version: 1, Text: "package a\n"}}))
				continue
			}
			errs = append(errs, s.conn.Notify(ctx, protocol.MethodTextDocumentDidClose, &protocol.DidCloseTextDocumentParams{
				TextDocument: protocol.TextDocumentIdentifier{URI: name}}))
		}
		return errors.Join(errs...)
	})
}

// withServer returns how long the processor works for a server with which do does something: other load on the machine
// does not count, and the start of the server is the same whatever do does.
func (b *bench) withServer(ctx context.Context, do func(s *server, dir string) error) (took time.Duration, err error) {
	folder, err := b.oneFileTree("client")
	if err != nil {
		return 0, err
	}
	s, err := b.serve(ctx, folder)
	if err != nil {
		return 0, err
	}
	err = do(s, folder.dir)
	if err == nil { // what do has sent is served once the next request is
		_, err = s.conn.Call(ctx, protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: "a"}, nil)
	}
	if err := errors.Join(err, s.shutDown(ctx)); err != nil {
		return 0, err
	}
	return s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime(), nil
}
