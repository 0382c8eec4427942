package document

import "go.lsp.dev/protocol"

// A Place is what code actions are requested for: a range of a document, which may be empty.
type Place struct {
	*Parsed
	Selection   protocol.Range
	Start, End  int // of the selection, byte offsets in order
	Diagnostics []protocol.Diagnostic
}
