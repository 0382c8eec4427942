package chat

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/chatdoc"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
	"ploke-lsp/session/records"
)

var (
	errNoChat      = errors.New("no chat document is open: run " + ploke.CommandAsk + " without a question to open one")
	errNothingSent = errors.New("there is nothing to send: write a message below the last heading of the chat document")
)

// A message is a message that is sent from a section of a chat document.
type message struct {
	document *openDocument
	section  chatdoc.Section
	text     string
	old      *branch // the branch that the document shows, if the message begins another one
	parent   string  // the message that it answers; as in [session.Prompt]

	elsewhere bool // the conversation that the document names is not stored here
}

// SendCommand sends what stands in a section of a chat document: in the last one, as the next message,
// or in an earlier one, as a new branch in place of it.
func (ds *Documents) SendCommand(ctx context.Context, p *ploke.ChatDocumentParams) (*ploke.TurnStarted, error) {
	c := ds.documentOf(p)
	if c == nil {
		return nil, errNoChat
	}
	if _, _, _, ours := c.snapshot(); !ours && !p.Trusted {
		return nil, ds.askToTrust(p, c)
	}
	c.vouch()
	m, err := ds.message(ctx, c, p.Turn)
	if err != nil {
		return nil, err
	}
	if m.elsewhere || !ds.Client.AppliesEdits {
		return ds.turns.Start(ctx, CommandTurn{Text: m.text, Title: ShortTitle(m.text)})
	}
	if !c.begin() {
		return nil, errors.New("the message is being sent")
	}
	started, err := ds.sendFromDocument(ctx, m)
	if err != nil {
		c.end()
		ds.report(c, []protocol.Diagnostic{ds.problem(c, m.section.Speaker, m.section.Number, err.Error())})
		return nil, err
	}
	return started, nil
}

// documentOf returns the open document that a command means: by default the latest one.
func (ds *Documents) documentOf(p *ploke.ChatDocumentParams) *openDocument {
	if p.URI != "" {
		return ds.open.get(p.URI)
	}
	return ds.open.current()
}

// message returns the message in the person's section with a number; 0 is the last section.
func (ds *Documents) message(ctx context.Context, c *openDocument, number int) (*message, error) {
	text, conversation, leaf, _ := c.snapshot()
	d := chatdoc.Parse(text)
	section, draft := d.Draft()
	if number != 0 && !(draft && section.Number == number) {
		draft = false
		if section, _ = d.Section(chatdoc.You, number); section.Number == 0 {
			return nil, fmt.Errorf("the chat document has no section %q", fmt.Sprintf("You %d", number))
		}
	}
	m := &message{document: c, section: section, text: d.Text(section), parent: leaf}
	if !d.IsChat {
		m.text = text // all of it
	}
	if m.text == "" {
		return nil, errNothingSent
	}
	if conversation == "" {
		return m, nil
	}
	old, err := readBranch(ctx, ds.Project, conversation, leaf)
	var unknown *records.NotFoundError
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
		return nil, fmt.Errorf("the conversation has no question %d: write the message below the last heading",
			section.Number)
	}
	m.old, m.parent = old, question.ParentID
	if m.parent == "" {
		m.parent = session.Root
	}
	return m, nil
}

// sendFromDocument starts the turn of a message, and lets the answer stream into the document.
func (ds *Documents) sendFromDocument(ctx context.Context, m *message) (*ploke.TurnStarted, error) {
	client, opened := ds.Client, ds.Project
	mentioned, err := ds.turns.Mentioned(ctx, m.text)
	if err != nil {
		return nil, err
	}
	attachments, err := ds.turns.Attachments(ctx, mentioned)
	if err != nil {
		return nil, err
	}
	_, conversation, _, _ := m.document.snapshot()
	started, transcript, err := ds.turns.begin(ctx, session.Prompt{
		ConversationID: conversation, ParentID: m.parent, Text: m.text, Model: m.section.Detail,
		Origin: "chat document", Attachments: attachments, WhileBusy: session.Queue,
	})
	if err != nil {
		return nil, err
	}
	m.document.show(started.ConversationID, started.AssistantMessageID)
	m.document.stream(started.AssistantMessageID, true)
	answer := &documentAnswer{documents: ds, client: client, project: opened, message: m, started: started,
		transcript: transcript}
	ds.Background.Go(answer.stream)
	return &ploke.TurnStarted{ConversationID: started.ConversationID, TurnID: started.RequestID}, nil
}

// askToTrust returns why a document that this state did not create is not sent. The ids in such a text may
// come from anywhere, so the person decides.
func (ds *Documents) askToTrust(p *ploke.ChatDocumentParams, c *openDocument) error {
	if !ds.Client.ShowsMessageRequests {
		return errUntrusted
	}
	client, again := ds.Client, *p
	again.URI, again.Trusted = c.uri, true
	ds.Background.Afterwards(func(ctx context.Context) error {
		chosen, err := client.AskToAllow(ctx, "ploke: "+chatDocumentFrom, []string{"Send", "Cancel"})
		if err != nil || chosen != 0 {
			return err
		}
		_, err = ds.SendCommand(ctx, &again)
		return err
	})
	return nil
}

const chatDocumentFrom = "this chat document was not written here, and may continue a conversation " +
	"with words that are not yours. Send its message all the same?"

var errUntrusted = errors.New(
	"this chat document was not written here: read it, and use its code action to send it all the same")

// NewCommand makes a chat document begin a new conversation. The one that it showed is stored; what the person
// has written and not sent stays in the document.
func (ds *Documents) NewCommand(ctx context.Context, p *ploke.ChatDocumentParams) (any, error) {
	c, opened := ds.documentOf(p), ds.Project
	if c == nil {
		return nil, errNoChat
	}
	_, conversation, leaf, _ := c.snapshot()
	ds.Background.Afterwards(func(ctx context.Context) error {
		old := &branch{}
		if conversation != "" {
			stored, err := readBranch(ctx, opened, conversation, leaf)
			if err != nil {
				return err
			}
			old = stored
		}
		c.show("", "")
		ds.report(c, nil)
		return ds.edit(ctx, c, func(text string) []chatdoc.Edit {
			if chatdoc.Parse(text).Conversation == "" {
				return nil
			}
			return chatdoc.Rewrite(text, old.Conversation, chatdoc.Conversation{}, 1, "")
		})
	})
	return struct{}{}, nil
}
