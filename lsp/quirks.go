package lsp

import (
	"strings"

	"go.lsp.dev/protocol"
)

// quirks are what a client does beside what it declares.
type quirks struct {
	// staysInWorkspace: the client attaches no server to a file outside of the workspace.
	staysInWorkspace bool
	// confirmsEdits: the client asks the person before each workspace/applyEdit, and waits.
	confirmsEdits bool
	// misreportsEdits: the client answers applied:true to an edit of a stale version, without
	// applying it.
	misreportsEdits bool
	// countsCodePoints: the client counts the code points before a position, although it uses
	// UTF-16 by default.
	countsCodePoints bool
	// losesFiles: the client answers applied:true to an edit of several files of which it has
	// left some out, or fails after some.
	losesFiles bool
	// emptyHasLineEnd: the client's text of an empty document is one line end, which stays behind what is inserted.
	emptyHasLineEnd bool
	// undeclared are methods that the client calls, although it does not declare them.
	undeclared []string
	// shufflesChanges: the client numbers the versions of a document one by one, and may send
	// what happened in quick succession in another order.
	shufflesChanges bool
	// calmQuestions: a window/showMessageRequest neither blocks nor prompts, so the person can
	// go on without an answer.
	calmQuestions bool
}

// knownQuirks is the table of clients that need more than what they declare. The first row
// that fits counts. testdata/clients has what each client sends in initialize.
var knownQuirks = []struct {
	client  string // the beginning of clientInfo's name
	version string // the beginning of clientInfo's version; empty for all
	quirks  quirks
}{
	{"helix", "24.", quirks{staysInWorkspace: true, undeclared: undeclaredByHelix, shufflesChanges: true}},
	{"helix", "25.01", quirks{staysInWorkspace: true, undeclared: undeclaredByHelix, shufflesChanges: true}},
	{"helix", "", quirks{staysInWorkspace: true, undeclared: undeclaredByHelix}},
	{"emacs", "", quirks{countsCodePoints: true}}, // lsp-mode
	{"Eglot", "", quirks{staysInWorkspace: true, confirmsEdits: true, losesFiles: true}},
	{"Neovim", "0.7.", quirks{misreportsEdits: true, losesFiles: true, emptyHasLineEnd: true}},
	{"Neovim", "", quirks{emptyHasLineEnd: true}},
	{"Visual Studio Code", "", quirks{losesFiles: true, calmQuestions: true}},
	{"code-server", "", quirks{losesFiles: true, calmQuestions: true}},
	{"coc.nvim", "", quirks{calmQuestions: true}},
}

var undeclaredByHelix = []string{protocol.MethodTextDocumentDefinition, protocol.MethodTextDocumentDocumentSymbol}

// quirksOf returns the known quirks of a client.
func quirksOf(p *protocol.InitializeParams) quirks {
	name := p.ClientInfo.Name
	if name == "" && isOldEglot(&p.Capabilities) {
		name = "Eglot"
	}
	version, _ := p.ClientInfo.Version.Get()
	for _, k := range knownQuirks {
		if strings.HasPrefix(name, k.client) && strings.HasPrefix(version, k.version) {
			return k.quirks
		}
	}
	return quirks{}
}

// isOldEglot reports whether capabilities are those of Eglot in Emacs 28 and before, which does
// not send its name: it applies versioned edits, but no operations on files, and has no window
// capabilities.
func isOldEglot(c *protocol.ClientCapabilities) bool {
	w := c.Workspace
	return c.Window == nil && c.General == nil && w != nil && isTrue(w.ApplyEdit) &&
		w.WorkspaceEdit != nil && isTrue(w.WorkspaceEdit.DocumentChanges) && w.WorkspaceEdit.ResourceOperations == nil
}

// opensByEdit reports whether the client opens a document to apply an edit to it, without a
// question to the person.
func (pr *profile) opensByEdit() bool { return pr.applyEdit && !pr.confirmsEdits }
