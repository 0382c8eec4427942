package lsp

import (
	"context"
	"path"
	"regexp"
	"strings"

	"go.lsp.dev/protocol"

	"ploke-lsp/index"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/chatdoc"
)

// maxCompletions is how many files, and how many symbols, are offered at once.
const maxCompletions = 50

var (
	fileWord    = regexp.MustCompile(`(?:^|\s)@([^\s#]*)$`)
	symbolWord  = regexp.MustCompile(`(?:^|\s)#([\w:.]*)$`)
	commandWord = regexp.MustCompile(`^/([\w-]*)$`)
	modelWord   = regexp.MustCompile(`^## You \d+ ·\s*(\S*)$`)
)

// completionRequest is a word of a chat document that is being typed.
type completionRequest struct {
	text   *parsedDocument
	offset int    // of the cursor
	word   string // before the cursor, without the character that begins it
}

// item returns a completion that replaces the word and so many bytes before it.
func (r *completionRequest) item(label string, kind protocol.CompletionItemKind, before int, text string) protocol.CompletionItem {
	start := r.offset - len(r.word) - before
	return protocol.CompletionItem{
		Label: label, Kind: kind,
		FilterText: protocol.NewOptional(string(r.text.text[start:start+before]) + label),
		TextEdit:   &protocol.TextEdit{Range: r.text.Range(start, r.offset), NewText: text},
	}
}

// completion completes files, symbols, slash commands and models in what the person writes in a chat document.
func (s *Server) completion(ctx context.Context, p *protocol.CompletionParams) (*protocol.CompletionList, error) {
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	text, d := s.parsedChat(ctx, p.TextDocument)
	if d == nil {
		return list, nil
	}
	line, column := lineAt(text, p.Position)
	line = line[:min(max(column, 0), len(line))]
	r := &completionRequest{text: text, offset: text.Offset(p.Position)}
	project, settings, folderKind := s.project, s.configuration.settings, s.client.folderKind
	release(ctx)
	section, ok := d.At(r.offset)
	if ok && section.Speaker != chatdoc.You {
		return list, nil
	}
	switch {
	case r.begins(fileWord, line):
		list.IsIncomplete = true
		list.Items = r.files(ctx, project.Workspace, folderKind)
	case r.begins(modelWord, line):
		for _, m := range project.Models.List(ctx).Models {
			list.Items = append(list.Items, r.item(m.ID, protocol.CompletionItemKindValue, 0, m.ID))
		}
	case r.begins(commandWord, line) && ok && strings.TrimSpace(string(text.text[section.Body:r.offset])) == line:
		for _, c := range settings.SlashCommands().Commands {
			item := r.item("/"+c.Name, protocol.CompletionItemKindFunction, 1, "/"+c.Name+" ")
			item.Detail = protocol.NewOptional(display.Name(strings.TrimSpace(c.ArgumentHint + " " + c.Description)))
			item.FilterText = protocol.NewOptional("/" + c.Name)
			list.Items = append(list.Items, item)
		}
	case r.begins(symbolWord, line):
		list.IsIncomplete = true
		return list, r.symbols(ctx, project.Index, list)
	}
	return list, nil
}

// begins reports whether a line up to the cursor ends with a word of a form, and takes the word.
func (r *completionRequest) begins(form *regexp.Regexp, line string) bool {
	m := form.FindStringSubmatch(line)
	if m != nil {
		r.word = m[1]
	}
	return m != nil
}

// files returns the entries of the folder that is being typed. A folder is completed with a slash, so that its
// entries follow.
func (r *completionRequest) files(ctx context.Context, w *workspace.Workspace, folderKind protocol.CompletionItemKind) (items []protocol.CompletionItem) {
	folder, prefix := path.Split(r.word)
	folders := []string{folder}
	if folder == "" {
		folders = w.Roots()
	}
	for _, folder := range folders {
		entries, err := w.List(ctx, folder, 1)
		if err != nil {
			continue // it is being typed
		}
		for _, e := range entries {
			name, kind := path.Base(e.Rel), protocol.CompletionItemKindFile
			if e.Skip != "" || len(items) == maxCompletions || !strings.HasPrefix(strings.ToLower(name), strings.ToLower(prefix)) {
				continue
			}
			rel := e.Rel
			if e.Dir {
				rel, kind = rel+"/", folderKind
			}
			items = append(items, r.item(rel, kind, 1, "@"+rel))
		}
	}
	return items
}

// symbols adds the symbols that fit the word. They are written in backquotes, as in any Markdown.
func (r *completionRequest) symbols(ctx context.Context, x *index.Index, list *protocol.CompletionList) error {
	exact, near, err := x.Lookup(ctx, index.LookupQuery{Name: r.word})
	if err != nil {
		return err
	}
	found, err := x.Search(ctx, index.Query{Text: r.word, Limit: maxCompletions})
	if err != nil {
		return err
	}
	units := append(exact[:min(len(exact), maxCompletions)], near...)
	for _, hit := range found.Hits {
		units = append(units, hit.Unit)
	}
	seen := map[string]bool{}
	for _, u := range units {
		if seen[u.Canon] || u.Name == "" {
			continue
		}
		seen[u.Canon] = true
		item := r.item(u.Canon, protocol.CompletionItemKindReference, 1, "`"+u.Canon+"`")
		item.Detail = protocol.NewOptional(display.Name(u.Rel))
		list.Items = append(list.Items, item)
	}
	return nil
}
