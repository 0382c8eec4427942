package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/lsp/wire"
)

// A route maps a method to its handler.
type route struct {
	method       string
	notification bool
	serve        func(ctx context.Context, params []byte) (any, error)
}

// onRequest returns the route of a request.
func onRequest[P, R any](method string, handle func(context.Context, *P) (R, error)) route {
	return route{method: method, serve: func(ctx context.Context, raw []byte) (any, error) {
		params, err := decodeParams[P](method, raw)
		if err != nil {
			return nil, err
		}
		return handle(ctx, params)
	}}
}

// onNotification returns the route of a notification.
func onNotification[P any](method string, handle func(context.Context, *P) error) route {
	return route{method: method, notification: true, serve: func(ctx context.Context, raw []byte) (any, error) {
		params, err := decodeParams[P](method, raw)
		if err != nil {
			return nil, err
		}
		return nil, handle(ctx, params)
	}}
}

// noParams is for methods without parameters: decodeParams ignores what the client
// sends.
type noParams struct{}

func decodeParams[P any](method string, raw []byte) (*P, error) {
	params := new(P)
	if _, ignored := any(params).(*noParams); ignored || len(raw) == 0 || string(raw) == "null" {
		return params, nil
	}
	if err := protocol.Unmarshal(raw, params); err != nil {
		return nil, jsonrpc2.NewError(ploke.CodeInvalidParams, fmt.Sprintf("%s: the parameters don't have the expected form: %v", method, err))
	}
	return params, nil
}

// releaseKey is the context key of the function that [release] calls.
type releaseKey struct{}

// release lets the requests that follow this one start. A handler calls it after it
// has read the server's state, and before it does slow work or sends a request to the
// client.
func release(ctx context.Context) {
	if f, ok := ctx.Value(releaseKey{}).(func()); ok {
		f()
	}
}

// A router runs the handlers. Each one starts after the one before it has returned or
// called release. $/cancelRequest and window/workDoneProgress/cancel cancel the context
// of a handler, and a panic fails only its own request.
type router struct {
	baseContext context.Context // the parent of the handlers' contexts
	routes      map[string]route
	// admit returns an error if the server's phase does not allow the method.
	admit func(method string) error
	log   func(format string, args ...any)
	// onCancel gets the requests that have a token for their progress.
	onCancel func(token ploke.Token, cancel func()) (remove func())

	mu      sync.Mutex
	running map[jsonrpc2.ID]context.CancelFunc
}

func newRouter(baseContext context.Context, routes []route, admit func(string) error, log func(string, ...any), onCancel func(ploke.Token, func()) func()) *router {
	r := &router{baseContext: baseContext, routes: map[string]route{}, admit: admit, log: log, onCancel: onCancel, running: map[jsonrpc2.ID]context.CancelFunc{}}
	for _, rt := range routes {
		r.routes[rt.method] = rt
	}
	return r
}

// handle is the connection's handler. Handlers don't get the connection's context,
// because the library reuses it for other requests after they have returned.
func (r *router) handle(pooled context.Context, req *jsonrpc2.Request) (any, error) {
	if !req.IsCall() {
		r.notify(r.baseContext, req)
		return nil, nil
	}
	ctx, cancel := context.WithCancel(context.WithValue(r.baseContext, releaseKey{}, func() { jsonrpc2.Async(pooled) }))
	id := req.ID()
	var params struct {
		WorkDoneToken json.RawMessage `json:"workDoneToken"`
	}
	if json.Unmarshal(req.Params(), &params) == nil { // else the handler reports it
		defer r.onCancel(ploke.Token(params.WorkDoneToken), cancel)()
	}
	r.mu.Lock()
	r.running[id] = cancel
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.running, id)
		r.mu.Unlock()
		cancel()
	}()

	result, err := r.call(ctx, req)
	if err != nil {
		return nil, wireError(ctx, err)
	}
	return result, nil
}

// call runs the handler of a request.
func (r *router) call(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
	method := req.Method()
	defer func() {
		if p := recover(); p != nil {
			r.log("%s panicked: %v\n%s", method, p, debug.Stack())
			err = jsonrpc2.NewError(ploke.CodeInternalError, fmt.Sprintf("%s failed inside ploke-lsp: %v; its log has the details", method, p))
		}
	}()
	if err := r.admit(method); err != nil {
		return nil, err
	}
	rt, ok := r.routes[method]
	if !ok || rt.notification {
		return nil, jsonrpc2.NewError(ploke.CodeMethodNotFound, fmt.Sprintf("method %q is not supported", method))
	}
	return rt.serve(ctx, req.Params())
}

// notify runs the handler of a notification and logs its error, because a
// notification has no reply.
func (r *router) notify(ctx context.Context, req *jsonrpc2.Request) {
	method := req.Method()
	defer func() {
		if p := recover(); p != nil {
			r.log("%s panicked: %v\n%s", method, p, debug.Stack())
		}
	}()
	if method == protocol.MethodCancelRequest {
		r.cancel(req.Params())
		return
	}
	rt, ok := r.routes[method]
	if !ok || !rt.notification || r.admit(method) != nil {
		return
	}
	if _, err := rt.serve(ctx, req.Params()); err != nil {
		r.log("%s: %v", method, err)
	}
}

// cancel cancels the request that the parameters name. It decodes the id itself,
// because the library's type holds only 32 bits.
func (r *router) cancel(params []byte) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		r.log("%s: %v", protocol.MethodCancelRequest, err)
		return
	}
	id, err := wire.ParseID(p.ID)
	if err != nil {
		r.log("%s: %v", protocol.MethodCancelRequest, err)
		return
	}
	r.mu.Lock()
	cancel := r.running[id]
	r.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// wireError returns err with its JSON-RPC error code.
func wireError(ctx context.Context, err error) error {
	var coded *jsonrpc2.Error
	switch {
	case errors.As(err, &coded):
		return coded
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return jsonrpc2.NewError(ploke.CodeRequestCancelled, "the request was cancelled")
	default:
		return jsonrpc2.NewError(ploke.CodeRequestFailed, err.Error())
	}
}
