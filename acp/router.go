package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strconv"
	"sync"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits"
	"ploke-lsp/session"
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
		params := new(P)
		if err := json.Unmarshal(raw, params); err != nil {
			return nil, invalidParams("%s: the parameters don't have the expected form: %v", method, err)
		}
		return handle(ctx, params)
	}}
}

// onNotification returns the route of a notification.
func onNotification[P any](method string, handle func(context.Context, *P) error) route {
	r := onRequest(method, func(ctx context.Context, params *P) (any, error) { return nil, handle(ctx, params) })
	r.notification = true
	return r
}

func invalidParams(format string, args ...any) error {
	return jsonrpc2.Errorf(protocol.CodeInvalidParams, format, args...)
}

// callKey is the context key of a request's [call].
type callKey struct{}

// A call is the request that a handler answers.
type call struct {
	id      jsonrpc2.ID
	release func()
	stream  *stream
}

// release lets the requests that follow this one start. A handler calls it before it does slow
// work or sends a request to the client.
func release(ctx context.Context) { ctx.Value(callKey{}).(*call).release() }

// afterResponse has do called once the request's response is written. do must not wait.
func afterResponse(ctx context.Context, do func()) {
	c := ctx.Value(callKey{}).(*call)
	c.stream.afterResponse(c.id, do)
}

// A router runs the handlers. Each one starts after the one before it has returned or called
// release. $/cancel_request cancels the context of a handler, and a panic fails only its own request.
type router struct {
	baseContext context.Context // the parent of the handlers' contexts
	stream      *stream
	routes      map[string]route
	log         *slog.Logger

	mu      sync.Mutex
	running map[jsonrpc2.ID]context.CancelFunc
}

func newRouter(baseContext context.Context, s *stream, routes []route, log *slog.Logger) *router {
	r := &router{baseContext: baseContext, stream: s, routes: map[string]route{}, log: log, running: map[jsonrpc2.ID]context.CancelFunc{}}
	for _, rt := range append(routes, onNotification(protocol.MethodCancelRequest, r.cancel)) {
		r.routes[rt.method] = rt
	}
	return r
}

// handle is the connection's handler. Handlers don't get the connection's context, because the
// library reuses it for other requests after they have returned.
func (r *router) handle(pooled context.Context, req *jsonrpc2.Request) (any, error) {
	if !req.IsCall() {
		if _, err := r.serve(r.baseContext, req, true); err != nil {
			r.log.Error("a notification failed", "error", err)
		}
		return nil, nil
	}
	r.stream.await(r.baseContext)
	c := &call{id: req.ID(), stream: r.stream, release: sync.OnceFunc(func() { jsonrpc2.Async(pooled) })}
	ctx, cancel := context.WithCancel(context.WithValue(r.baseContext, callKey{}, c))
	r.mu.Lock()
	r.running[c.id] = cancel
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.running, c.id)
		r.mu.Unlock()
		cancel()
	}()
	result, err := r.serve(ctx, req, false)
	c.release() // the response must not be written by the goroutine that reads
	if err != nil {
		return nil, wireError(ctx, err)
	}
	return result, nil
}

// serve runs the handler of a message.
func (r *router) serve(ctx context.Context, req *jsonrpc2.Request, notification bool) (result any, err error) {
	method := req.Method()
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("a handler panicked", "method", method, "panic", p, "stack", string(debug.Stack()))
			err = jsonrpc2.Errorf(protocol.CodeInternalError, "%s failed inside ploke-lsp: %v; its log has the details", method, p)
		}
	}()
	rt, ok := r.routes[method]
	switch {
	case !ok && notification:
		return nil, nil // extensions may be ignored
	case !ok || rt.notification != notification:
		return nil, jsonrpc2.Errorf(protocol.CodeMethodNotFound, "method %q is not supported", method)
	}
	return rt.serve(ctx, req.Params())
}

// cancel cancels the request that the parameters name.
func (r *router) cancel(_ context.Context, p *struct {
	RequestID json.RawMessage `json:"requestId"`
}) error {
	id, err := parseID(p.RequestID)
	if err != nil {
		return err
	}
	r.mu.Lock()
	cancel := r.running[id]
	r.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	return nil
}

func parseID(value []byte) (jsonrpc2.ID, error) {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return jsonrpc2.NewStringID(text), nil
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return jsonrpc2.ID{}, fmt.Errorf("the id %.40s is neither a string nor a whole number", value)
	}
	return jsonrpc2.NewNumberID(n), nil
}

// wireError returns err with its JSON-RPC error code.
func wireError(ctx context.Context, err error) error {
	var coded *jsonrpc2.Error
	var missing *session.NotFoundError
	var noProposal *edits.NotFoundError
	switch {
	case errors.As(err, &coded):
		return coded
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return jsonrpc2.NewError(protocol.CodeRequestCancelled, "the request was cancelled")
	case errors.As(err, &missing), errors.As(err, &noProposal):
		return jsonrpc2.NewError(protocol.CodeResourceNotFound, err.Error())
	}
	return jsonrpc2.NewError(protocol.CodeInternalError, err.Error())
}
