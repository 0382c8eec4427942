package lsp

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	ploke "ploke-lsp/lsp/protocol"
)

// canApply reports whether the client declared everything that the plan needs.
func (c *client) canApply(plan *edits.Plan) bool {
	if !c.profile.applyEdit {
		return false
	}
	for _, f := range plan.Files {
		switch f.Op {
		case edits.Create:
			if !c.createFiles {
				return false
			}
		case edits.Rename:
			if !c.renameFiles {
				return false
			}
		case edits.Delete:
			if !c.deleteFiles {
				return false
			}
		}
	}
	return true
}

// workspaceEdit writes a plan in the form that the client understands:
// versioned document changes, else plain changes by URI.
func workspaceEdit(plan *edits.Plan, p profile) protocol.WorkspaceEdit {
	if !p.versionedEdits {
		changes := map[uri.URI][]protocol.TextEdit{}
		for _, f := range plan.Files {
			changes[uri.File(f.Path)] = textEdits(f, p.encoding)
		}
		return protocol.WorkspaceEdit{Changes: changes}
	}
	var changes []protocol.DocumentChange
	for _, f := range plan.Files {
		target := uri.File(f.Path)
		switch f.Op {
		case edits.Create:
			changes = append(changes, &protocol.CreateFile{Kind: "create", URI: target})
		case edits.Rename:
			target = uri.File(f.NewPath)
			changes = append(changes, &protocol.RenameFile{Kind: "rename", OldURI: uri.File(f.Path), NewURI: target})
		case edits.Delete:
			changes = append(changes, &protocol.DeleteFile{Kind: "delete", URI: target})
			continue
		}
		if list := documentEdits(f, p.encoding); len(list) > 0 {
			changes = append(changes, &protocol.TextDocumentEdit{
				TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
					TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: target},
					Version:                f.Version,
				},
				Edits: list,
			})
		}
	}
	return protocol.WorkspaceEdit{DocumentChanges: changes}
}

func documentEdits(f edits.PlannedFile, encoding ploke.Encoding) []protocol.TextDocumentEditElement {
	var list []protocol.TextDocumentEditElement
	for _, e := range textEdits(f, encoding) {
		list = append(list, &e)
	}
	return list
}

func textEdits(f edits.PlannedFile, encoding ploke.Encoding) []protocol.TextEdit {
	m := ploke.NewMapper(f.Before, encoding)
	var list []protocol.TextEdit
	for _, e := range f.Edits {
		list = append(list, protocol.TextEdit{Range: m.Range(e.Start, e.End), NewText: e.New})
	}
	return list
}
