package chat

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// Actions are the actions on the section of a chat document in which the cursor is.
func (ds *Documents) Actions(_ context.Context, p *document.Place) []client.Action {
	c := ds.open.get(p.URI)
	if c == nil {
		return nil
	}
	_, conversation, _, ours := c.snapshot()
	d := chatdoc.Parse(string(p.Text))
	d.Conversation = conversation // whatever the text says
	section, ok := d.At(p.Start)
	if !ok {
		section, _ = d.Draft()
	}
	actions := sectionActions(p, d, section, ours)
	return append(actions,
		client.Action{Title: "ploke: new conversation", Kind: client.KindSource, Command: ploke.CommandChatNew,
			Argument: ploke.ChatDocumentParams{URI: p.URI}})
}

// ownDiagnostics returns the server's own ones.
func ownDiagnostics(all []protocol.Diagnostic) []protocol.Diagnostic {
	return slices.DeleteFunc(slices.Clone(all), func(x protocol.Diagnostic) bool {
		source, _ := x.Source.Get()
		return source != document.DiagnosticSource
	})
}

// sectionActions are the actions on one section.
func sectionActions(p *document.Place, d *chatdoc.Document, section chatdoc.Section, ours bool) []client.Action {
	argument := ploke.ChatDocumentParams{URI: p.URI, Turn: section.Number, Trusted: !ours}
	send := client.Action{Title: "ploke: send", Kind: client.KindRewrite, Command: ploke.CommandChatSend,
		Argument: argument}
	draft, isDraft := d.Draft()
	isDraft = isDraft && draft == section
	switch {
	case section.Speaker == chatdoc.Ploke && section.Detail == chatdoc.Answering:
		return []client.Action{{Title: "ploke: stop the answer", Kind: client.KindQuickFix,
			Command: ploke.CommandChatStop, Argument: ploke.ChatStopParams{ConversationID: d.Conversation}}}
	case section.Speaker == chatdoc.Ploke:
		send.Title, send.Kind = "ploke: try again", client.KindQuickFix
		send.Diagnostics = ownDiagnostics(p.Diagnostics)
	case d.Text(section) == "" && d.IsChat:
		send.Disabled = "write a message below the last heading"
	case !isDraft && d.IsChat:
		send.Title = "ploke: send as a new branch"
	}
	if !ours && send.Disabled == "" {
		send.Title += " (this document was not written here)"
	}
	return []client.Action{send}
}

// Lenses are the commands above the sections of a chat document.
func (ds *Documents) Lenses(_ context.Context, p *document.Parsed) (lenses []client.Lens) {
	c := ds.open.get(p.URI)
	if c == nil {
		return nil
	}
	_, conversation, _, ours := c.snapshot()
	d := chatdoc.Parse(string(p.Text))
	d.Conversation = conversation // whatever the text says
	for i, section := range d.Sections {
		if last := i == len(d.Sections)-1; !last && section.Detail != chatdoc.Answering && section.Speaker == chatdoc.Ploke {
			continue
		}
		for _, a := range sectionActions(&document.Place{Parsed: p}, d, section, ours) {
			if a.Disabled == "" {
				at := p.Position(section.Start)
				lenses = append(lenses,
					client.Lens{At: protocol.Range{Start: at, End: at}, Title: a.Title, Command: a.Command, Argument: a.Argument})
			}
		}
	}
	return lenses
}
