package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	return f.client.AppliesEdits && !slices.ContainsFunc(plan.Files, func(file edits.PlannedFile) bool {
		kind := resources[file.Op]
		return !file.Done && kind != "" && !(f.client.VersionedEdits && slices.Contains(f.client.Resources, kind))
	})
}

// Apply implements [project.FrontEnd]. A client that may leave out files gets one file after the
// other, so that each is done or refused before the next.
func (f *frontEnd) Apply(ctx context.Context, plan *edits.Plan) error {
	files := slices.DeleteFunc(slices.Clone(plan.Files), func(file edits.PlannedFile) bool { return file.Done })
	parts := [][]edits.PlannedFile{files}
	if f.client.LosesFiles {
		parts = slices.Collect(slices.Chunk(files, 1))
	}
	for _, part := range parts {
		edit := f.workspaceEdit(part)
		if f.confirms(plan) {
			annotate(&edit)
		}
		if err := f.applyOne(ctx, edit); err != nil {
			return err
		}
	}
	return nil
}

func (f *frontEnd) applyOne(ctx context.Context, edit protocol.WorkspaceEdit) error {
	applied, reason, err := f.client.ApplyEdit(ctx, "ploke", edit)
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

// workspaceEdit returns the planned files in the form that the client supports: versioned
// document changes, else plain changes by URI.
func (f *frontEnd) workspaceEdit(files []edits.PlannedFile) protocol.WorkspaceEdit {
	if !f.client.VersionedEdits {
		changes := map[uri.URI][]protocol.TextEdit{}
		for _, file := range files {
			changes[f.documents.uriOf(file.Path)] = f.textEdits(file)
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
	target := f.documents.uriOf(file.Path)
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
		rename := &protocol.RenameFile{Kind: "rename", OldURI: target, NewURI: uri.File(file.To)}
		if file.Respells { // else clients take the file itself for one that is in the way
			overwrite := true
			rename.Options = &protocol.RenameFileOptions{Overwrite: &overwrite}
		}
		changes = append(changes, rename)
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

// textEdits converts the edits of one file.
func (f *frontEnd) textEdits(file edits.PlannedFile) []protocol.TextEdit {
	m := f.documents.mapper(file.Path, file.Before, f.client.Encoding)
	var list []protocol.TextEdit
	for _, e := range file.Edits {
		list = append(list, protocol.TextEdit{Range: m.textRange(e.Start, e.End), NewText: e.New})
	}
	if last := len(list) - 1; file.Op == edits.OpCreate && f.client.EmptyHasLineEnd && last >= 0 {
		list[last].NewText = withoutLineEnd(list[last].NewText)
	}
	if file.Op == edits.OpCreate && file.BOM {
		list = slices.Insert(list, 0, protocol.TextEdit{NewText: workspace.ByteOrderMark})
	}
	return list
}

// withoutLineEnd returns a text without its last line end.
func withoutLineEnd(text string) string {
	if shorter, ok := strings.CutSuffix(text, "\r\n"); ok {
		return shorter
	}
	return strings.TrimSuffix(text, "\n")
}

// A fileMapper maps a file's text as the workspace serves it, which has no byte order mark, to
// positions in its document.
type fileMapper struct {
	*ploke.Mapper
	mark int // length of the document's byte order mark
}

// mapper returns the mapper of a file with this text. If the client sent the document with a byte
// order mark, it counts on the first line.
func (d *documents) mapper(path string, text []byte, encoding ploke.Encoding) fileMapper {
	mark := 0
	if doc := d.ofFile(path); doc != nil && doc.text.HasPrefix(workspace.ByteOrderMark) {
		mark = len(workspace.ByteOrderMark)
		text = slices.Concat([]byte(workspace.ByteOrderMark), text)
	}
	return fileMapper{ploke.NewMapper(text, encoding), mark}
}

// textRange converts a range of bytes of the file's text.
func (m fileMapper) textRange(start, end int) protocol.Range {
	return m.Range(m.mark+start, m.mark+end)
}
