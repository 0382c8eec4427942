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
