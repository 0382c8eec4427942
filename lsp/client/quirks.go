package client

import (
	"strings"

	"go.lsp.dev/protocol"
)

// Quirks are what a client does besides what it declares.
type Quirks struct {
	// StaysInWorkspace: the client attaches no server to a file outside of the workspace.
	StaysInWorkspace bool
	// ConfirmsEdits: the client asks the person before each workspace/applyEdit, and waits.
	ConfirmsEdits bool
	// MisreportsEdits: the client answers applied:true to an edit of a stale version, without
	// applying it.
	MisreportsEdits bool
	// countsCodePoints: the client counts the code points before a position, although it uses
	// UTF-16 by default.
	countsCodePoints bool
	// LosesFiles: the client answers applied:true to an edit of several files of which it has
	// left some out, or fails after some.
	LosesFiles bool
	// StopsAtResponses: the client reads a response that it waits for, and what came in one piece with it only when more
	// comes (process filters of jsonrpc.el before Emacs 30 are left by a throw).
	StopsAtResponses bool
	// EndsLines: the client ends each line, also that behind the last line end: its text of an empty document is one
	// line end, and what is inserted at the end of a text gets one more.
	EndsLines bool
	// OmitsDiagnostics: the client asks for code actions with the diagnostics of this server alone.
	OmitsDiagnostics bool
	// PrintsLabels: the client prints "Workspace edit" with the label of each edit, over what was said before.
	PrintsLabels bool
	// OpenKeys are what a person types to go to a document that the client does not open by itself, or opens in the
	// background; empty if they are not known.
	OpenKeys string
	// OpensPaths: the OpenKeys ask for a path, which is relative to the folder of the document in front.
	OpensPaths bool
	// undeclared are methods that the client calls, although it does not declare them.
	undeclared []string
	// ShufflesChanges: the client numbers the versions of a document one by one, and may send
	// what happened in quick succession in another order.
	ShufflesChanges bool
	// CalmQuestions: a window/showMessageRequest neither blocks nor prompts, so the person can
	// go on without an answer.
	CalmQuestions bool
}

// knownQuirks is the table of clients that need more than what they declare. The first row
// that fits counts. testdata/clients has what each client sends in initialize.
var knownQuirks = []struct {
	client  string // the beginning of clientInfo's name
	version string // the beginning of clientInfo's version; empty for all
	Quirks  Quirks
}{
	{"helix", "24.", Quirks{StaysInWorkspace: true, OpenKeys: "space b", undeclared: undeclaredByHelix,
		ShufflesChanges: true}},
	{"helix", "25.01", Quirks{StaysInWorkspace: true, OpenKeys: "space b", undeclared: undeclaredByHelix,
		ShufflesChanges: true}},
	{"helix", "", Quirks{StaysInWorkspace: true, OpenKeys: "space b", undeclared: undeclaredByHelix}},
	{"emacs", "", Quirks{countsCodePoints: true, OpenKeys: "C-x b"}}, // lsp-mode
	{"Eglot", "", Quirks{StaysInWorkspace: true, ConfirmsEdits: true, LosesFiles: true, StopsAtResponses: true,
		OpenKeys: "C-x C-f", OpensPaths: true}},
	{"Neovim", "0.7.", Quirks{MisreportsEdits: true, LosesFiles: true, EndsLines: true, PrintsLabels: true,
		OpenKeys: ":b"}},
	{"Neovim", "", Quirks{EndsLines: true, OmitsDiagnostics: true, // asks so since 0.10
		PrintsLabels: true, OpenKeys: ":b"}},
	{"Visual Studio Code", "", Quirks{LosesFiles: true, CalmQuestions: true}},
	{"code-server", "", Quirks{LosesFiles: true, CalmQuestions: true}},
	{"coc.nvim", "", Quirks{CalmQuestions: true}},
}

var undeclaredByHelix = []string{protocol.MethodTextDocumentDefinition, protocol.MethodTextDocumentDocumentSymbol}

// quirksOf returns the known quirks of a client.
func quirksOf(p *protocol.InitializeParams) Quirks {
	name := p.ClientInfo.Name
	if name == "" && isOldEglot(&p.Capabilities) {
		name = "Eglot"
	}
	version, _ := p.ClientInfo.Version.Get()
	for _, k := range knownQuirks {
		if strings.HasPrefix(name, k.client) && strings.HasPrefix(version, k.version) {
			return k.Quirks
		}
	}
	return Quirks{}
}

// isOldEglot reports whether capabilities are those of Eglot in Emacs 28 and before, which does
// not send its name: it applies versioned edits, but no operations on files, and has no window
// capabilities.
func isOldEglot(c *protocol.ClientCapabilities) bool {
	w := c.Workspace
	return c.Window == nil && c.General == nil && w != nil && IsTrue(w.ApplyEdit) &&
		w.WorkspaceEdit != nil && IsTrue(w.WorkspaceEdit.DocumentChanges) && w.WorkspaceEdit.ResourceOperations == nil
}

// TakesEditsInActions reports whether the client is to get an edit in the action that makes it: it applies none on
// request, or asks about each, and the person has just chosen the action.
func (pr *Profile) TakesEditsInActions() bool {
	return (!pr.AppliesEdits || pr.ConfirmsEdits) && pr.ActionLiterals
}

// OpensByEdit reports whether the client opens a document to apply an edit to it, without a
// question to the person.
func (pr *Profile) OpensByEdit() bool { return pr.AppliesEdits && !pr.ConfirmsEdits }
