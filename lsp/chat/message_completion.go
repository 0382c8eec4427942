package chat

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/index"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// maxCompletions is how many files, and how many symbols, are offered at once.
const maxCompletions = 50

var (
	fileWord    = lazyregexp.New(`(?:^|\s)@([^\s#]*)$`)
	symbolWord  = lazyregexp.New(`(?:^|\s)#([\w:.]*)$`)
	commandWord = lazyregexp.New(`^/([\pL\pN_-]*)$`)
)

// messageCompletion completes the word that a person writes in a message.
type messageCompletion struct {
	project  *project.Project
	settings *project.Settings
	word     string // behind the character that begins it
}

// complete returns what the last word of a message may become. The message ends at the cursor. The word with
// the character that begins it is what a completion replaces.
func (c *messageCompletion) complete(ctx context.Context, message string) ([]ploke.ChatCompletion, error) {
	line := message[strings.LastIndexByte(message, '\n')+1:]
	switch {
	case c.endsWith(fileWord, line):
		return c.files(ctx)
	case c.endsWith(commandWord, strings.TrimLeft(message, "\r\n")):
		return c.commands(), nil
	case c.endsWith(symbolWord, line):
		return c.symbols(ctx)
	}
	return nil, nil
}

// endsWith reports whether a text ends with a word of a form, and takes the word.
func (c *messageCompletion) endsWith(form *lazyregexp.Regexp, text string) bool {
	m := form.FindStringSubmatch(text)
	if m != nil {
		c.word = m[1]
	}
	return m != nil
}

// files returns the entries of the folder that is being typed, and then files elsewhere that the word may mean.
func (c *messageCompletion) files(ctx context.Context) (list []ploke.ChatCompletion, err error) {
	for _, w := range project.ContextWords {
		if c.word != "" && strings.HasPrefix(w.Word[1:], c.word) {
			list = append(list, ploke.ChatCompletion{Kind: ploke.CompletionCommand, Label: w.Word[1:], Insert: w.Word,
				Detail: w.Meaning})
		}
	}
	w := c.project.Workspace
	folder, prefix := path.Split(c.word)
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
			name := path.Base(e.Rel)
			if e.Skip == "" && len(list) < maxCompletions && strings.HasPrefix(strings.ToLower(name), strings.ToLower(prefix)) {
				list = append(list, entryCompletion(e))
			}
		}
	}
	found, err := c.filesElsewhere(ctx)
	for _, f := range found {
		known := slices.ContainsFunc(list, func(other ploke.ChatCompletion) bool { return other.Label == f.Label })
		if !known && len(list) < maxCompletions {
			list = append(list, f)
		}
	}
	return list, err
}

func entryCompletion(e workspace.Entry) ploke.ChatCompletion {
	if e.Dir {
		return fileCompletion(ploke.CompletionFolder, e.Path, e.Rel+"/")
	}
	return fileCompletion(ploke.CompletionFile, e.Path, e.Rel)
}

func fileCompletion(kind ploke.CompletionKind, path, rel string) ploke.ChatCompletion {
	return ploke.ChatCompletion{Kind: kind, Label: rel, Insert: "@" + rel,
		Attachment: &ploke.Attachment{URI: uri.File(path)}}
}

// filesElsewhere returns the files of the index whose paths fit the word, the best first.
func (c *messageCompletion) filesElsewhere(ctx context.Context) (list []ploke.ChatCompletion, err error) {
	if len(c.word) < 2 {
		return nil, nil // nearly all paths contain one letter
	}
	found, err := c.project.Index.Files(ctx, c.word, maxCompletions)
	for _, path := range found {
		list = append(list, fileCompletion(ploke.CompletionFile, path, c.project.Workspace.Rel(path)))
	}
	return list, err
}

// commands returns the slash commands that begin with the word.
func (c *messageCompletion) commands() (list []ploke.ChatCompletion) {
	for _, command := range c.settings.SlashCommands().Commands {
		if strings.HasPrefix(command.Name, c.word) {
			list = append(list, ploke.ChatCompletion{
				Kind: ploke.CompletionCommand, Label: "/" + command.Name, Insert: "/" + command.Name,
				Detail: display.Name(strings.TrimSpace(command.ArgumentHint + " " + command.Description)),
			})
		}
	}
	return list
}

// symbols returns the symbols that fit the word: those of this name, those whose names have its letters, and those
// that a search finds. They are written in backquotes, as in any Markdown.
func (c *messageCompletion) symbols(ctx context.Context) (list []ploke.ChatCompletion, err error) {
	x := c.project.Index
	exact, near, err := x.Lookup(ctx, index.LookupQuery{Name: c.word})
	if err != nil {
		return nil, err
	}
	fitting, err := x.Symbols(ctx, index.SymbolQuery{Text: c.word, Limit: maxCompletions})
	if err != nil {
		return nil, err
	}
	found, err := x.Search(ctx, index.Query{Text: c.word, Limit: maxCompletions})
	if err != nil {
		return nil, err
	}
	units := slices.Concat(exact, fitting, near)
	for _, hit := range found.Hits {
		units = append(units, hit.Unit)
	}
	seen := map[string]bool{}
	for _, u := range units {
		if seen[u.Canon] || u.Name == "" || len(list) == maxCompletions {
			continue
		}
		seen[u.Canon] = true
		lines := document.BetweenLines(u.StartLine, u.EndLine)
		list = append(list, ploke.ChatCompletion{
			Kind: ploke.CompletionSymbol, Label: u.Canon, Detail: display.Name(u.Rel), Insert: "`" + u.Canon + "`",
			Attachment: &ploke.Attachment{URI: uri.File(filepath.FromSlash(u.Path)), Range: &lines},
		})
	}
	return list, nil
}

// Complete completes the word before the cursor in an input of the client's own.
func (t *Turns) Complete(ctx context.Context, p *ploke.ChatCompleteParams) (*ploke.ChatCompleteResult, error) {
	c := &messageCompletion{project: t.Project, settings: t.Settings}
	rpc.Release(ctx)
	items, err := c.complete(ctx, p.Text)
	if err != nil {
		return nil, err
	}
	result := &ploke.ChatCompleteResult{Items: []ploke.ChatCompletion{}}
	if len(items) > 0 {
		result.Replace, result.Items = len(utf16.Encode([]rune(c.word)))+1, items
	}
	return result, nil
}

// completionKinds are LSP's kinds of completions. A folder's depends on the client.
var completionKinds = map[ploke.CompletionKind]protocol.CompletionItemKind{
	ploke.CompletionFile:    protocol.CompletionItemKindFile,
	ploke.CompletionSymbol:  protocol.CompletionItemKindReference,
	ploke.CompletionCommand: protocol.CompletionItemKindFunction,
}
