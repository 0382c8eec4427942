package lsptest

import (
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
)

// WithDiagnostics adds to c the support of ploke/client/diagnostics; see [Options].
func WithDiagnostics(c *protocol.ClientCapabilities) *protocol.ClientCapabilities {
	return withMethods(c, ploke.MethodEvent, ploke.MethodPermissionAsk, ploke.MethodClientDiagnostics)
}

// answerDiagnostics answers ploke/client/diagnostics.
func (e *Editor) answerDiagnostics(params []byte) (any, error) {
	var p ploke.ClientDiagnosticsParams
	if err := protocol.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	documents := slices.Clone(e.options.Diagnostics)
	if p.URI != "" {
		documents = slices.DeleteFunc(documents, func(d ploke.DocumentDiagnostics) bool { return d.URI != p.URI })
	}
	return &ploke.ClientDiagnosticsResult{Documents: documents}, nil
}

// recordDiagnostics records what the server published about a document. The lock is held.
func (e *Editor) recordDiagnostics(params []byte) error {
	var p protocol.PublishDiagnosticsParams
	if err := protocol.Unmarshal(params, &p); err != nil {
		return err
	}
	if !e.options.ForgetsDiagnostics || e.documents[p.URI] != nil {
		e.published[p.URI] = p.Diagnostics
	}
	return nil
}

// Published returns the diagnostics that the server published last about a file.
func (e *Editor) Published(path string) []protocol.Diagnostic {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.published[uri.File(path)])
}

// AllPublished returns the diagnostics of all documents by their paths.
func (e *Editor) AllPublished() map[string][]protocol.Diagnostic {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := map[string][]protocol.Diagnostic{}
	for u, list := range e.published {
		all[u.FsPath()] = slices.Clone(list)
	}
	return all
}
