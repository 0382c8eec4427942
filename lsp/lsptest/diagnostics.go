package lsptest

import (
	"slices"

	"go.lsp.dev/protocol"

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
