package chat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"

	"ploke-lsp/index"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/lsp/document"
)

// mention is a file in a message, such as @lib/x.go or @lib/x.go#L10-L20, or a symbol, such as #Server.Run.
var mention = lazyregexp.New(`(?:^|\s)(?:@([^\s#]+[^\s#.,;:!?)])(?:#L(\d{1,9})(?:-L?(\d{1,9}))?)?|` +
	`#([\pL_](?:[\pL\pN_.:]*[\pL\pN_])?))`)

// mentionOf returns how a message mentions lines of a file.
func mentionOf(rel string, first, last int) string {
	text := "@" + rel + "#L" + strconv.Itoa(first)
	if last > first {
		text += "-L" + strconv.Itoa(last)
	}
	return text
}

// mentions returns the files, folders and symbols of the workspace that a message mentions, each once, and the words
// that look like a mention.
func (t *Turns) mentions(ctx context.Context, text string) (found []ploke.ChatMention, unknown []ploke.UnknownMention,
	err error) {
	seen := map[string]bool{}
	for _, m := range mention.FindAllStringSubmatch(text, -1) {
		word := strings.TrimSpace(m[0])
		if seen[word] {
			continue
		}
		seen[word] = true
		attached := t.mentionedFile(ctx, m[1], m[2], m[3])
		other := ploke.UnknownMention{Text: word}
		switch {
		case m[4] != "":
			attached, err = t.mentionedSymbol(ctx, m[4], &other)
		case attached == nil && !t.standsForOther(word):
			err = t.filesNamed(ctx, m[1], &other)
		}
		switch {
		case err != nil:
			return nil, nil, err
		case attached != nil:
			found = append(found, ploke.ChatMention{Text: word, Attachment: *attached})
		case other.Reason != "":
			unknown = append(unknown, other)
		}
	}
	return found, unknown, nil
}

// standsForOther reports whether a word stands for what is not a file by its name.
func (t *Turns) standsForOther(word string) bool {
	return t.Project.KnowsContextWord(word) ||
		slices.ContainsFunc(placeWords, func(w placeWord) bool { return w.word == word })
}

// mentionedFile returns a file or a folder with the lines that a message names; nil if there is none.
func (t *Turns) mentionedFile(ctx context.Context, name, from, to string) *ploke.Attachment {
	if name == "" {
		return nil
	}
	path, err := t.Project.Workspace.Resolve(name)
	if err != nil {
		return nil
	}
	if _, err := t.Project.Workspace.Read(ctx, path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	file := &ploke.Attachment{URI: uri.File(path)}
	if first, err := strconv.Atoi(from); err == nil {
		last, _ := strconv.Atoi(to)
		file.Range = &protocol.Range{
			Start: protocol.Position{Line: uint32(max(first, 1) - 1)},
			End:   protocol.Position{Line: uint32(max(first, last, 1) - 1)},
		}
	}
	return file
}

// filesNamed says which files in folders have a name.
func (t *Turns) filesNamed(ctx context.Context, name string, other *ploke.UnknownMention) error {
	similar, err := t.Project.Index.Files(ctx, name, maxCompletions)
	if err != nil {
		return err
	}
	other.Reason = "no file or folder has this name"
	for _, path := range similar {
		if rel := t.Project.Workspace.Rel(path); strings.HasSuffix(rel, "/"+name) {
			if other.Count++; other.Count == 1 {
				other.Reason = "it may be " + rel
			}
		}
	}
	return nil
}

// declarations returns the units but for what adds to a type, titles of tests and headings; these if there is nothing
// else.
func declarations(units []index.Unit) []index.Unit {
	declared := slices.DeleteFunc(slices.Clone(units), func(u index.Unit) bool {
		return u.Kind == syntax.KindImpl || u.Kind == syntax.KindTest || u.Kind == syntax.KindSection
	})
	if len(declared) == 0 {
		return units
	}
	return declared
}

// mentionedSymbol returns the lines of the only declaration with a name, or says why there are none.
func (t *Turns) mentionedSymbol(ctx context.Context, name string, other *ploke.UnknownMention) (*ploke.Attachment,
	error) {
	if err := t.Project.IndexUnsaved(ctx); err != nil {
		return nil, err
	}
	found, _, err := t.Project.Index.Lookup(ctx, index.LookupQuery{Name: name})
	if err != nil {
		return nil, err
	}
	found = declarations(found)
	switch other.Count = len(found); other.Count {
	case 0:
		other.Reason = "no symbol has this name"
	case 1:
		at := document.BetweenLines(found[0].StartLine, found[0].EndLine)
		return &ploke.Attachment{URI: uri.File(found[0].Path), Range: &at}, nil
	default:
		other.Reason = fmt.Sprintf("%d symbols have this name, such as %s in %s", len(found), found[0].Canon, found[0].Rel)
	}
	return nil, nil
}

// Mentioned returns what of the workspace a message mentions. Other words behind an @ or a # are just text.
func (t *Turns) Mentioned(ctx context.Context, text string) (list []ploke.Attachment, err error) {
	found, _, err := t.mentions(ctx, text)
	for _, m := range found {
		list = append(list, m.Attachment)
	}
	return list, err
}

// Mentions returns what a message of a client with an input of its own mentions.
func (t *Turns) Mentions(ctx context.Context, p *ploke.ChatMentionsParams) (*ploke.ChatMentionsResult, error) {
	rpc.Release(ctx)
	found, unknown, err := t.mentions(ctx, p.Text)
	if err != nil {
		return nil, err
	}
	for i, m := range found {
		if found[i].Details, err = t.Attachment(ctx, &m.Attachment); err != nil {
			found[i].Problem = err.Error()
		}
	}
	return &ploke.ChatMentionsResult{Mentions: append([]ploke.ChatMention{}, found...), Unknown: unknown}, nil
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
	if at := attached[0].Cells; at != nil && at.FirstLine > 0 {
		return mentionOf(rel, at.FirstLine, at.LastLine), nil
	}
	return mentionOf(rel, attached[0].StartLine, attached[0].EndLine), nil
}
