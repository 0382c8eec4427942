package lsp

import (
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	ploke "ploke-lsp/lsp/protocol"
)

// canApply reports whether the client declared everything that the plan needs.
func (c *client) canApply(plan *edits.Plan) bool {
	creates := slices.ContainsFunc(plan.Files, func(f edits.PlannedFile) bool { return f.Op == edits.OpCreate })
	return c.profile.applyEdit && (c.createFiles && c.versionedEdits || !creates)
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
		if f.Op == edits.OpCreate {
			changes = append(changes, &protocol.CreateFile{Kind: "create", URI: target})
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
