package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	ploke "ploke-lsp/lsp/protocol"
)

// resources maps an operation on a file to the resource operation that does it.
var resources = map[edits.Op]protocol.ResourceOperationKind{
	edits.OpCreate: protocol.ResourceOperationKindCreate,
	edits.OpRename: protocol.ResourceOperationKindRename,
	edits.OpDelete: protocol.ResourceOperationKindDelete,
}

// CanApply implements [project.FrontEnd]: it reports whether the client declared
// everything that the plan needs.
func (f *frontEnd) CanApply(plan *edits.Plan) bool {
	return f.profile.applyEdit && !slices.ContainsFunc(plan.Files, func(file edits.PlannedFile) bool {
		kind := resources[file.Op]
		return !file.Done && kind != "" && !(f.versionedEdits && slices.Contains(f.resources, kind))
	})
}

// Apply implements [project.FrontEnd].
func (f *frontEnd) Apply(ctx context.Context, plan *edits.Plan) error {
	applied, reason, err := f.applyEdit(ctx, "ploke", f.workspaceEdit(plan))
	switch {
	case err != nil:
		return err
	case applied:
		return nil
	case reason == "":
		return errors.New("the editor refused the edit")
	}
	return fmt.Errorf("the editor refused the edit: %s", reason)
}

// workspaceEdit returns a plan in the form that the client supports: versioned
// document changes, else plain changes by URI.
func (f *frontEnd) workspaceEdit(plan *edits.Plan) protocol.WorkspaceEdit {
	files := slices.DeleteFunc(slices.Clone(plan.Files), func(file edits.PlannedFile) bool { return file.Done })
	if !f.versionedEdits {
		changes := map[uri.URI][]protocol.TextEdit{}
		for _, file := range files {
			changes[uri.File(file.Path)] = f.textEdits(file)
		}
		return protocol.WorkspaceEdit{Changes: changes}
	}
	var changes []protocol.DocumentChange
	for _, file := range files {
		changes = append(changes, f.documentChanges(file)...)
	}
	return protocol.WorkspaceEdit{DocumentChanges: changes}
}

// documentChanges returns the changes of one file. It is created before it is
// edited, and edited before it is renamed, while its version is known.
func (f *frontEnd) documentChanges(file edits.PlannedFile) (changes []protocol.DocumentChange) {
	target := uri.File(file.Path)
	switch file.Op {
	case edits.OpDelete:
		return append(changes, &protocol.DeleteFile{Kind: "delete", URI: target})
	case edits.OpCreate:
		changes = append(changes, &protocol.CreateFile{Kind: "create", URI: target})
	}
	if list := f.textEdits(file); len(list) > 0 {
		changes = append(changes, &protocol.TextDocumentEdit{
			TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
				TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: target},
				Version:                file.Version,
			},
			Edits: documentEdits(list),
		})
	}
	if file.Op == edits.OpRename {
		changes = append(changes, &protocol.RenameFile{Kind: "rename", OldURI: target, NewURI: uri.File(file.To)})
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

// textEdits converts the edits of one file. A plan's text has no byte order mark.
// If the client sent the document with one, it counts on the first line.
func (f *frontEnd) textEdits(file edits.PlannedFile) []protocol.TextEdit {
	text, mark := file.Before, 0
	if doc := f.documents.get(uri.File(file.Path)); doc != nil && doc.text.HasPrefix(workspace.ByteOrderMark) {
		mark = len(workspace.ByteOrderMark)
		text = slices.Concat([]byte(workspace.ByteOrderMark), text)
	}
	m := ploke.NewMapper(text, f.encoding)
	var list []protocol.TextEdit
	for _, e := range file.Edits {
		list = append(list, protocol.TextEdit{Range: m.Range(mark+e.Start, mark+e.End), NewText: e.New})
	}
	if file.Op == edits.OpCreate && file.BOM {
		list = slices.Insert(list, 0, protocol.TextEdit{NewText: workspace.ByteOrderMark})
	}
	return list
}
