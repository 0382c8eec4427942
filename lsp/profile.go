package lsp

import (
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// A profile holds the client's declared capabilities, which decide what the server
// sends.
type profile struct {
	name       string
	negotiated ploke.Encoding // what initialize answers
	encoding   ploke.Encoding // what the client really uses

	applyEdit            bool
	versionedEdits       bool                             // documentChanges
	resources            []protocol.ResourceOperationKind // the file operations that a WorkspaceEdit may hold
	workDoneProgress     bool
	showsDocuments       bool
	showsMessageRequests bool
	changeAnnotations    bool

	actionLiterals       bool // else code actions are plain commands
	disabledActions      bool
	hoverFormat          protocol.MarkupKind
	folderKind           protocol.CompletionItemKind // of the completion of a folder
	knowsStructs         bool                        // as kinds of symbols
	codeLenses           bool
	refreshesLenses      bool // workspace/codeLens/refresh
	publishesDiagnostics bool
	diagnosticData       bool // the client returns the data of diagnostics
	watchesFiles         bool // registers file watchers dynamically
	relativePatterns     bool // watches relative patterns

	offeredChatFeatures, registeredChatFeatures []chatFeature

	supportsConfiguration         bool // answers workspace/configuration
	registersConfigurationChanges bool // registers didChangeConfiguration dynamically

	quirks // what the client does, whatever it declares

	ploke   ploke.Capabilities // the ploke/* methods that the client supports, and the version to speak
	differs string             // why there is no such version; the client then has plain LSP only
}

func newProfile(p *protocol.InitializeParams) profile {
	c := p.Capabilities
	pr := profile{name: p.ClientInfo.Name, encoding: protocol.PositionEncodingKindUTF16, hoverFormat: protocol.MarkupKindPlainText, quirks: quirksOf(p)}
	if c.General != nil {
		pr.encoding = ploke.NegotiateEncoding(c.General.PositionEncodings)
	}
	if c.Workspace != nil {
		pr.applyEdit = isTrue(c.Workspace.ApplyEdit)
		pr.readWorkspaceEdit(c.Workspace.WorkspaceEdit)
		pr.supportsConfiguration = isTrue(c.Workspace.Configuration)
		if changes := c.Workspace.DidChangeConfiguration; changes != nil {
			pr.registersConfigurationChanges = isTrue(changes.DynamicRegistration)
		}
		if watched := c.Workspace.DidChangeWatchedFiles; watched != nil {
			pr.watchesFiles = isTrue(watched.DynamicRegistration)
			pr.relativePatterns = isTrue(watched.RelativePatternSupport)
		}
		pr.refreshesLenses = c.Workspace.CodeLens != nil && isTrue(c.Workspace.CodeLens.RefreshSupport)
	}
	if c.TextDocument != nil {
		pr.readTextDocument(c.TextDocument)
	}
	pr.knowsStructs = listsSymbolKinds(&c)
	if c.Window != nil {
		pr.workDoneProgress = isTrue(c.Window.WorkDoneProgress)
		pr.showsDocuments = c.Window.ShowDocument != nil && c.Window.ShowDocument.Support
		pr.showsMessageRequests = c.Window.ShowMessage != nil
	}
	pr.negotiated = pr.encoding
	if pr.countsCodePoints {
		pr.encoding = protocol.PositionEncodingKindUTF32
	}
	pr.negotiateVersion(plokeCapabilities(c.Experimental, p.InitializationOptions), ploke.OldestVersion, ploke.Version)
	return pr
}

// readWorkspaceEdit reads the capabilities of workspace edits. A client that declares
// resource operations also counts as supporting versioned edits, because Neovim
// before 0.11 supports both and declares only the former.
func (pr *profile) readWorkspaceEdit(w *protocol.WorkspaceEditClientCapabilities) {
	if w == nil {
		return
	}
	pr.versionedEdits = isTrue(w.DocumentChanges) || len(w.ResourceOperations) > 0
	pr.resources = w.ResourceOperations
	pr.changeAnnotations = pr.versionedEdits && w.ChangeAnnotationSupport != nil
}

// readTextDocument reads the capabilities of single documents.
func (pr *profile) readTextDocument(t *protocol.TextDocumentClientCapabilities) {
	pr.readChatFeatures(t)
	if a := t.CodeAction; a != nil {
		pr.actionLiterals = a.CodeActionLiteralSupport.CodeActionKind.ValueSet != nil
		pr.disabledActions = pr.actionLiterals && isTrue(a.DisabledSupport)
	}
	if t.Hover != nil && slices.Contains(t.Hover.ContentFormat, protocol.MarkupKindMarkdown) {
		pr.hoverFormat = protocol.MarkupKindMarkdown
	}
	pr.folderKind = protocol.CompletionItemKindFile
	if c := t.Completion; c != nil && c.CompletionItemKind != nil && c.CompletionItemKind.ValueSet != nil {
		pr.folderKind = protocol.CompletionItemKindFolder // clients without the list know only LSP's first kinds
	}
	pr.codeLenses = t.CodeLens != nil
	if d := t.PublishDiagnostics; d != nil {
		pr.publishesDiagnostics, pr.diagnosticData = true, isTrue(d.DataSupport)
	}
}

// listsSymbolKinds reports whether the client lists the kinds of symbols that it knows. Then it
// takes any other kind, too.
func listsSymbolKinds(c *protocol.ClientCapabilities) bool {
	lists := func(kinds *protocol.ClientSymbolKindOptions) bool { return kinds != nil && kinds.ValueSet != nil }
	return c.Workspace != nil && c.Workspace.Symbol != nil && lists(c.Workspace.Symbol.SymbolKind) &&
		c.TextDocument != nil && c.TextDocument.DocumentSymbol != nil && lists(c.TextDocument.DocumentSymbol.SymbolKind)
}

// plokeCapabilities returns what the client says about the ploke/* methods. It reads
// capabilities.experimental.ploke, else initializationOptions.clientCapabilities,
// because some clients let users set only the latter. A value of another form belongs
// to another extension, so it is ignored.
func plokeCapabilities(experimental, options protocol.LSPAny) ploke.Capabilities {
	var e ploke.Experimental
	if len(experimental) > 0 && json.Unmarshal(experimental, &e) == nil && (e.Ploke.Version > 0 || len(e.Ploke.Methods) > 0) {
		return e.Ploke
	}
	var o struct {
		ClientCapabilities ploke.Experimental `json:"clientCapabilities"`
	}
	if len(options) > 0 && json.Unmarshal(options, &o) == nil {
		return o.ClientCapabilities.Ploke
	}
	return ploke.Capabilities{}
}

func isTrue(b *bool) bool { return b != nil && *b }
