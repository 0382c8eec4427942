package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project/indexing"
)

// partialToken is the partial result token of the streamed answer.
const partialToken = "answer"

// A client is an LSP client of a server in this process, over a pipe. It does not
// declare workspace/applyEdit, so the server writes accepted edits to disk.
type client struct {
	conn  jsonrpc2.Conn
	ended chan error // the result of the server's Serve

	handlers
	ready chan ploke.IndexStatus // the status after the first scan
}

// handlers are what a client does with messages of its server. Each is called alone.
type handlers struct {
	part     func(ploke.Part)                                        // for partial results; may be nil
	permit   func(*ploke.PermissionAskParams) ploke.PermissionAnswer // nil: every permission is rejected
	indexing *progressLine                                           // shows how far the first scan is
}

// connect starts a server and initializes it for a workspace. It fails if the server can't
// open the workspace. How far the index is appears on a line until [client.awaitIndex] returns.
func connect(ctx context.Context, options lsp.Options, workspace string, h handlers) (*client, error) {
	root, err := projectFolder(options.Getenv, workspace)
	if err != nil {
		return nil, err
	}
	options.Headless = true
	ours, theirs := net.Pipe()
	c := &client{ended: make(chan error, 1), handlers: h, ready: make(chan ploke.IndexStatus, 1)}
	go func() { c.ended <- lsp.NewServer(options).Serve(context.WithoutCancel(ctx), theirs) }()
	c.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(ours), jsonrpc2.WithCodec(ploke.Codec{}))
	c.conn.Go(context.WithoutCancel(ctx), c.handle)

	experimental, err := json.Marshal(ploke.Experimental{Ploke: ploke.Capabilities{Version: ploke.Version,
		Methods: []string{ploke.MethodEvent, ploke.MethodPermissionAsk}}})
	if err != nil {
		return nil, err
	}
	params := &protocol.InitializeParams{
		ClientInfo:   protocol.ClientInfo{Name: "ploke-lsp", Version: protocol.NewOptional(version)},
		Capabilities: protocol.ClientCapabilities{Experimental: experimental},
	}
	params.WorkspaceFolders = protocol.NewNullable([]protocol.WorkspaceFolder{{URI: uri.File(root), Name: filepath.Base(root)}})
	if err := c.open(ctx, params); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// open initializes the server. A notification has no reply, so the reply to the first
// request tells whether the workspace is open.
func (c *client) open(ctx context.Context, params *protocol.InitializeParams) error {
	if err := c.call(ctx, protocol.MethodInitialize, params, nil); err != nil {
		return err
	}
	if err := c.conn.Notify(ctx, protocol.MethodInitialized, &protocol.InitializedParams{}); err != nil {
		return err
	}
	var status ploke.IndexStatus
	return c.call(ctx, ploke.MethodIndexStatus, nil, &status)
}

// close sends shutdown and exit to the server and waits until it has ended.
func (c *client) close() error {
	ctx := context.Background()
	if err := c.call(ctx, protocol.MethodShutdown, nil, nil); err != nil {
		return err
	}
	if err := c.conn.Notify(ctx, protocol.MethodExit, nil); err != nil {
		return err
	}
	err := <-c.ended
	c.conn.Close()
	return err
}

// call sends a request. When ctx ends, it cancels the request and returns at once.
func (c *client) call(ctx context.Context, method string, params, result any) error {
	return protocol.Call(ctx, c.conn, method, params, result)
}

// awaitIndex waits until the first scan of the index has ended.
func (c *client) awaitIndex(ctx context.Context) error {
	defer c.indexing.clear()
	select {
	case status := <-c.ready:
		if status.State == "failed" {
			return fmt.Errorf("the workspace could not be indexed: %s", status.Error)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.conn.Done():
		return fmt.Errorf("the server ended: %v", c.conn.Err())
	}
}

// handle handles the messages of the server.
func (c *client) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	switch req.Method() {
	case protocol.MethodProgress:
		var p struct {
			Token ploke.Token     `json:"token"`
			Value protocol.LSPAny `json:"value"`
		}
		var part ploke.Part
		if protocol.Unmarshal(req.Params(), &p) == nil && string(p.Token) == `"`+partialToken+`"` &&
			protocol.Unmarshal(p.Value, &part) == nil && c.part != nil {
			c.part(part)
		}
	case ploke.MethodEvent:
		var e ploke.Event
		if protocol.Unmarshal(req.Params(), &e) == nil && e.Type == ploke.PartIndex {
			c.indexChanged(e.Index)
		}
	case ploke.MethodPermissionAsk: // else the question would wait for a person who is not there
		var p ploke.PermissionAskParams
		if err := protocol.Unmarshal(req.Params(), &p); err != nil || c.permit == nil {
			return &ploke.PermissionAskResult{Answer: ploke.PermissionRejectOnce}, nil
		}
		return &ploke.PermissionAskResult{Answer: c.permit(&p)}, nil
	default:
		if req.IsCall() {
			return nil, jsonrpc2.ErrMethodNotFound
		}
	}
	return nil, nil
}

// indexChanged takes the state of the index.
func (c *client) indexChanged(status *ploke.IndexStatus) {
	c.indexing.showStatus((*indexing.ScanProgress)(status.Progress))
	if status.State == "ready" || status.State == "failed" {
		select {
		case c.ready <- *status:
		default:
		}
	}
}
