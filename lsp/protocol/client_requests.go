package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// MethodClientDiagnostics is a request from the server to a client that supports it,
// for the diagnostics of other language servers; see [ClientDiagnosticsParams].
const MethodClientDiagnostics = "ploke/client/diagnostics"

// ClientDiagnosticsParams requests the diagnostics of one document or, without URI, of
// all documents.
type ClientDiagnosticsParams struct {
	URI uri.URI `json:"uri,omitzero"`
}

// ClientDiagnosticsResult holds the diagnostics of the documents' current text.
// Documents without diagnostics may be omitted.
type ClientDiagnosticsResult struct {
	Documents []DocumentDiagnostics `json:"documents"`
}

// DocumentDiagnostics holds the diagnostics of one document.
type DocumentDiagnostics struct {
	URI         uri.URI               `json:"uri"`
	Diagnostics []protocol.Diagnostic `json:"diagnostics"`
}

// MethodClientState is a request from the server to a client that supports it, without
// parameters, for the cursor and the documents of the editor. The result is a
// [ClientState]. A running search waits for it, so the client must reply at once.
const MethodClientState = "ploke/client/state"

// ClientState is the state of the editor. The documents may include URIs that are not
// files.
type ClientState struct {
	// Selection is the selection in the document that has the cursor, or had it last.
	// Its range is empty if nothing is selected.
	Selection *protocol.Location `json:"selection,omitzero"`
	Visible   []uri.URI          `json:"visible"` // on the screen
	Recent    []uri.URI          `json:"recent"`  // edited by the person, the most recent first; the server uses at most ten
}
