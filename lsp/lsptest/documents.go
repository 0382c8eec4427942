package lsptest

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
)

// Open opens a file with its text on disk.
func (e *Editor) Open(path string) {
	e.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		e.t.Fatal(err)
	}
	e.OpenText(path, string(data))
}

// OpenText opens a document with the given text instead of the text on disk.
func (e *Editor) OpenText(path, text string) {
	e.t.Helper()
	e.mu.Lock()
	e.documents[uri.File(path)] = &Document{Version: 1, Text: text}
	e.mu.Unlock()
	e.Notify(protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: uri.File(path), Version: 1, Text: text},
	})
}

// Type replaces the byte range [start, end) of an open document.
func (e *Editor) Type(path string, start, end int, text string) {
	e.t.Helper()
	if !e.Change(path, func(string) (int, int, string) { return start, end, text }) {
		e.t.Fatalf("%s is not open", path)
	}
}

// Change replaces what change returns for the text of a document: the byte range [start, end). It
// reports whether the document is open.
func (e *Editor) Change(path string, change func(text string) (start, end int, replacement string)) bool {
	e.mu.Lock()
	doc := e.documents[uri.File(path)]
	if doc == nil {
		e.mu.Unlock()
		return false
	}
	start, end, text := change(doc.Text)
	r := ploke.NewMapper([]byte(doc.Text), e.encoding).Range(start, end)
	doc.Text = doc.Text[:start] + text + doc.Text[end:]
	doc.Version++
	part := &protocol.TextDocumentContentChangePartial{Range: r, Text: text}
	sent := e.notifyInOrder(protocol.MethodTextDocumentDidChange, changeParams(path, doc.Version, part))
	e.mu.Unlock()
	<-sent
	return true
}

func changeParams(path string, version int32,
	change protocol.TextDocumentContentChangeEvent) *protocol.DidChangeTextDocumentParams {
	return &protocol.DidChangeTextDocumentParams{
		TextDocument: protocol.VersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: uri.File(path)}, Version: version,
		},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{change},
	}
}

// Save writes an open document to disk.
func (e *Editor) Save(path string) {
	e.t.Helper()
	if err := os.WriteFile(path, []byte(e.Text(path)), 0o600); err != nil {
		e.t.Fatal(err)
	}
	e.Notify(protocol.MethodTextDocumentDidSave, &protocol.DidSaveTextDocumentParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: uri.File(path)},
	})
}

// CloseDocument closes an open document without saving it.
func (e *Editor) CloseDocument(path string) {
	e.t.Helper()
	e.mu.Lock()
	delete(e.documents, uri.File(path))
	if e.options.ForgetsDiagnostics {
		delete(e.published, uri.File(path))
	}
	e.mu.Unlock()
	e.Notify(protocol.MethodTextDocumentDidClose, &protocol.DidCloseTextDocumentParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: uri.File(path)},
	})
}

// Text returns the text of an open document.
func (e *Editor) Text(path string) string {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	doc := e.documents[uri.File(path)]
	if doc == nil {
		e.t.Fatalf("%s is not open", path)
	}
	return doc.Text
}

// Range converts the byte range [start, end) of an open document to positions.
func (e *Editor) Range(path string, start, end int) protocol.Range {
	return ploke.NewMapper([]byte(e.Text(path)), e.encoding).Range(start, end)
}

// apply applies an edit as an editor would: it opens files that are not open, and saves
// nothing. The editor's lock is held.
func (e *Editor) apply(edit protocol.WorkspaceEdit) error {
	for u, list := range edit.Changes {
		if err := e.edit(u, nil, list); err != nil {
			return err
		}
	}
	for _, change := range edit.DocumentChanges {
		if err := e.applyChange(change); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes a file, and closes its document.
func (e *Editor) remove(c *protocol.DeleteFile) error {
	if e.documents[c.URI] != nil {
		delete(e.documents, c.URI)
		e.notifyInOrder(protocol.MethodTextDocumentDidClose,
			&protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: c.URI}})
	}
	return os.Remove(c.URI.FsPath())
}

func (e *Editor) applyChange(change protocol.DocumentChange) error {
	switch c := change.(type) {
	case *protocol.CreateFile:
		if _, err := os.Stat(c.URI.FsPath()); err == nil {
			return fmt.Errorf("%s already exists", c.URI)
		}
		return os.WriteFile(c.URI.FsPath(), nil, 0o600)
	case *protocol.RenameFile:
		return e.rename(c)
	case *protocol.DeleteFile:
		return e.remove(c)
	case *protocol.TextDocumentEdit:
		var list []protocol.TextEdit
		for _, element := range c.Edits {
			list = append(list, e.plainEdit(element))
		}
		return e.edit(c.TextDocument.URI, c.TextDocument.Version, list)
	default:
		return fmt.Errorf("unknown change type %T", change)
	}
}

