package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// MethodClientDiagnostics is a request from the server to a client that named it:
// what do other language servers, linters and the like say? See
// [ClientDiagnosticsParams].
const MethodClientDiagnostics = "ploke/client/diagnostics"

// ClientDiagnosticsParams asks for the diagnostics of one document, or, without
// URI, of all that the client knows of.
type ClientDiagnosticsParams struct {
	URI uri.URI `json:"uri,omitzero"`
}

// ClientDiagnosticsResult are diagnostics of the documents' texts as the client has
// them. A document without any may be left out.
type ClientDiagnosticsResult struct {
	Documents []DocumentDiagnostics `json:"documents"`
}

// DocumentDiagnostics are those of one document.
type DocumentDiagnostics struct {
	URI         uri.URI               `json:"uri"`
	Diagnostics []protocol.Diagnostic `json:"diagnostics"`
}

// MethodClientState is a request from the server to a client that named it, without
// parameters: where is the person? The answer is a [ClientState]. It is asked for while
// a turn goes on, so it is to be given at once, from what the client knows anyway.
const MethodClientState = "ploke/client/state"

// ClientState is where the person at the editor is. What is no file may be among the
// documents.
type ClientState struct {
	// Selection is that of the text that has the cursor, or had it last; its range is
	// empty where nothing is selected.
	Selection *protocol.Location `json:"selection,omitzero"`
	Visible   []uri.URI          `json:"visible"` // on the screen
	Recent    []uri.URI          `json:"recent"`  // edited by the person, the last one first; ten are enough
}
