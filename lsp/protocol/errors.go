package protocol

import "go.lsp.dev/jsonrpc2"

// The codes of error replies: those of JSON-RPC and those that LSP adds. The message of an
// error says what went wrong and what to try; it is for people, and may change.
const (
	// CodeParseError means that a message is not JSON.
	CodeParseError = jsonrpc2.Code(-32700)
	// CodeInvalidRequest means that a request came at the wrong time, such as after shutdown,
	// or that a message is no request.
	CodeInvalidRequest = jsonrpc2.Code(-32600)
	// CodeMethodNotFound means that the server has no such method, or that it does not speak
	// the version of the client.
	CodeMethodNotFound = jsonrpc2.Code(-32601)
	// CodeInvalidParams means that the parameters don't have the form of their type.
	CodeInvalidParams = jsonrpc2.Code(-32602)
	// CodeInternalError means that the server has a bug. Its log has the details.
	CodeInternalError = jsonrpc2.Code(-32603)
	// CodeServerNotInitialized means that a request came before initialize and initialized.
	CodeServerNotInitialized = jsonrpc2.Code(-32002)
	// CodeRequestCancelled means that the client has cancelled the request.
	CodeRequestCancelled = jsonrpc2.Code(-32800)
	// CodeRequestFailed means that the request was understood and could not be done, such as
	// that there is no conversation with its id.
	CodeRequestFailed = jsonrpc2.Code(-32803)
)

// IsErrorCode reports whether a code is one of those above.
func IsErrorCode(code jsonrpc2.Code) bool {
	switch code {
	case CodeParseError, CodeInvalidRequest, CodeMethodNotFound, CodeInvalidParams, CodeInternalError,
		CodeServerNotInitialized, CodeRequestCancelled, CodeRequestFailed:
		return true
	}
	return false
}
