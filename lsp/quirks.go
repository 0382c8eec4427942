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
}

// knownQuirks is the table of clients that need more than what they declare. The first row
// that fits counts. lsp/testdata/clients has what each client sends.
var knownQuirks = []struct {
	client  string // the beginning of clientInfo's name
	version string // the beginning of clientInfo's version; empty for all
	quirks  quirks
}{
	{"helix", "", quirks{staysInWorkspace: true}},
	{"Eglot", "", quirks{staysInWorkspace: true, confirmsEdits: true}},
	{"Neovim", "0.7.", quirks{misreportsEdits: true}},
}

// quirksOf returns the known quirks of a client.
func quirksOf(info protocol.ClientInfo) quirks {
	version, _ := info.Version.Get()
	for _, k := range knownQuirks {
		if strings.HasPrefix(info.Name, k.client) && strings.HasPrefix(version, k.version) {
			return k.quirks
		}
	}
	return quirks{}
}

// opensByEdit reports whether the client opens a document to apply an edit to it, without a
// question to the person.
func (pr *profile) opensByEdit() bool { return pr.applyEdit && !pr.confirmsEdits }
