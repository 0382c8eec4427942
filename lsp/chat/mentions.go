package chat

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"

	"ploke-lsp/internal/lazyregexp"
)

// mention is a file in a message, such as @lib/x.go or @lib/x.go#L10-L20.
var mention = lazyregexp.New(`(?:^|\s)@([^\s#]+[^\s#.,;:!?)])(?:#L(\d{1,9})(?:-L?(\d{1,9}))?)?`)

// mentionOf returns how a message mentions lines of a file.
func mentionOf(rel string, first, last int) string {
	text := "@" + rel + "#L" + strconv.Itoa(first)
	if last > first {
		text += "-L" + strconv.Itoa(last)
	}
	return text
}

// mentioned is a mention of what may be in the workspace.
type mentioned struct {
	text       string // with the @
	path       string // absolute
	attachment ploke.Attachment
}

// parseMentions returns the mentions in a message, each once.
func (t *Turns) parseMentions(text string) (list []mentioned) {
	seen := map[string]bool{}
	for _, m := range mention.FindAllStringSubmatch(text, -1) {
		word := strings.TrimSpace(m[0])
		path, err := t.Project.Workspace.Resolve(m[1])
		if err != nil || seen[word] {
			continue
		}
		seen[word] = true
		file := ploke.Attachment{URI: uri.File(path)}
		if first, err := strconv.Atoi(m[2]); err == nil {
			last, _ := strconv.Atoi(m[3])
			file.Range = &protocol.Range{
				Start: protocol.Position{Line: uint32(max(first, 1) - 1)},
				End:   protocol.Position{Line: uint32(max(first, last, 1) - 1)},
			}
		}
		list = append(list, mentioned{text: word, path: path, attachment: file})
	}
	return list
}

// MentionedFiles returns the files of the workspace that a message mentions. Other words behind an @ are just
// text.
func (t *Turns) MentionedFiles(ctx context.Context, text string) (files []ploke.Attachment) {
	for _, m := range t.parseMentions(text) {
		if _, err := t.Project.Workspace.Read(ctx, m.path); err == nil {
			files = append(files, m.attachment)
		}
	}
	return files
}

// Mentions returns what a message of a client with an input of its own mentions.
func (t *Turns) Mentions(ctx context.Context, p *ploke.ChatMentionsParams) (*ploke.ChatMentionsResult, error) {
	result := &ploke.ChatMentionsResult{Mentions: []ploke.ChatMention{}}
	for _, m := range t.parseMentions(p.Text) {
		if _, err := t.Project.Workspace.Read(ctx, m.path); errors.Is(err, fs.ErrNotExist) {
			continue // the word behind the @ is just text
		}
		found := ploke.ChatMention{Text: m.text, Attachment: m.attachment}
		var err error
		if found.Details, err = t.Attachment(ctx, &m.attachment); err != nil {
			found.Problem = err.Error()
		}
		result.Mentions = append(result.Mentions, found)
	}
	return result, nil
}

// MentionAttachment returns how a message mentions what is attached to it.
func (t *Turns) MentionAttachment(ctx context.Context, a *ploke.Attachment) (string, error) {
	if a == nil {
		return "", nil
	}
	attached, err := t.Attachments(ctx, []ploke.Attachment{*a})
	if err != nil {
		return "", err
	}
	rel := t.Project.Workspace.Rel(attached[0].Path)
	if a.Range == nil {
		return "@" + rel, nil
	}
	return mentionOf(rel, attached[0].StartLine, attached[0].EndLine), nil
}
