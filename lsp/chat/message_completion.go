package chat

import (
	"context"
	"slices"
	"strings"
	"unicode/utf16"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/rpc"
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
	near     func(context.Context) *nearFiles
	actions  []ploke.ClientAction // that the client knows
	word     string               // behind the character that begins it
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

// commands returns the slash commands that begin with the word, and what the client does itself.
func (c *messageCompletion) commands() (list []ploke.ChatCompletion) {
	for _, command := range c.settings.SlashCommands().Commands {
		if strings.HasPrefix(command.Name, c.word) {
			list = append(list, ploke.ChatCompletion{
				Kind: ploke.CompletionCommand, Label: "/" + command.Name, Insert: "/" + command.Name,
				Matched: lettersFrom(1, len(c.word)),
				Detail:  display.Name(strings.TrimSpace(command.ArgumentHint + " " + command.Description)),
			})
		}
	}
	for _, a := range clientActions {
		if strings.HasPrefix(a.name, c.word) && slices.Contains(c.actions, a.action) {
			list = append(list, ploke.ChatCompletion{Kind: ploke.CompletionAction, Label: a.label, Detail: a.detail,
				Action: a.action, Matched: lettersFrom(strings.Index(a.label, a.name), len(c.word))})
		}
	}
	return list
}

// clientActions are what a client may do itself when it is chosen behind a slash, in the order in which they are
// offered, behind the commands.
var clientActions = []struct {
	action              ploke.ClientAction
	name, label, detail string // name is a part of label
}{
	{ploke.ActionNew, "new", "/new", "Begin a new conversation"},
	{ploke.ActionModel, "model", "/model", "Choose the model that answers"},
	{ploke.ActionHelp, "help", "/help", "Show what you can do here"},
	{ploke.ActionAddCommand, "", "Add a command…", "A text of your own behind a slash"},
}

// Complete completes the word before the cursor in an input of the client's own.
func (t *Turns) Complete(ctx context.Context, p *ploke.ChatCompleteParams) (*ploke.ChatCompleteResult, error) {
	c := &messageCompletion{project: t.Project, settings: t.Settings, near: t.nearFiles(p.ConversationID),
		actions: p.Actions}
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
