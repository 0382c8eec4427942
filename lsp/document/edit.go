package document

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	ploke "ploke-lsp/lsp/protocol"
)

// ErrNotOpen is returned for a document that the client has not opened with this server.
var ErrNotOpen = errors.New("the editor has not opened the document with ploke-lsp")

const (
	// editAttempts is how often an edit is made again because the person has typed meanwhile.
	editAttempts = 100
	// appliedTimeout and refusedTimeout are how long a client may take to send the text that
	// an edit has changed, and the one because of which it has refused an edit. Some wait
	// until the person does not type.
	appliedTimeout = 5 * time.Second
	refusedTimeout = time.Second
	// openedTimeout is how long a client may take to open a document that an edit has opened.
	openedTimeout = time.Second
)

// Edit changes an open document in the place that change computes from its newest text, and
// disturbs nothing that is typed elsewhere in it. change is called again if the person typed
// before the client applied the edit; it may return false to give up. edit returns when the
// client has sent the changed text, so that the next edit builds on it.
func (v *Views) Edit(ctx context.Context, u uri.URI, change func(text []byte) (edits.Edit, bool)) error {
	for range editAttempts {
		doc := v.documents.Get(u)
		if doc == nil || doc.OutOfStep != "" {
			return ErrNotOpen
		}
		text := doc.Text.Bytes()
		e, ok := change(text)
		if !ok {
			return nil
		}
		version := &doc.Version
		if v.client.MisreportsEdits {
			version = nil
		}
		at := ploke.NewMapper(text, v.client.Encoding).Range(e.Start, e.End)
		err := v.apply(ctx, u, version, protocol.TextEdit{Range: at, NewText: e.New})
		if err == nil {
			v.documents.awaitChange(ctx, u, doc, appliedTimeout)
			return nil
		}
		if !v.documents.awaitChange(ctx, u, doc, refusedTimeout) {
			return err
		}
	}
	return fmt.Errorf("%s changed all the time, so it was not edited", u)
}

// apply asks the client to apply one edit to a document, which it opens if needed. Without a
// version the edit applies to any text.
func (v *Views) apply(ctx context.Context, u uri.URI, version *int32, edit protocol.TextEdit) error {
	u = v.documents.Spelled(u)
	workspaceEdit := protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{u: {edit}}}
	if v.client.VersionedEdits {
		document := protocol.OptionalVersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u}, Version: version}
		workspaceEdit = protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{
			&protocol.TextDocumentEdit{TextDocument: document, Edits: EditElements([]protocol.TextEdit{edit})},
		}}
	}
	applied, reason, err := v.client.ApplyEdit(ctx, "ploke", workspaceEdit)
	switch {
	case err != nil:
		return err
	case !applied && reason == "":
		return fmt.Errorf("the editor refused to change %s", u)
	case !applied:
		return fmt.Errorf("the editor refused to change %s: %s", u, reason)
	}
	return nil
}

// Append appends to a document that is open, or that only byEdit has opened: then written is
// the whole text that the server has given it.
func (v *View) Append(ctx context.Context, written, text string) error {
	err := v.Edit(ctx, v.URI, func(now []byte) (edits.Edit, bool) {
		return edits.Edit{Start: len(now), End: len(now), New: text}, true
	})
	if !errors.Is(err, ErrNotOpen) {
		return err
	}
	before := v.documents.Get(v.URI)
	end := ploke.NewMapper([]byte(written), v.client.Encoding).Position(len(written))
	err = v.apply(ctx, v.URI, nil, protocol.TextEdit{Range: protocol.Range{Start: end, End: end}, NewText: text})
	if err != nil || v.unattached {
		return err
	}
	// The next piece must find the end of the document, where the person may type from now on.
	v.unattached = !v.documents.awaitChange(ctx, v.URI, before, openedTimeout)
	return nil
}
