package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// The requests to the editor. A running search waits for the second one, so the client must
// reply at once. If the client fails, the server goes on without what it asked for.
const (
	// MethodClientDiagnostics asks for the diagnostics of other language servers.
	MethodClientDiagnostics = "ploke/client/diagnostics"
	// MethodClientState asks for the cursor and the documents of the editor.
	MethodClientState = "ploke/client/state"
	// MethodClientTerminal asks for the last command in a terminal of the editor. The person's message asks for it, with
	// the word @terminal.
	MethodClientTerminal = "ploke/client/terminal"
)

// ClientDiagnosticsParams selects documents.
type ClientDiagnosticsParams struct {
	URI uri.URI `json:"uri,omitzero"` // by default all documents
}

// ClientDiagnosticsResult holds the diagnostics of the documents' current text.
type ClientDiagnosticsResult struct {
	Documents []DocumentDiagnostics `json:"documents"` // those without diagnostics may be omitted
}

// DocumentDiagnostics holds the diagnostics of one document.
type DocumentDiagnostics struct {
	URI         uri.URI               `json:"uri"`
	Diagnostics []protocol.Diagnostic `json:"diagnostics"`
}

// ClientState is the state of the editor. The documents may include URIs that are not
// files.
type ClientState struct {
	// Selection is the selection in the document that has the cursor, or had it last. Its range is
	// empty if nothing is selected.
	Selection *protocol.Location `json:"selection,omitzero"`
	Visible   []uri.URI          `json:"visible"` // on the screen
	// edited by the person, the most recent first; the server uses at most ten
	Recent []uri.URI `json:"recent"`
	// Open are those that the person has open, the last used first; by default those that the client has opened with
	// textDocument/didOpen.
	Open []uri.URI `json:"open,omitzero"`
}

// ClientTerminalResult is the last command in a terminal. It may run still.
type ClientTerminalResult struct {
	Command  string `json:"command"`           // empty if there was none, or the shell does not tell
	Output   string `json:"output"`            // its end, at least 32 KiB of it; control sequences are taken out
	ExitCode *int   `json:"exitCode,omitzero"` // omitted if the command runs, or the shell does not tell
}
