package lsptest

import (
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// Capabilities returns all capabilities of the editor, except those that the With
// functions add.
func Capabilities() *protocol.ClientCapabilities {
	yes := true
	return withMethods(&protocol.ClientCapabilities{
		General: &protocol.GeneralClientCapabilities{
			PositionEncodings: []protocol.PositionEncodingKind{protocol.PositionEncodingKindUTF16},
		},
		Workspace: &protocol.WorkspaceClientCapabilities{
			ApplyEdit: &yes,
			WorkspaceEdit: &protocol.WorkspaceEditClientCapabilities{
				DocumentChanges: &yes,
				ResourceOperations: []protocol.ResourceOperationKind{
					protocol.ResourceOperationKindCreate, protocol.ResourceOperationKindRename, protocol.ResourceOperationKindDelete,
				},
			},
			WorkspaceFolders: &yes,
			DidChangeWatchedFiles: &protocol.DidChangeWatchedFilesClientCapabilities{DynamicRegistration: &yes,
				RelativePatternSupport: &yes},
			FileOperations: &protocol.FileOperationClientCapabilities{DidCreate: &yes, DidRename: &yes, DidDelete: &yes},
		},
		TextDocument: &protocol.TextDocumentClientCapabilities{
			CodeAction: &protocol.CodeActionClientCapabilities{
				CodeActionLiteralSupport: protocol.ClientCodeActionLiteralOptions{
					CodeActionKind: protocol.ClientCodeActionKindOptions{
						ValueSet: []protocol.CodeActionKind{protocol.CodeActionKindEmpty, protocol.CodeActionKindQuickFix,
							protocol.CodeActionKindRefactor, protocol.CodeActionKindSource},
					},
				},
				DisabledSupport: &yes,
			},
			CodeLens:       &protocol.CodeLensClientCapabilities{},
			Completion:     &protocol.CompletionClientCapabilities{},
			Definition:     &protocol.DefinitionClientCapabilities{},
			DocumentSymbol: &protocol.DocumentSymbolClientCapabilities{HierarchicalDocumentSymbolSupport: &yes},
			FoldingRange:   &protocol.FoldingRangeClientCapabilities{},
			Hover: &protocol.HoverClientCapabilities{
				ContentFormat: []protocol.MarkupKind{protocol.MarkupKindMarkdown},
			},
			PublishDiagnostics: &protocol.PublishDiagnosticsClientCapabilities{},
		},
		Window: &protocol.WindowClientCapabilities{
			ShowMessage:      &protocol.ShowMessageRequestClientCapabilities{},
			WorkDoneProgress: &yes,
			ShowDocument:     &protocol.ShowDocumentClientCapabilities{Support: true},
		},
	}, ploke.MethodEvent, ploke.MethodPermissionAsk)
}

// withMethods declares that the editor supports exactly these ploke/* methods.
func withMethods(c *protocol.ClientCapabilities, methods ...string) *protocol.ClientCapabilities {
	c.Experimental = marshal(ploke.Experimental{Ploke: ploke.Capabilities{Version: ploke.Version, Methods: methods}})
	return c
}
