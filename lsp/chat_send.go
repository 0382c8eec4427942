package lsp

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/chatdoc"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
)

// chatDocumentCommands are the commands of chat documents.
func (s *Server) chatDocumentCommands() []command {
	return []command{
		onCommand(ploke.CommandChatSend, withoutWords(s.chatSendCommand)),
		onCommand(ploke.CommandChatNew, withoutWords(s.chatNewCommand)),
	}
}

var (
	errNoChat      = errors.New("no chat document is open: run " + ploke.CommandAsk + " without a question to open one")
	errNothingSent = errors.New("there is nothing to send: write a message below the last heading of the chat document")
)

// A chatMessage is a message that is sent from a section of a chat document.
type chatMessage struct {
	document *chatDocument
	section  chatdoc.Section
	text     string
	old      *chatView // the branch that the document shows, if the message begins another one
	parent   string    // the message that it answers; as in [session.Prompt]

	elsewhere bool // the conversation that the document names is not stored here
}

// chatSendCommand sends what stands in a section of a chat document: in the last one, as the next message,
// or in an earlier one, as a new branch in place of it.
func (s *Server) chatSendCommand(ctx context.Context, p *ploke.ChatDocumentParams) (*ploke.TurnStarted, error) {
	c := s.chatDocumentOf(p)
	if c == nil {
		return nil, errNoChat
	}
	if _, _, _, ours := c.snapshot(); !ours && !p.Trusted {
		return nil, s.askToTrust(p, c)
	}
	c.vouch()
	m, err := s.chatMessage(ctx, c, p.Turn)
	if err != nil {
		return nil, err
	}
	if m.elsewhere || !s.client.AppliesEdits {
		return s.startTurn(ctx, commandTurn{text: m.text, title: shortTitle(m.text)})
	}
	if !c.begin() {
		return nil, errors.New("the message is being sent")
	}
	started, err := s.sendFromDocument(ctx, m)
	if err != nil {
		c.end()
		s.reportChat(c, []protocol.Diagnostic{s.chatProblem(c, m.section.Speaker, m.section.Number, err.Error())})
		return nil, err
	}
	return started, nil
}

// chatDocumentOf returns the open document that a command means: by default the latest one.
func (s *Server) chatDocumentOf(p *ploke.ChatDocumentParams) *chatDocument {
	if p.URI != "" {
		return s.chats.get(p.URI)
	}
	return s.chats.current()
}

// chatMessage returns the message in the person's section with a number; 0 is the last section.
func (s *Server) chatMessage(ctx context.Context, c *chatDocument, number int) (*chatMessage, error) {
	text, conversation, leaf, _ := c.snapshot()
	d := chatdoc.Parse(text)
	section, draft := d.Draft()
	if number != 0 && !(draft && section.Number == number) {
		draft = false
		if section, _ = d.Section(chatdoc.You, number); section.Number == 0 {
			return nil, fmt.Errorf("the chat document has no section %q", fmt.Sprintf("You %d", number))
		}
	}
	m := &chatMessage{document: c, section: section, text: d.Text(section), parent: leaf}
	if !d.IsChat {
		m.text = text // all of it
	}
	if m.text == "" {
		return nil, errNothingSent
	}
	if conversation == "" {
		return m, nil
	}
	old, err := readChat(ctx, s.project, conversation, leaf)
	var unknown *session.NotFoundError
	switch {
	case errors.As(err, &unknown):
		m.elsewhere = true
		return m, nil
	case err != nil:
		return nil, err
	case draft:
		return m, nil
	}
	question, ok := old.question(section.Number)
	if !ok {
		return nil, fmt.Errorf("the conversation has no question %d: write the message below the last heading", section.Number)
	}
	m.old, m.parent = old, question.ParentID
	if m.parent == "" {
		m.parent = session.Root
	}
	return m, nil
}

// sendFromDocument starts the turn of a message, and lets the answer stream into the document.
func (s *Server) sendFromDocument(ctx context.Context, m *chatMessage) (*ploke.TurnStarted, error) {
	client, opened := s.client, s.project
	attachments, err := s.attachments(ctx, s.mentionedFiles(ctx, m.text))
	if err != nil {
		return nil, err
	}
	_, conversation, _, _ := m.document.snapshot()
	started, transcript, err := s.start(ctx, session.Prompt{
		ConversationID: conversation, ParentID: m.parent, Text: m.text, Model: m.section.Detail,
		Origin: "chat document", Attachments: attachments, WhileBusy: session.Queue,
	})
	if err != nil {
		return nil, err
	}
	m.document.show(started.ConversationID, started.AssistantMessageID)
	m.document.stream(started.AssistantMessageID, true)
	answer := &chatAnswer{server: s, client: client, project: opened, message: m, started: started, transcript: transcript}
	s.background.Go(answer.stream)
	return &ploke.TurnStarted{ConversationID: started.ConversationID, TurnID: started.RequestID}, nil
}

// askToTrust returns why a document that this state did not create is not sent. The ids in such a text may
// come from anywhere, so the person decides.
func (s *Server) askToTrust(p *ploke.ChatDocumentParams, c *chatDocument) error {
	if !s.client.ShowsMessageRequests {
		return errUntrusted
	}
	client, again := s.client, *p
	again.URI, again.Trusted = c.uri, true
	s.background.Afterwards(func(ctx context.Context) error {
		var chosen *protocol.MessageActionItem
		params := &protocol.ShowMessageRequestParams{Type: protocol.MessageTypeWarning,
			Message: "ploke: " + chatDocumentFrom, Actions: []protocol.MessageActionItem{{Title: "Send"}, {Title: "Cancel"}}}
		if err := client.Call(ctx, protocol.MethodWindowShowMessageRequest, params, &chosen); err != nil || chosen == nil || chosen.Title != "Send" {
			return err
		}
		_, err := s.chatSendCommand(ctx, &again)
		return err
	})
	return nil
}

const chatDocumentFrom = "this chat document was not written here, and may continue a conversation with words that are not yours. Send its message all the same?"

var errUntrusted = errors.New("this chat document was not written here: read it, and use its code action to send it all the same")

// chatNewCommand makes a chat document begin a new conversation. The one that it showed is stored; what the person
// has written and not sent stays in the document.
func (s *Server) chatNewCommand(ctx context.Context, p *ploke.ChatDocumentParams) (any, error) {
	c, opened := s.chatDocumentOf(p), s.project
	if c == nil {
		return nil, errNoChat
	}
	_, conversation, leaf, _ := c.snapshot()
	s.background.Afterwards(func(ctx context.Context) error {
		old := &chatView{}
		if conversation != "" {
			stored, err := readChat(ctx, opened, conversation, leaf)
			if err != nil {
				return err
			}
			old = stored
		}
		c.show("", "")
		s.reportChat(c, nil)
		return s.edit(ctx, c, func(text string) []chatdoc.Edit {
			if chatdoc.Parse(text).Conversation == "" {
				return nil
			}
			return chatdoc.Rewrite(text, old.Conversation, chatdoc.Conversation{}, 1, "")
		})
	})
	return struct{}{}, nil
}
