package lspclient

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
)

// handle answers a request of the server, and takes a notification. It never waits.
func (c *Client) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	if !req.IsCall() {
		c.notified(req.Method(), req.Params())
		return nil, nil
	}
	switch req.Method() {
	case "window/workDoneProgress/create", "window/showMessageRequest",
		"client/registerCapability", "client/unregisterCapability",
		"workspace/codeLens/refresh", "workspace/diagnostic/refresh", "workspace/inlayHint/refresh",
		"workspace/inlineValue/refresh", "workspace/semanticTokens/refresh", "workspace/foldingRange/refresh":
		return nil, nil
	case "workspace/workspaceFolders":
		return c.folders(), nil
	case "workspace/configuration":
		var params struct{ Items []json.RawMessage }
		if err := json.Unmarshal(req.Params(), &params); err != nil {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the items are missing")
		}
		return make([]any, len(params.Items)), nil // no settings of ours
	case "workspace/applyEdit":
		return object{"applied": false, "failureReason": "this client only reads"}, nil
	case "window/showDocument":
		return object{"success": false}, nil
	}
	return nil, jsonrpc2.ErrMethodNotFound
}

// notified takes the notifications that say how far the server is and what is wrong, and leaves all others aside.
func (c *Client) notified(method string, params []byte) {
	switch method {
	case "$/progress":
		var p struct {
			Token json.RawMessage
			Value struct{ Kind, Title string }
		}
		if json.Unmarshal(params, &p) == nil {
			c.progress.reported(string(p.Token), p.Value.Kind, p.Value.Title)
		}
	case "textDocument/publishDiagnostics":
		c.publish(params)
	case "window/logMessage":
		var p struct{ Message string }
		if json.Unmarshal(params, &p) == nil && listedFiles.MatchString(p.Message) {
			c.progress.setListed(true)
		}
	case "experimental/serverStatus":
		var p struct{ Quiescent *bool }
		if json.Unmarshal(params, &p) == nil && p.Quiescent != nil {
			c.progress.setQuiescent(*p.Quiescent)
		}
	}
}
