package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
)

// resources maps an operation on a file to the resource operation that does it.
var resources = map[edits.Op]protocol.ResourceOperationKind{
	edits.OpCreate: protocol.ResourceOperationKindCreate,
	edits.OpRename: protocol.ResourceOperationKindRename,
	edits.OpDelete: protocol.ResourceOperationKindDelete,
}

// An Applier applies plans in the editor, in the form that the client supports.
type Applier struct {
	client    *client.Client
	documents *Table
}

// NewApplier returns an applier of edits of the open documents, and of files.
func NewApplier(c *client.Client, d *Table) *Applier { return &Applier{client: c, documents: d} }

// CanApply implements [project.FrontEnd]: it reports whether the client declared
// everything that the plan needs.
func (a *Applier) CanApply(plan *edits.Plan) bool {
	return a.client.AppliesEdits && !slices.ContainsFunc(plan.Files, func(file edits.PlannedFile) bool {
		kind := resources[file.Op]
		return !file.Done && kind != "" && !(a.client.VersionedEdits && slices.Contains(a.client.Resources, kind))
	})
}

// Apply implements [project.FrontEnd]. A client that may leave out files gets one file after the
// other, so that each is done or refused before the next.
func (a *Applier) Apply(ctx context.Context, plan *edits.Plan) error {
	files := slices.DeleteFunc(slices.Clone(plan.Files), func(file edits.PlannedFile) bool { return file.Done })
	parts := [][]edits.PlannedFile{files}
	if a.client.LosesFiles {
		parts = slices.Collect(slices.Chunk(files, 1))
	}
	for _, part := range parts {
		if err := a.applyOne(ctx, a.WorkspaceEdit(part)); err != nil {
			return err
		}
	}
	return nil
}

func (a *Applier) applyOne(ctx context.Context, edit protocol.WorkspaceEdit) error {
	applied, reason, err := a.client.ApplyAccepted(ctx, "ploke", edit)
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

// WorkspaceEdit returns the planned files in the form that the client supports: versioned
// document changes, else plain changes by URI.
func (a *Applier) WorkspaceEdit(files []edits.PlannedFile) protocol.WorkspaceEdit {
	if !a.client.VersionedEdits {
		changes := map[uri.URI][]protocol.TextEdit{}
		for _, file := range files {
			changes[a.documents.URIOf(file.Path)] = a.textEdits(file)
		}
		return protocol.WorkspaceEdit{Changes: changes}
	}
	var changes []protocol.DocumentChange
	for _, file := range files {
		changes = append(changes, a.documentChanges(file)...)
	}
	return protocol.WorkspaceEdit{DocumentChanges: changes}
}

// documentChanges returns the changes of one file. It is created before it is
// edited, and edited before it is renamed, while its version is known.
func (a *Applier) documentChanges(file edits.PlannedFile) (changes []protocol.DocumentChange) {
	target := a.documents.URIOf(file.Path)
	switch file.Op {
	case edits.OpDelete:
		return append(changes, &protocol.DeleteFile{Kind: "delete", URI: target})
	case edits.OpCreate:
		changes = append(changes, &protocol.CreateFile{Kind: "create", URI: target})
	}
	if list := a.textEdits(file); len(list) > 0 {
		changes = append(changes, &protocol.TextDocumentEdit{
			TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
				TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: target},
				Version:                file.Version,
			},
			Edits: EditElements(list),
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

// EditElements returns text edits as a TextDocumentEdit takes them.
func EditElements(list []protocol.TextEdit) []protocol.TextDocumentEditElement {
	var out []protocol.TextDocumentEditElement
	for _, e := range list {
		out = append(out, &e)
	}
	return out
}

// textEdits converts the edits of one file.
func (a *Applier) textEdits(file edits.PlannedFile) []protocol.TextEdit {
	m := a.documents.Mapper(file.Path, file.Before, a.client.Encoding)
	var list []protocol.TextEdit
	for _, e := range file.Edits {
		list = append(list, protocol.TextEdit{Range: m.TextRange(e.Start, e.End), NewText: e.New})
	}
	if last := len(list) - 1; last >= 0 && a.client.EndsLines && (file.Op == edits.OpCreate ||
		file.Edits[last].Start == len(file.Before) && bytes.HasSuffix(file.Before, []byte("\n"))) {
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

// Mapper returns the mapper of a file with this text. If the client sent the document with a byte
// order mark, it counts on the first line.
func (d *Table) Mapper(path string, text []byte, encoding ploke.Encoding) fileMapper {
	mark := 0
	if doc := d.OfFile(path); doc != nil && doc.Text.HasPrefix(workspace.ByteOrderMark) {
		mark = len(workspace.ByteOrderMark)
		text = slices.Concat([]byte(workspace.ByteOrderMark), text)
	}
	return fileMapper{ploke.NewMapper(text, encoding), mark}
}

// TextRange converts a range of bytes of the file's text.
func (m fileMapper) TextRange(start, end int) protocol.Range {
	return m.Range(m.mark+start, m.mark+end)
}
