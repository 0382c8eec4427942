package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/chatdoc"
	ploke "ploke-lsp/lsp/protocol"
)

// chatActions are the actions on the section of a chat document in which the cursor is.
func (s *Server) chatActions(_ context.Context, p *place) []action {
	c := s.chats.get(p.uri)
	if c == nil {
		return nil
	}
	_, conversation, _, ours := c.snapshot()
	d := chatdoc.Parse(string(p.text))
	d.Conversation = conversation // whatever the text says
	section, ok := d.At(p.start)
	if !ok {
		section, _ = d.Draft()
	}
	actions := sectionActions(p, d, section, ours)
	return append(actions, action{title: "ploke: new conversation", kind: kindSource, command: ploke.CommandChatNew, argument: ploke.ChatDocumentParams{URI: p.uri}})
}

// sectionActions are the actions on one section.
func sectionActions(p *place, d *chatdoc.Document, section chatdoc.Section, ours bool) []action {
	argument := ploke.ChatDocumentParams{URI: p.uri, Turn: section.Number, Trusted: !ours}
	send := action{title: "ploke: send", kind: kindRewrite, command: ploke.CommandChatSend, argument: argument}
	draft, isDraft := d.Draft()
	isDraft = isDraft && draft == section
	switch {
	case section.Speaker == chatdoc.Ploke && section.Detail == chatdoc.Answering:
		return []action{{title: "ploke: stop the answer", kind: kindQuickFix, command: ploke.CommandChatStop, argument: ploke.ChatStopParams{ConversationID: d.Conversation}}}
	case section.Speaker == chatdoc.Ploke:
		send.title, send.kind = "ploke: try again", kindQuickFix
		send.diagnostics = slices.DeleteFunc(slices.Clone(p.diagnostics), func(x protocol.Diagnostic) bool {
			source, _ := x.Source.Get()
			return source != diagnosticSource
		})
	case d.Text(section) == "" && d.IsChat:
		send.disabled = "write a message below the last heading"
	case !isDraft && d.IsChat:
		send.title = "ploke: send as a new branch"
	}
	if !ours && send.disabled == "" {
		send.title += " (this document was not written here)"
	}
	return []action{send}
}

// chatLenses are the commands above the sections of a chat document.
func (s *Server) chatLenses(_ context.Context, p *parsedDocument) (lenses []lens) {
	c := s.chats.get(p.uri)
	if c == nil {
		return nil
	}
	_, conversation, _, ours := c.snapshot()
	d := chatdoc.Parse(string(p.text))
	d.Conversation = conversation // whatever the text says
	for i, section := range d.Sections {
		if last := i == len(d.Sections)-1; !last && section.Detail != chatdoc.Answering && section.Speaker == chatdoc.Ploke {
			continue
		}
		for _, a := range sectionActions(&place{parsedDocument: p}, d, section, ours) {
			if a.disabled == "" {
				at := p.Position(section.Start)
				lenses = append(lenses, lens{at: protocol.Range{Start: at, End: at}, title: a.title, command: a.command, argument: a.argument})
			}
		}
	}
	return lenses
}
