package lsp

import (
	"context"
	"errors"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
)

// chatTopic is the topic of the diagnostics in chat documents.
const chatTopic document.Topic = "chat"

// followChat keeps up with a chat document.
func (s *Server) followChat(e document.Event) {
	switch e.Kind {
	case document.Opened:
		s.chatOpened(e.After)
	case document.Changed:
		s.chats.changed(e.Before, e.After, e.Changes, s.client.Encoding)
	default:
		s.chats.closed(e.URI)
	}
}

// chatOpened takes a document that is open from now on. A chat document is brought up to date.
func (s *Server) chatOpened(doc *document.Document) {
	if !isChatDocument(doc.URI) {
		return
	}
	c := s.chats.opened(doc, func(text string) bool { return s.knownTexts.has(doc.Path, text) })
	s.background.Go(func() { c.known() }) // it reads a file, and the next message does not wait for it
	if c.conversation != "" && s.client.AppliesEdits {
		s.background.Go(func() {
			s.showNewest(s.background.Context(), c)
			s.refreshChat(s.background.Context(), c.uri)
		})
	}
}

// showNewest makes a document that is opened show what came behind the last message that it names. Its first
// line may be older than the conversation.
func (s *Server) showNewest(ctx context.Context, c *chatDocument) {
	_, conversation, leaf, _ := c.snapshot()
	messages, err := s.project.Engine.History(ctx, conversation, "")
	if err != nil || len(messages) == 0 {
		return
	}
	if leaf == "" || slices.ContainsFunc(messages, func(m session.Message) bool { return m.ID == leaf }) {
		c.follow(leaf, messages[len(messages)-1].ID)
	}
}

// refreshChat adds to an open chat document what its conversation has and it lacks, and shows how its last
// turn ended.
func (s *Server) refreshChat(ctx context.Context, u uri.URI) {
	c := s.chats.get(u)
	if c == nil {
		return
	}
	_, conversation, leaf, _ := c.snapshot()
	if conversation == "" {
		return
	}
	view, err := readChat(ctx, s.project, conversation, leaf)
	var unknown *session.NotFoundError
	if errors.As(err, &unknown) { // it comes from elsewhere
		return
	}
	if err == nil {
		c.hideStreamed(view)
		err = s.edit(ctx, c, func(text string) []chatdoc.Edit { // called with the lock held
			if c.conversation != conversation || c.leaf != leaf {
				return nil // the next message has been sent, which the view does not have
			}
			return chatdoc.Update(text, view.Conversation)
		})
	}
	if err != nil {
		if ctx.Err() == nil {
			s.log.Info("a chat document is not brought up to date", "error", err)
		}
		return
	}
	s.reportChat(c, s.turnProblems(c, view))
}

// turnProblems returns a diagnostic for the last answer if it failed.
func (s *Server) turnProblems(c *chatDocument, v *chatView) []protocol.Diagnostic {
	n := len(v.Turns)
	answer, ok := v.answer(n)
	if !ok || answer.Status == session.Completed && answer.Error == "" || answer.Status == session.Pending {
		return nil
	}
	why := answer.Error
	if why == "" {
		why = "the answer was " + string(answer.Status)
	}
	return []protocol.Diagnostic{s.chatProblem(c, chatdoc.Ploke, n, why)}
}

// chatProblem returns a diagnostic at the heading of a section.
func (s *Server) chatProblem(c *chatDocument, speaker chatdoc.Speaker, number int, message string) protocol.Diagnostic {
	text, _, _, _ := c.snapshot()
	section, _ := chatdoc.Parse(text).Section(speaker, number)
	m := ploke.NewMapper([]byte(text), s.client.Encoding)
	start := m.Position(section.Start)
	line, _ := m.Lines(int(start.Line)+1, int(start.Line)+1)
	return protocol.Diagnostic{Range: line, Severity: protocol.DiagnosticSeverityError, Message: protocol.String(message)}
}

// reportChat shows the problems of a chat document in place of earlier ones.
func (s *Server) reportChat(c *chatDocument, problems []protocol.Diagnostic) {
	s.published.Set(c.uri, chatTopic, problems)
}

// chatSaved remembers the text of a chat document that is saved, if somebody vouches for it.
func (s *Server) chatSaved(u uri.URI) {
	c := s.chats.get(u)
	if c == nil {
		return
	}
	if text, _, _, ours := c.snapshot(); ours {
		if err := s.knownTexts.add(c.path, text); err != nil {
			s.log.Warn("a chat document will not be known as our own", "error", err)
		}
	}
}
