package lsp

import (
	"encoding/json"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// A profile is what the client said it can do. It decides what is sent to it.
type profile struct {
	name     string
	encoding ploke.Encoding

	applyEdit        bool
	versionedEdits   bool                             // documentChanges
	resources        []protocol.ResourceOperationKind // what a WorkspaceEdit may do to files
	workDoneProgress bool
	showDocument     bool
	watchesFiles     bool // when asked to
	relativePatterns bool // in what it is asked to watch

	supportsConfiguration         bool // answers workspace/configuration
	registersConfigurationChanges bool // tells of changed settings when asked to

	ploke ploke.Capabilities // the ploke/* methods that the client understands
}

func newProfile(p *protocol.InitializeParams) profile {
	c := p.Capabilities
	pr := profile{name: p.ClientInfo.Name, encoding: protocol.PositionEncodingKindUTF16}
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
	}
	if c.Window != nil {
		pr.workDoneProgress = isTrue(c.Window.WorkDoneProgress)
		pr.showDocument = c.Window.ShowDocument != nil && c.Window.ShowDocument.Support
	}
	pr.ploke = plokeCapabilities(c.Experimental, p.InitializationOptions)
	return pr
}

// readWorkspaceEdit takes resource operations for support of versioned edits
// too: Neovim before 0.11 declares only the former and understands both.
func (pr *profile) readWorkspaceEdit(w *protocol.WorkspaceEditClientCapabilities) {
	if w == nil {
		return
	}
	pr.versionedEdits = isTrue(w.DocumentChanges) || len(w.ResourceOperations) > 0
	pr.resources = w.ResourceOperations
}

// declared reads what the client understands of ours: from
// capabilities.experimental.ploke, else from
// initializationOptions.clientCapabilities, for clients whose users can set
// only the latter. Another extension's experimental values are none of ours,
// so a form that does not fit means that nothing was declared.
func plokeCapabilities(experimental, options protocol.LSPAny) ploke.Capabilities {
	var e ploke.Experimental
	if len(experimental) > 0 && json.Unmarshal(experimental, &e) == nil && len(e.Ploke.Methods) > 0 {
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
