package protocol

import "go.lsp.dev/protocol"

// A Token identifies a stream of progress. It is any JSON string or whole number, which the
// server returns unchanged.
type Token = protocol.LSPAny

// Progress is the parameter of $/progress, in either direction.
type Progress struct {
	Token Token `json:"token"`
	Value any   `json:"value"`
}

// ProgressCancel is the parameter of window/workDoneProgress/cancel.
type ProgressCancel struct {
	Token Token `json:"token"`
}
