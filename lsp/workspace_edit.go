package lsp

import (
	"bytes"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	ploke "ploke-lsp/lsp/protocol"
)

// resources names what has to be done to a file as such.
var resources = map[edits.Op]protocol.ResourceOperationKind{
	edits.OpCreate: protocol.ResourceOperationKindCreate,
	edits.OpRename: protocol.ResourceOperationKindRename,
	edits.OpDelete: protocol.ResourceOperationKindDelete,
}

// canApply reports whether the client declared everything that the plan needs.
func (c *client) canApply(plan *edits.Plan) bool {
	return c.profile.applyEdit && !slices.ContainsFunc(plan.Files, func(f edits.PlannedFile) bool {
		kind := resources[f.Op]
		return !f.Done && kind != "" && !(c.versionedEdits && slices.Contains(c.resources, kind))
	})
}

// workspaceEdit writes a plan in the form that the client understands:
// versioned document changes, else plain changes by URI.
func (a *applier) workspaceEdit(plan *edits.Plan) protocol.WorkspaceEdit {
	p := a.client.profile
	files := slices.DeleteFunc(slices.Clone(plan.Files), func(f edits.PlannedFile) bool { return f.Done })
	if !p.versionedEdits {
		changes := map[uri.URI][]protocol.TextEdit{}
		for _, f := range files {
			changes[uri.File(f.Path)] = a.textEdits(f)
		}
		return protocol.WorkspaceEdit{Changes: changes}
	}
	var changes []protocol.DocumentChange
	for _, f := range files {
		changes = append(changes, a.documentChanges(f)...)
	}
	return protocol.WorkspaceEdit{DocumentChanges: changes}
}

// documentChanges is what is done to one file: it is created before it is
// edited, and edited, while its version is known, before it is renamed.
func (a *applier) documentChanges(f edits.PlannedFile) (changes []protocol.DocumentChange) {
	target := uri.File(f.Path)
	switch f.Op {
	case edits.OpDelete:
		return append(changes, &protocol.DeleteFile{Kind: "delete", URI: target})
	case edits.OpCreate:
		changes = append(changes, &protocol.CreateFile{Kind: "create", URI: target})
	}
	if list := a.textEdits(f); len(list) > 0 {
		changes = append(changes, &protocol.TextDocumentEdit{
			TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
				TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: target},
				Version:                f.Version,
			},
			Edits: documentEdits(list),
		})
	}
	if f.Op == edits.OpRename {
		changes = append(changes, &protocol.RenameFile{Kind: "rename", OldURI: target, NewURI: uri.File(f.To)})
	}
	return changes
}

func documentEdits(list []protocol.TextEdit) []protocol.TextDocumentEditElement {
	var out []protocol.TextDocumentEditElement
	for _, e := range list {
		out = append(out, &e)
	}
	return out
}

// textEdits converts the edits of one file. A plan's text has no byte order
// mark; a document that the client sent with one counts it on its first line.
func (a *applier) textEdits(f edits.PlannedFile) []protocol.TextEdit {
	text, mark := f.Before, 0
	if doc := a.documents.get(uri.File(f.Path)); doc != nil && bytes.HasPrefix(doc.text, []byte(workspace.ByteOrderMark)) {
		mark = len(workspace.ByteOrderMark)
		text = slices.Concat([]byte(workspace.ByteOrderMark), text)
	}
	m := ploke.NewMapper(text, a.client.encoding)
	var list []protocol.TextEdit
	for _, e := range f.Edits {
		list = append(list, protocol.TextEdit{Range: m.Range(mark+e.Start, mark+e.End), NewText: e.New})
	}
	if f.Op == edits.OpCreate && f.BOM {
		list = slices.Insert(list, 0, protocol.TextEdit{NewText: workspace.ByteOrderMark})
	}
	return list
}
