package lsp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session"
)

// showTurn shows a turn until it ends.
func (s *Server) showTurn(client *client, title string, started *session.Turn, transcript *project.Transcript) {
	ctx := s.baseContext
	progress := turnProgress{client.beginProgress(ctx, task{id: started.RequestID, title: "ploke: " + title, cancel: started.Stop})}
	events := client.ploke.Has(ploke.MethodEvent)
	send, from := func(project.Part) {}, transcript.From(0)
	if events {
		if start, ok := transcript.Publish(); ok {
			send, from = client.eventSender(transcript), start
		}
	}
	result := transcript.Follow(ctx, from, func(part project.Part) {
		progress.show(part)
		send(part)
	})
	if events || result == nil {
		return
	}
	if err := s.showAnswer(ctx, client, title, result); err != nil {
		client.showMessage(protocol.MessageTypeError, "ploke: the answer could not be shown: %v", err)
	}
}

// messageLimit is the maximum length, in bytes, of an answer that is shown as a message.
const messageLimit = 2000

// showAnswer shows a turn's answer with standard LSP requests: as a Markdown
// document, or as a message if the client can't open documents.
func (s *Server) showAnswer(ctx context.Context, client *client, title string, result *project.TurnResult) error {
	text := result.Text
	if result.Error != "" { // the turn failed, or reached a limit
		text = strings.TrimSpace(text + "\n\nThe turn ended early: " + result.Error)
	}
	if !client.profile.showDocument {
		client.showMessage(protocol.MessageTypeInfo, "%s", strings.ToValidUTF8(text[:min(len(text), messageLimit)], ""))
		return nil
	}
	folder := filepath.Join(s.options.StateDir, "answers")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	path := filepath.Join(folder, result.RequestID+".md")
	if err := os.WriteFile(path, fmt.Appendf(nil, "# %s\n\n%s", title, text), 0o600); err != nil {
		return err
	}
	focus := false
	return client.showDocument(ctx, &protocol.ShowDocumentParams{URI: uri.File(path), TakeFocus: &focus})
}
