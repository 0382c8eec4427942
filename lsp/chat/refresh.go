package chat

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/records"
)

// topic is the topic of the diagnostics in chat documents.
const topic document.Topic = "chat"

// Follow keeps up with a chat document.
func (ds *Documents) Follow(e document.Event) {
	switch e.Kind {
	case document.Opened:
		ds.opened(e.After)
	case document.Changed:
		ds.open.changed(e.Before, e.After, e.Changes, ds.Client.Encoding)
	default:
		ds.open.closed(e.URI)
	}
}

// opened takes a document that is open from now on. A chat document is brought up to date.
func (ds *Documents) opened(doc *document.Document) {
	if !IsDocument(doc.URI) {
		return
	}
	c := ds.open.opened(doc, func(text string) bool { return ds.known.has(doc.Path, text) })
	ds.Background.Go(func() { c.known() }) // it reads a file, and the next message does not wait for it
	if c.conversation != "" && ds.Client.AppliesEdits {
		ds.Background.Go(func() {
			ds.showNewest(ds.Background.Context(), c)
			ds.refresh(ds.Background.Context(), c.uri)
		})
	}
}

// NoteEvent brings the documents of a conversation up to date if something else is known of a proposal of it, unless
// the client asks its person about each edit.
func (ds *Documents) NoteEvent(event bus.Event) {
	checked, ok := event.(bus.ProposalChecked)
	if !ok || !ds.Client.AppliesEdits || ds.Client.ConfirmsEdits {
		return
	}
	for _, c := range ds.open.ofConversation(checked.ConversationID) {
		ds.Background.Go(func() { ds.refresh(ds.Background.Context(), c.uri) })
	}
}

// showNewest makes a document that is opened show what came behind the last message that it names. Its first
// line may be older than the conversation.
func (ds *Documents) showNewest(ctx context.Context, c *openDocument) {
	_, conversation, leaf, _ := c.snapshot()
	messages, err := ds.Project.Engine.History(ctx, conversation, "")
	if err != nil || len(messages) == 0 {
		return
	}
	if leaf == "" || slices.ContainsFunc(messages, func(m records.Message) bool { return m.ID == leaf }) {
		c.follow(leaf, messages[len(messages)-1].ID)
	}
}

// refresh adds to an open chat document what its conversation has and it lacks, and shows how its last
// turn ended.
func (ds *Documents) refresh(ctx context.Context, u uri.URI) {
	c := ds.open.get(u)
	if c == nil {
		return
	}
	_, conversation, leaf, _ := c.snapshot()
	if conversation == "" {
		return
	}
	view, err := readBranch(ctx, ds.Project, conversation, leaf)
	var unknown *records.NotFoundError
	if errors.As(err, &unknown) { // it comes from elsewhere
		return
	}
	if err == nil {
		c.hideStreamed(view)
		err = ds.edit(ctx, c, func(text string) []chatdoc.Edit { return c.update(text, view.Conversation, leaf) })
	}
	if err != nil {
		if ctx.Err() == nil {
			ds.Log.Info("a chat document is not brought up to date", "error", err)
		}
		return
	}
	ds.report(c, ds.turnProblems(c, view))
}

// update returns the edits that make a text show what a conversation has, as it was up to a leaf, and the text lacks.
// It is called with the lock held.
func (c *openDocument) update(text string, view chatdoc.Conversation, leaf string) []chatdoc.Edit {
	switch {
	case c.conversation != view.ID || c.leaf != leaf:
		return nil // the next message has been sent, which the view does not have
	case c.starting:
		return nil // the message that is being sent brings the rest with it, in one edit where the person is asked
	}
	return chatdoc.Update(text, view)
}

// turnProblems returns a diagnostic for the last answer if it failed.
func (ds *Documents) turnProblems(c *openDocument, v *branch) []protocol.Diagnostic {
	n := len(v.Turns)
	answer, ok := v.answer(n)
	if !ok || answer.Status == records.Completed && answer.Error == "" || answer.Status == records.Pending {
		return nil
	}
	why := cmp.Or(answer.Error, "the answer was "+string(answer.Status))
	return []protocol.Diagnostic{ds.problem(c, chatdoc.Ploke, n, why)}
}

// problem returns a diagnostic at the heading of a section.
func (ds *Documents) problem(c *openDocument, speaker chatdoc.Speaker, number int, message string) protocol.Diagnostic {
	text, _, _, _ := c.snapshot()
	section, _ := chatdoc.Parse(text).Section(speaker, number)
	m := ploke.NewMapper([]byte(text), ds.Client.Encoding)
	start := m.Position(section.Start)
	line, _ := m.Lines(int(start.Line)+1, int(start.Line)+1)
	return protocol.Diagnostic{Range: line, Severity: protocol.DiagnosticSeverityError, Message: protocol.String(message)}
}

// report shows the problems of a chat document in place of earlier ones.
func (ds *Documents) report(c *openDocument, problems []protocol.Diagnostic) {
	ds.Published.Set(c.uri, topic, problems)
}

// Saved remembers the text of a chat document that is saved, if a person vouches for it.
func (ds *Documents) Saved(u uri.URI) {
	c := ds.open.get(u)
	if c == nil {
		return
	}
	if text, _, _, ours := c.snapshot(); ours {
		if err := ds.known.add(c.path, text); err != nil {
			ds.Log.Warn("a chat document will not be known as our own", "error", err)
		}
	}
}
