package mux

import (
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

const (
	methodInitialize  = protocol.MethodInitialize
	methodCancel      = "$/cancelRequest"
	methodProgress    = protocol.MethodProgress
	methodDiagnostic  = "textDocument/diagnostic"
	codeRequestFailed = ploke.CodeRequestFailed
)

// provider is the server capability of each method that both servers may answer, or that ours asks the inner one.
var provider = map[string]string{
	"textDocument/codeAction":           "codeActionProvider",
	"textDocument/codeLens":             "codeLensProvider",
	"textDocument/hover":                "hoverProvider",
	"textDocument/completion":           "completionProvider",
	"textDocument/definition":           "definitionProvider",
	"textDocument/foldingRange":         "foldingRangeProvider",
	"textDocument/documentSymbol":       "documentSymbolProvider",
	"workspace/symbol":                  "workspaceSymbolProvider",
	"textDocument/references":           "referencesProvider",
	"textDocument/implementation":       "implementationProvider",
	"textDocument/rename":               "renameProvider",
	"textDocument/prepareRename":        "renameProvider",
	"textDocument/prepareCallHierarchy": "callHierarchyProvider",
	"callHierarchy/incomingCalls":       "callHierarchyProvider",
	"callHierarchy/outgoingCalls":       "callHierarchyProvider",
	methodDiagnostic:                    "diagnosticProvider",
}

// merged are the requests that both servers answer, with how the answers become one. The first one is the inner's.
var merged = map[string]func(all [2]json.RawMessage) json.RawMessage{
	"textDocument/codeAction": joinLists,
	"textDocument/codeLens":   joinLists,
	"workspace/symbol":        joinLists,
	"textDocument/hover":      joinHovers,
}

// resolves are the requests that complete an item of an answer. They go to the server whose item it is.
var resolves = map[string]bool{"codeAction/resolve": true, "codeLens/resolve": true, "completionItem/resolve": true}

// emptyReport is what pulls the diagnostics of a document that only ours knows, which publishes them.
var emptyReport = answer{result: json.RawMessage(`{"kind":"full","items":[]}`)}

// paramsHead is what routes a message: the members of parameters that say what it is about.
type paramsHead struct {
	TextDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int64  `json:"version"`
	} `json:"textDocument"`
	Command string          `json:"command"`
	Token   json.RawMessage `json:"token"`
	ID      json.RawMessage `json:"id"`
	Unread  json.RawMessage `json:"unread"`
}

func headOf(params jsonrpc2.RawMessage) (h paramsHead) {
	_ = json.Unmarshal(params, &h) // what has another form is about nothing
	return h
}

// target returns who answers a request about h alone; nil if no server does.
func (m *Mux) target(method string, h *paramsHead) *server {
	switch {
	case method == protocol.MethodWorkspaceExecuteCommand:
		if m.ours.can.commands[h.Command] {
			return m.ours
		}
		return m.inner
	case len(method) > len("ploke/") && method[:len("ploke/")] == "ploke/":
		return m.ours
	case h.TextDocument.URI != "" && m.options.Own(h.TextDocument.URI):
		if m.ours.can.answers(method) {
			return m.ours
		}
		return nil
	case !m.inner.can.answers(method) && m.ours.can.answers(method):
		return m.ours
	}
	return m.inner
}
