package protocol

import (
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// The language servers of the editor. A client that names the first two methods asks them what the code means, so that
// nothing has to be started for that. It never asks this server itself, and never starts a server.
const (
	// MethodClientServers lists the language servers that serve a document. The client replies at once.
	MethodClientServers = "ploke/client/lspServers"
	// MethodClientAsk has one of them answer a request of LSP. The client opens the document for that server if it is not
	// open. It replies in any case, with nothing if the server has not answered within some seconds.
	MethodClientAsk = "ploke/client/lsp"
	// MethodServerAnswer is the answer to a request that the client has postponed with later. What belongs to no request
	// that waits is ignored.
	MethodServerAnswer = "ploke/lsp/answer"
)

// ClientLSPServersParams names a document, which need not be open.
type ClientLSPServersParams struct {
	URI uri.URI `json:"uri"`
}

// ClientLSPServersResult holds the servers, none if the editor has none for the document.
type ClientLSPServersResult struct {
	Servers []LSPServer `json:"servers"`
}

// An LSPServer is a language server of the editor.
type LSPServer struct {
	ID       string      `json:"id"`               // identifies the server in [ClientLSPParams]
	Name     string      `json:"name"`             // for people, such as gopls
	Version  string      `json:"version,omitzero"` // that the server gives itself; omitted if it is unknown
	Encoding string      `json:"encoding"`         // of positions in requests to the server and in its answers
	Methods  []LSPMethod `json:"methods"`          // that the server answers
	Running  []string    `json:"running,omitzero"` // titles of what it does, as it has told with $/progress
	Ended    []string    `json:"ended,omitzero"`   // titles of what it has done; some are enough
}

// ClientLSPParams is a request to a language server.
type ClientLSPParams struct {
	Request string          `json:"request"`          // identifies this request in [LSPAnswer]
	Server  string          `json:"server"`           // the id of an [LSPServer]
	URI     uri.URI         `json:"uri"`              // of the document that the request is about
	Version *int32          `json:"version,omitzero"` // of the document, as the server has it; omitted if it is not open
	Method  LSPMethod       `json:"method"`           // a client refuses any other one
	Params  protocol.LSPAny `json:"params"`           // of the method, with positions in the server's encoding
}

// LSPAnswer is the answer of a language server.
type LSPAnswer struct {
	Request string `json:"request,omitzero"` // with [MethodServerAnswer]: that of the params
	// Later postpones the answer: the client can't keep a request open, and sends [MethodServerAnswer] afterwards. Then it
	// sends what has been typed first.
	Later   bool            `json:"later,omitzero"`
	Result  protocol.LSPAny `json:"result,omitzero"`  // of the method, as the language server has sent it
	Refusal string          `json:"refusal,omitzero"` // the server's error, if it has answered with one
	Failure string          `json:"failure,omitzero"` // why there is no answer of the server
	// Version is that of the document which the server has answered for, if it is open in the editor.
	Version *int32 `json:"version,omitzero"`
	// Changed says that the server has not answered for the text of the question: the document has changed meanwhile, or
	// has text that this server does not have.
	Changed bool       `json:"changed,omitzero"`
	Server  *LSPServer `json:"server,omitzero"` // as it is after the answer
}

// LSPMethod is a method of LSP that reads, or returns an edit. There is none that changes anything.
type LSPMethod string

// The methods.
const (
	LSPDefinition     LSPMethod = "textDocument/definition"
	LSPReferences     LSPMethod = "textDocument/references"
	LSPImplementation LSPMethod = "textDocument/implementation"
	LSPPrepareRename  LSPMethod = "textDocument/prepareRename"
	LSPRename         LSPMethod = "textDocument/rename"
	LSPPrepareCalls   LSPMethod = "textDocument/prepareCallHierarchy"
	LSPIncomingCalls  LSPMethod = "callHierarchy/incomingCalls"
	LSPOutgoingCalls  LSPMethod = "callHierarchy/outgoingCalls"
	LSPDiagnostic     LSPMethod = "textDocument/diagnostic"
	LSPCodeAction     LSPMethod = "textDocument/codeAction"
)

// Known reports whether a method is one of these.
func (m LSPMethod) Known() bool {
	return slices.Contains([]LSPMethod{LSPDefinition, LSPReferences, LSPImplementation, LSPPrepareRename, LSPRename,
		LSPPrepareCalls, LSPIncomingCalls, LSPOutgoingCalls, LSPDiagnostic, LSPCodeAction}, m)
}
