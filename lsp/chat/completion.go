package chat

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

var modelWord = lazyregexp.New(`^## You \d+ ·\s*(\S*)$`)

// Completion completes files, symbols, slash commands and models in what the person writes in a chat document.
func (ds *Documents) Completion(ctx context.Context, p *protocol.CompletionParams) (*protocol.CompletionList, error) {
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	text, d := ds.parsed(ctx, p.TextDocument)
	if d == nil {
		return list, nil
	}
	line, column := lineAt(text, p.Position)
	line = line[:min(max(column, 0), len(line))]
	r := &completionRequest{text: text, offset: text.Offset(p.Position), folderKind: ds.Client.FolderKind}
	c := &messageCompletion{project: ds.Project, settings: ds.Settings, near: ds.turns.nearFiles(d.Conversation)}
	rpc.Release(ctx)
	section, ok := d.At(r.offset)
	switch {
	case ok && section.Speaker != chatdoc.You:
	case c.endsWith(modelWord, line):
		list.Items = r.models(ctx, c)
	case r.offset >= section.Body: // also in a text without sections, all of which is the message
		items, err := c.complete(ctx, string(text.Text[section.Body:r.offset]))
		if err != nil {
			return nil, err
		}
		list.IsIncomplete = true
		for i, item := range items {
			completed := r.item(c.word, item)
			completed.SortText = protocol.NewOptional(fmt.Sprintf("%03d", i)) // the best first, also in the editor's list
			list.Items = append(list.Items, completed)
		}
	}
	return list, nil
}

// completionRequest is a place in a chat document.
type completionRequest struct {
	text       *document.Parsed
	offset     int // of the cursor
	folderKind protocol.CompletionItemKind
}

// item returns a completion that replaces the word with the character that begins it.
func (r *completionRequest) item(word string, c ploke.ChatCompletion) protocol.CompletionItem {
	start := r.offset - len(word) - 1
	item := protocol.CompletionItem{
		Label: c.Label, Kind: completionKinds[c.Kind], FilterText: protocol.NewOptional(string(r.text.Text[start]) + c.Label),
		TextEdit: &protocol.TextEdit{Range: r.text.Range(start, r.offset), NewText: c.Insert},
	}
	if c.Detail != "" {
		item.Detail = protocol.NewOptional(c.Detail)
	}
	switch c.Kind {
	case ploke.CompletionFolder:
		item.Kind = r.folderKind
	case ploke.CompletionCommand:
		item.FilterText = protocol.NewOptional(c.Label)
		item.TextEdit = &protocol.TextEdit{Range: r.text.Range(start, r.offset), NewText: c.Insert + " "}
	}
	return item
}

// models returns the models, which replace the word in a heading.
func (r *completionRequest) models(ctx context.Context, c *messageCompletion) (items []protocol.CompletionItem) {
	for _, m := range c.project.Models.List(ctx).Models {
		items = append(items, protocol.CompletionItem{
			Label: m.ID, Kind: protocol.CompletionItemKindValue, FilterText: protocol.NewOptional(m.ID),
			TextEdit: &protocol.TextEdit{Range: r.text.Range(r.offset-len(c.word), r.offset), NewText: m.ID},
		})
	}
	return items
}
