package lspclient

import (
	"bytes"
	"maps"
	"slices"

	"go.lsp.dev/uri"
)

// A Document is a file whose text the server has from the client and not from the disk.
type Document struct {
	Path     string
	Language string // as LSP names it
	Text     []byte
}

// document is a text that the server has, with the version that it was sent with.
type document struct {
	text    []byte
	version int
}

// SetDocuments makes these the open documents. It sends only what differs from those before. The texts must not be
// changed afterwards.
func (c *Client) SetDocuments(all []Document) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	wanted := map[string]bool{}
	for _, d := range all {
		wanted[d.Path] = true
	}
	for _, path := range slices.Sorted(maps.Keys(c.open)) {
		if !wanted[path] {
			delete(c.open, path)
			delete(c.published, path)
			if err := c.notify("textDocument/didClose", object{"textDocument": object{"uri": uri.File(path)}}); err != nil {
				return err
			}
		}
	}
	for _, d := range all {
		if err := c.setDocument(d); err != nil {
			return err
		}
	}
	return nil
}

func (c *Client) setDocument(d Document) error {
	known, open := c.open[d.Path]
	if open && bytes.Equal(known.text, d.Text) {
		return nil
	}
	known = document{d.Text, known.version + 1}
	c.open[d.Path] = known
	item := object{"uri": uri.File(d.Path), "version": known.version}
	if open { // a change of the whole text is understood by servers with every kind of synchronization
		return c.notify("textDocument/didChange",
			object{"textDocument": item, "contentChanges": []object{{"text": string(d.Text)}}})
	}
	item["languageId"], item["text"] = d.Language, string(d.Text)
	return c.notify("textDocument/didOpen", object{"textDocument": item})
}

// A FileChange says what happened to a file on disk.
type FileChange struct {
	Path string
	Kind ChangeKind
}

// ChangeKind is the number that LSP gives to a kind of change.
type ChangeKind int

// The kinds of changes.
const (
	Created ChangeKind = 1 + iota
	Changed
	Deleted
)

// FilesChanged tells the server what has changed on disk.
func (c *Client) FilesChanged(changes []FileChange) error {
	if len(changes) == 0 {
		return nil
	}
	all := make([]object, len(changes))
	for i, change := range changes {
		all[i] = object{"uri": uri.File(change.Path), "type": change.Kind}
		if change.Kind != Changed && pythonFile.MatchString(change.Path) {
			c.progress.setListed(false)
		}
	}
	return c.notify("workspace/didChangeWatchedFiles", object{"changes": all})
}
