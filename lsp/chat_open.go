package lsp

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// askCommand asks a question. Without one it opens the chat document.
func (s *Server) askCommand(ctx context.Context, p *ploke.AskParams, words string) (*ploke.TurnStarted, error) {
	question := strings.TrimSpace(cmp.Or(p.Text, words))
	if question == "" {
		mentioned, err := s.mentionAttachment(ctx, p.Attachment)
		if err != nil {
			return nil, err
		}
		s.background.Afterwards(func(ctx context.Context) error { return s.openChat(ctx, mentioned) })
		return nil, nil
	}
	files := s.mentionedFiles(ctx, question)
	if p.Attachment != nil {
		files = append(files, *p.Attachment)
	}
	attachments, err := s.attachments(ctx, files)
	if err != nil {
		return nil, err
	}
	return s.startTurn(ctx, commandTurn{conversationID: p.ConversationID, text: question, title: shortTitle(question), attachments: attachments})
}

// askActions offer to ask about the selected lines of a file.
func (s *Server) askActions(_ context.Context, p *document.Place) []client.Action {
	if p.Start == p.End || !s.isWork(p.URI) {
		return nil
	}
	about := ploke.Attachment{URI: p.URI, Range: &p.Selection}
	return []client.Action{{Title: "ploke: ask about this…", Kind: client.KindRewrite, Command: ploke.CommandAsk, Argument: ploke.AskParams{Attachment: &about}}}
}

// mentionAttachment returns how a message mentions what is attached to it.
func (s *Server) mentionAttachment(ctx context.Context, a *ploke.Attachment) (string, error) {
	if a == nil {
		return "", nil
	}
	attached, err := s.attachments(ctx, []ploke.Attachment{*a})
	if err != nil {
		return "", err
	}
	rel := s.project.Workspace.Rel(attached[0].Path)
	if a.Range == nil {
		return "@" + rel, nil
	}
	return mentionOf(rel, attached[0].StartLine, attached[0].EndLine), nil
}

// openChat shows the chat document, which is created if needed. A mention is added to the message that
// the person is writing there.
func (s *Server) openChat(ctx context.Context, mentioned string) error {
	v := s.views.At(chatDocumentName)
	add := func(text string) []chatdoc.Edit { return addMention(text, mentioned) }
	if c := s.chats.get(v.URI); c != nil {
		if err := s.edit(ctx, c, add); err != nil {
			return err
		}
	} else if err := s.writeChat(add); err != nil {
		return err
	}
	if shown := v.Show(ctx, true); shown != document.ByShowDocument {
		s.client.ShowMessage(protocol.MessageTypeInfo, "ploke: write your message in %s, and send it with the code action \"ploke: send\"", v.Where(shown))
	}
	return nil
}

// writeChat writes the file of the chat document, which is not open. It keeps what the file has.
func (s *Server) writeChat(change func(text string) []chatdoc.Edit) error {
	v, text, err := s.views.Read(chatDocumentName)
	known := err == nil && s.knownTexts.has(v.Path, text)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text, known = chatdoc.Render(chatdoc.Conversation{}), true
	case err != nil:
		return err
	}
	next := chatdoc.Apply(text, change(text))
	if _, err := s.views.Write(chatDocumentName, next); err != nil {
		return err
	}
	if known {
		return s.knownTexts.add(v.Path, next)
	}
	return nil
}

// addMention adds a mention to the section for the next message.
func addMention(text, mentioned string) []chatdoc.Edit {
	d := chatdoc.Parse(text)
	draft, ok := d.Draft()
	if mentioned == "" || !ok || strings.Contains(d.Text(draft), mentioned) {
		return nil
	}
	end := d.TextEnd(draft)
	return []chatdoc.Edit{{Start: end, End: end, New: "\n" + mentioned + " "}}
}
