package client

import (
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// A Profile holds the client's declared capabilities, which decide what the server
// sends.
type Profile struct {
	name       string
	product    string         // with the version, as people call it
	Negotiated ploke.Encoding // what initialize answers
	Encoding   ploke.Encoding // what the client really uses

	Editing
	Windows
	Presentation
	Registration
	Quirks // what the client does, whatever it declares

	Ploke   ploke.Capabilities // the ploke/* methods that the client supports, and the version to speak
	Differs string             // why there is no such version; the client then has plain LSP only
}

// Editing is how the client applies edits.
type Editing struct {
	AppliesEdits   bool
	VersionedEdits bool                             // documentChanges
	Resources      []protocol.ResourceOperationKind // the file operations that a WorkspaceEdit may hold
	EditMetadata   bool                             // it can be told that an edit is a refactoring
}

// Windows is what the client can show outside of a document.
type Windows struct {
	workDoneProgress     bool
	ShowsDocuments       bool
	ShowsMessageRequests bool
}

// Presentation is in which form the client takes what it shows in a document.
type Presentation struct {
	ActionLiterals       bool // else code actions are plain commands
	disabledActions      bool
	preferredActions     bool
	HoverFormat          protocol.MarkupKind
	FolderKind           protocol.CompletionItemKind // of the completion of a folder
	knowsStructs         bool                        // as kinds of symbols
	CodeLenses           bool
	RefreshesLenses      bool // workspace/codeLens/refresh
	PublishesDiagnostics bool
	DiagnosticData       bool // the client returns the data of diagnostics
}

// Registration is what the client registers dynamically, or answers when it is asked.
type Registration struct {
	WatchesFiles     bool // registers file watchers dynamically
	RelativePatterns bool // watches relative patterns
	SyncsNotebooks   bool // sends the cells of the notebooks that are open

	OfferedFeatures, RegisteredFeatures []Feature

	SupportsConfiguration         bool // answers workspace/configuration
	RegistersConfigurationChanges bool // registers didChangeConfiguration dynamically
}

// NewProfile reads what a client declares. features are what the server offers in some documents alone.
func NewProfile(p *protocol.InitializeParams, features []Feature) Profile {
	c := p.Capabilities
	pr := Profile{name: p.ClientInfo.Name, product: productOf(p.ClientInfo),
		Encoding: protocol.PositionEncodingKindUTF16, Quirks: quirksOf(p)}
	pr.HoverFormat = protocol.MarkupKindPlainText
	if c.General != nil {
		pr.Encoding = ploke.NegotiateEncoding(c.General.PositionEncodings)
	}
	if c.Workspace != nil {
		pr.AppliesEdits = IsTrue(c.Workspace.ApplyEdit)
		pr.readWorkspaceEdit(c.Workspace.WorkspaceEdit)
		pr.SupportsConfiguration = IsTrue(c.Workspace.Configuration)
		if changes := c.Workspace.DidChangeConfiguration; changes != nil {
			pr.RegistersConfigurationChanges = IsTrue(changes.DynamicRegistration)
		}
		if watched := c.Workspace.DidChangeWatchedFiles; watched != nil {
			pr.WatchesFiles = IsTrue(watched.DynamicRegistration)
			pr.RelativePatterns = IsTrue(watched.RelativePatternSupport)
		}
		pr.RefreshesLenses = c.Workspace.CodeLens != nil && IsTrue(c.Workspace.CodeLens.RefreshSupport)
	}
	if c.TextDocument != nil {
		pr.readTextDocument(c.TextDocument)
		pr.readFeatures(c.TextDocument, features)
	}
	pr.SyncsNotebooks = c.NotebookDocument != nil
	pr.knowsStructs = listsSymbolKinds(&c)
	if c.Window != nil {
		pr.workDoneProgress = IsTrue(c.Window.WorkDoneProgress)
		pr.ShowsDocuments = c.Window.ShowDocument != nil && c.Window.ShowDocument.Support
		pr.ShowsMessageRequests = c.Window.ShowMessage != nil
	}
	pr.Negotiated = pr.Encoding
	if pr.countsCodePoints {
		pr.Encoding = protocol.PositionEncodingKindUTF32
	}
	pr.negotiateVersion(plokeCapabilities(c.Experimental, p.InitializationOptions), ploke.OldestVersion, ploke.Version)
	return pr
}

// readWorkspaceEdit reads the capabilities of workspace edits. A client that declares
// resource operations also counts as supporting versioned edits, because Neovim
// before 0.11 supports both and declares only the former.
func (pr *Profile) readWorkspaceEdit(w *protocol.WorkspaceEditClientCapabilities) {
	if w == nil {
		return
	}
	pr.VersionedEdits = IsTrue(w.DocumentChanges) || len(w.ResourceOperations) > 0
	pr.Resources = w.ResourceOperations
	pr.EditMetadata = IsTrue(w.MetadataSupport)
}

// readTextDocument reads the capabilities of single documents.
func (pr *Profile) readTextDocument(t *protocol.TextDocumentClientCapabilities) {
	if a := t.CodeAction; a != nil {
		pr.ActionLiterals = a.CodeActionLiteralSupport.CodeActionKind.ValueSet != nil
		pr.disabledActions = pr.ActionLiterals && IsTrue(a.DisabledSupport)
		pr.preferredActions = pr.ActionLiterals && IsTrue(a.IsPreferredSupport)
	}
	if t.Hover != nil && slices.Contains(t.Hover.ContentFormat, protocol.MarkupKindMarkdown) {
		pr.HoverFormat = protocol.MarkupKindMarkdown
	}
	pr.FolderKind = protocol.CompletionItemKindFile
	if c := t.Completion; c != nil && c.CompletionItemKind != nil && c.CompletionItemKind.ValueSet != nil {
		pr.FolderKind = protocol.CompletionItemKindFolder // clients without the list know only LSP's first kinds
	}
	pr.CodeLenses = t.CodeLens != nil
	if d := t.PublishDiagnostics; d != nil {
		pr.PublishesDiagnostics, pr.DiagnosticData = true, IsTrue(d.DataSupport)
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
	if len(experimental) > 0 && json.Unmarshal(experimental, &e) == nil &&
		(e.Ploke.Version > 0 || len(e.Ploke.Methods) > 0) {
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

// IsTrue reports whether a capability is declared and true.
func IsTrue(b *bool) bool { return b != nil && *b }

// ShowsProposals reports whether the client shows proposals by itself, as our own extensions do.
func (pr *Profile) ShowsProposals() bool { return pr.Ploke.Has(ploke.MethodEvent) }

// ChangesFiles reports whether the client applies edits, and each operation on files.
func (pr *Profile) ChangesFiles() bool {
	for _, kind := range []protocol.ResourceOperationKind{
		protocol.ResourceOperationKindCreate, protocol.ResourceOperationKindRename, protocol.ResourceOperationKindDelete,
	} {
		if !slices.Contains(pr.Resources, kind) {
			return false
		}
	}
	return pr.AppliesEdits && pr.VersionedEdits
}
