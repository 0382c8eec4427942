package chat

import (
	"context"
	"errors"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

const (
	// visibleTimeout is how long an edit that the editor says it has applied may take to arrive as a
	// change. Editors gather changes for some 100 ms.
	visibleTimeout = 2 * time.Second
	// visibleAgreedTimeout is the same for an edit to which the person has agreed.
	visibleAgreedTimeout = time.Hour
	// refusalPause is how long a refused edit waits for a change of the text, which is the usual reason
	// for a refusal.
	refusalPause = 500 * time.Millisecond
	maxRefusals  = 10 // in a row, of edits of the newest text
)

var (
	errChatClosed  = errors.New("the chat document has been closed")
	errChatRefused = errors.New("the editor refuses edits of the chat document")
)

// attach registers a writer, which learns of each change from now on. place returns its offset in the text
// of the moment.
func (c *openDocument) attach(place func(text string) *chatdoc.Writer) *chatdoc.Writer {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := place(c.text)
	c.writers[w] = true
	return w
}

// detach forgets a writer.
func (c *openDocument) detach(w *chatdoc.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.writers, w)
}

// do runs a function of a writer while no change is taken.
func (c *openDocument) do(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

// next returns the next request of a writer for the version of the text.
func (c *openDocument) next(w *chatdoc.Writer) (text string, version int32, edits []chatdoc.Edit, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return "", 0, nil, errChatClosed
	}
	return c.text, c.version, w.Next(c.text), nil
}

// flush sends what a writer has to write, and returns when all of it is in the text.
func (ds *Documents) flush(ctx context.Context, c *openDocument, w *chatdoc.Writer) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	for refusals := 0; refusals < maxRefusals; {
		text, version, edits, err := c.next(w)
		if err != nil || len(edits) == 0 {
			return err
		}
		applied, _, err := ds.Client.ApplyEdit(ctx, "ploke: write the answer",
			encodeEdits(ds.Client, ds.Documents.Spelled(c.uri), text, version, edits))
		if err != nil {
			return err
		}
		c.do(func() { w.Answered(applied) })
		refusals++
		switch {
		case applied:
			err = ds.awaitChange(ctx, c, w)
			c.do(func() {
				if !w.Waiting() {
					refusals = 0
				}
				w.GiveUp()
			})
		case ds.Client.ConfirmsEdits: // it was the person who refused
			return errChatRefused
		default:
			typed := false
			err = c.await(ctx, refusalPause, func() bool { typed = c.version != version; return typed })
			if typed {
				refusals-- // the edit was for an older text
			}
		}
		if err != nil {
			return err
		}
	}
	return errChatRefused
}

// awaitChange waits until a change shows the edit that the editor has applied. Where the person has agreed to it, it
// is not made again: Eglot may send the change when the person goes on, and not before.
func (ds *Documents) awaitChange(ctx context.Context, c *openDocument, w *chatdoc.Writer) error {
	limit := visibleTimeout
	if ds.Client.ConfirmsEdits {
		limit = visibleAgreedTimeout
	}
	return c.await(ctx, limit, func() bool { return !w.Waiting() })
}

// await waits until a condition, which is checked with the lock held, is true, for at most so long.
func (c *openDocument) await(ctx context.Context, limit time.Duration, condition func() bool) error {
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	for {
		c.mu.Lock()
		done, closed, changes := condition(), c.closed, c.changes
		c.mu.Unlock()
		switch {
		case closed:
			return errChatClosed
		case done:
			return nil
		}
		select {
		case <-changes:
		case <-timeout.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// encodeEdits returns edits of a version of a document in the form that the client supports.
func encodeEdits(c *client.Client, u uri.URI, text string, version int32, edits []chatdoc.Edit) protocol.WorkspaceEdit {
	m := ploke.NewMapper([]byte(text), c.Encoding)
	var list []protocol.TextEdit
	for _, e := range edits {
		list = append(list, protocol.TextEdit{Range: m.Range(e.Start, e.End), NewText: e.New})
	}
	if !c.VersionedEdits {
		return protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{u: list}}
	}
	return protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{&protocol.TextDocumentEdit{
		TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u}, Version: &version,
		},
		Edits: document.EditElements(list),
	}}}
}
