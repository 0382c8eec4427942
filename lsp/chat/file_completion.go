package chat

import (
	"context"
	"path"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	"ploke-lsp/internal/workspace"
	ploke "ploke-lsp/lsp/protocol"
)

// maxOffered is how many of the near files are offered before anything is typed.
const maxOffered = 10

// files returns what the word behind an @ may become: files that are near, words that stand for what is no file, the
// entries of the folder that is being typed, and files elsewhere that the word may mean.
func (c *messageCompletion) files(ctx context.Context) ([]ploke.ChatCompletion, error) {
	list := &fileList{word: c.word}
	c.addNear(ctx, list)
	c.addContextWords(list)
	c.addEntries(ctx, list)
	if len(c.word) < 2 {
		return list.items, nil // nearly all paths contain one letter
	}
	found, err := c.project.Index.Files(ctx, c.word, maxCompletions)
	for _, path := range found {
		list.add(fileCompletion(ploke.CompletionFile, path, c.project.Workspace.Rel(path)))
	}
	return list.items, err
}

// fileList is a list of completions, each once.
type fileList struct {
	word  string
	items []ploke.ChatCompletion
}

func (l *fileList) add(item ploke.ChatCompletion) {
	if len(l.items) == maxCompletions ||
		slices.ContainsFunc(l.items, func(other ploke.ChatCompletion) bool { return other.Insert == item.Insert }) {
		return
	}
	item.Matched = matchedLetters(item.Label, l.word)
	l.items = append(l.items, item)
}

// addNear adds the files that are near. One letter must begin a name.
func (c *messageCompletion) addNear(ctx context.Context, list *fileList) {
	w := c.project.Workspace
	for _, file := range c.near(ctx).paths {
		rel := w.Rel(file)
		if c.word == "" && len(list.items) == maxOffered {
			return
		}
		fits := c.word == "" || matchedLetters(rel, c.word) != nil
		if len(c.word) == 1 {
			fits = strings.HasPrefix(strings.ToLower(path.Base(rel)), strings.ToLower(c.word))
		}
		if _, err := w.Read(ctx, file); fits && err == nil { // what is ignored, or elsewhere, can't be attached
			list.add(fileCompletion(ploke.CompletionFile, file, rel))
		}
	}
}

func (c *messageCompletion) addContextWords(list *fileList) {
	for _, w := range c.project.ContextWords() {
		if strings.HasPrefix(w.Word[1:], c.word) {
			list.add(ploke.ChatCompletion{Kind: ploke.CompletionCommand, Label: w.Word[1:], Insert: w.Word,
				Detail: w.Meaning})
		}
	}
	for _, w := range placeWords {
		if strings.HasPrefix(w.word[1:], c.word) {
			list.add(ploke.ChatCompletion{Kind: ploke.CompletionCommand, Label: w.word[1:], Insert: w.word,
				Detail: w.meaning})
		}
	}
}

// addEntries adds the entries of the folder that is being typed.
func (c *messageCompletion) addEntries(ctx context.Context, list *fileList) {
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
			if e.Skip == "" && strings.HasPrefix(strings.ToLower(path.Base(e.Rel)), strings.ToLower(prefix)) {
				list.add(entryCompletion(e))
			}
		}
	}
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