// rename renames a file. If it is open, its document is closed, and opened under the new
// name with its unsaved text.
func (e *Editor) rename(c *protocol.RenameFile) error {
	overwrite := c.Options != nil && c.Options.Overwrite != nil && *c.Options.Overwrite
	if _, err := os.Stat(c.NewURI.FsPath()); err == nil && !overwrite {
		return fmt.Errorf("%s already exists", c.NewURI)
	}
	if doc := e.documents[c.OldURI]; doc != nil {
		delete(e.documents, c.OldURI)
		e.documents[c.NewURI] = doc
		item := protocol.TextDocumentItem{URI: c.NewURI, Version: doc.Version, Text: doc.Text}
		e.notifyInOrder(protocol.MethodTextDocumentDidClose,
			&protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: c.OldURI}})
		e.notifyInOrder(protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{TextDocument: item})
	}
	return os.Rename(c.OldURI.FsPath(), c.NewURI.FsPath())
}

var errStale = errors.New("the edit is for a text that is gone")

// edit applies edits to one document and notifies the server.
func (e *Editor) edit(u uri.URI, version *int32, list []protocol.TextEdit) error {
	doc := e.documents[u]
	if doc == nil {
		data, err := os.ReadFile(u.FsPath())
		if err != nil {
			return fmt.Errorf("%w: %w", errStale, err) // it was open, and never saved
		}
		doc = &Document{Version: 0, Text: e.inLineEndOf(string(data), string(data))}
		if e.options.EndsLines && doc.Text == "" {
			doc.Text = "\n"
		}
		e.documents[u] = doc
		defer func() { // one didOpen with the new text, as VS Code sends
			e.notifyInOrder(protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
				TextDocument: protocol.TextDocumentItem{URI: u, Version: doc.Version, Text: doc.Text},
			})
		}()
	} else {
		if version != nil && *version != doc.Version {
			return fmt.Errorf("%w: %s has version %d, but the edit is for version %d", errStale, u, doc.Version, *version)
		}
		defer func() {
			change := &protocol.TextDocumentContentChangeWholeDocument{Text: doc.Text}
			e.notifyInOrder(protocol.MethodTextDocumentDidChange, changeParams(u.FsPath(), doc.Version, change))
		}()
	}
	text, err := applyTextEdits(doc.Text, e.endingLines(doc.Text, list), e.encoding)
	if err != nil {
		return fmt.Errorf("%s: %w", u, err)
	}
	doc.Text = e.inLineEndOf(doc.Text, text)
	doc.Version++
	return nil
}

// endingLines returns edits with one more line end for each that inserts behind the last one; see [Options].
func (e *Editor) endingLines(text string, list []protocol.TextEdit) (ended []protocol.TextEdit) {
	behind := uint32(strings.Count(text, "\n"))
	for _, edit := range list {
		if e.options.EndsLines && text != "\n" && strings.HasSuffix(text, "\n") && edit.Range.Start.Line == behind {
			edit.NewText += "\n"
		}
		ended = append(ended, edit)
	}
	return ended
}

// inLineEndOf returns a text with the line end of a document; see [Options].
func (e *Editor) inLineEndOf(document, text string) string {
	if !e.options.OneLineEnd {
		return text
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if !strings.Contains(document, "\r\n") && strings.Contains(document, "\n") {
		return text
	}
	return strings.ReplaceAll(text, "\n", "\r\n")
}

// notifyInOrder sends a notification from a goroutine, after the earlier ones, and closes
// the channel then. The read loop must not send it, because the pipe has no buffer and the
// server may be writing too. The editor's lock is held.
func (e *Editor) notifyInOrder(method string, params any) <-chan struct{} {
	before, sent := e.notified, make(chan struct{})
	e.notified = sent
	go func() {
		defer close(sent)
		if before != nil {
			<-before
		}
		_ = e.conn.Notify(e.untilShutdown(), method, params)
		e.update()() // Await looks again
	}()
	return sent
}

// flush waits until the notifications of notifyInOrder are sent. Editors send what has changed
// before anything else.
func (e *Editor) flush() {
	e.mu.Lock()
	sent := e.notified
	e.mu.Unlock()
	if sent != nil {
		<-sent
	}
}

// applyTextEdits returns text after the edits, whose ranges all refer to text itself.
func applyTextEdits(text string, list []protocol.TextEdit, encoding ploke.Encoding) (string, error) {
	m := ploke.NewMapper([]byte(text), encoding)
	list = slices.Clone(list)
	slices.SortStableFunc(list,
		func(a, b protocol.TextEdit) int { return m.Offset(a.Range.Start) - m.Offset(b.Range.Start) })
	var out string
	at := 0
	for _, edit := range list {
		start, end := m.Offset(edit.Range.Start), m.Offset(edit.Range.End)
		if m.Range(start, end) != edit.Range {
			return "", fmt.Errorf("the range %v is outside the text", edit.Range)
		}
		if start < at || end < start {
			return "", fmt.Errorf("the edit at %v overlaps the edit before it", edit.Range)
		}
		out += text[at:start] + edit.NewText
		at = end
	}
	return out + text[at:], nil
}
