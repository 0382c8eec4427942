package chat

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/document"
)

// Open shows the chat document, which is created if needed. A mention is added to the message that
// the person is writing there.
func (ds *Documents) Open(ctx context.Context, mentioned string) error {
	v := ds.Views.At(documentName)
	add := func(text string) []chatdoc.Edit { return addMention(text, mentioned) }
	if c := ds.open.get(v.URI); c != nil {
		if err := ds.edit(ctx, c, add); err != nil {
			return err
		}
	} else if err := ds.writeFile(add); err != nil {
		return err
	}
	if shown := v.Show(ctx, true); shown != document.ByShowDocument {
		ds.Client.ShowMessage(protocol.MessageTypeInfo,
			"ploke: write in %s, then \"ploke: send\"", v.Where(shown))
	}
	return nil
}

// writeFile writes the file of the chat document, which is not open. It keeps what the file has.
func (ds *Documents) writeFile(change func(text string) []chatdoc.Edit) error {
	v, text, err := ds.Views.Read(documentName)
	known := err == nil && ds.known.has(v.Path, text)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text, known = chatdoc.Render(chatdoc.Conversation{}), true
	case err != nil:
		return err
	}
	next := chatdoc.Apply(text, change(text))
	if _, err := ds.Views.Write(documentName, next); err != nil {
		return err
	}
	if known {
		return ds.known.add(v.Path, next)
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
