// Package rpc runs the handlers of a JSON-RPC connection. LSP and ACP differ only in [Options].
//
// Its promises:
//
//   - Requests and notifications start in the order of their arrival: each one starts after the one
//     before it has returned or, if that is a request, has called [Release].
//   - A request can be cancelled by its id as soon as it is sent: the context of its handler ends.
//   - A panic fails only its own message.
//   - A handler's context does not end with its message's: the library reuses that one for others.
package rpc

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// CodeRequestCancelled is the code of the error that a cancelled request gets, in LSP and in ACP.
const CodeRequestCancelled = jsonrpc2.Code(-32800)

// A Route maps a method to its handler.
type Route struct {
	Method       string
	notification bool
	serve        func(ctx context.Context, decode Decode, params []byte) (any, error)
}

// Decode decodes parameters in the way of a protocol.
type Decode func(params []byte, into any) error

// None is for methods without parameters: what the client sends is ignored.
type None struct{}

// OnRequest returns the route of a request.
func OnRequest[P, R any](method string, handle func(context.Context, *P) (R, error)) Route {
	return Route{Method: method, serve: func(ctx context.Context, decode Decode, raw []byte) (any, error) {
		params, err := Params[P](method, decode, raw)
		if err != nil {
			return nil, err
		}
		return handle(ctx, params)
	}}
}

// OnNotification returns the route of a notification.
func OnNotification[P any](method string, handle func(context.Context, *P) error) Route {
	r := OnRequest(method, func(ctx context.Context, params *P) (any, error) { return nil, handle(ctx, params) })
	r.notification = true
	return r
}

// Params decodes the parameters of a method. The error says which method they are of.
func Params[P any](method string, decode Decode, raw []byte) (*P, error) {
	params := new(P)
	if _, ignored := any(params).(*None); ignored {
		return params, nil
	}
	if err := decode(raw, params); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams,
			"%s: the parameters don't have the expected form: %v", method, err)
	}
	return params, nil
}

// A Call is a request that is being answered.
type Call struct {
	ID      jsonrpc2.ID
	Cancel  context.CancelFunc // ends the context of the handler
	Release func()             // see the function of this name
}

// callKey is the context key of a request's [Call].
type callKey struct{}

// WithCall returns the context of a handler that answers a request.
func WithCall(ctx context.Context, call *Call) context.Context {
	return context.WithValue(ctx, callKey{}, call)
}

// CallOf returns the request that a handler with this context answers. There is none in a
// notification, and in what runs in the background.
func CallOf(ctx context.Context) (call *Call, ok bool) {
	call, ok = ctx.Value(callKey{}).(*Call)
	return call, ok
}

// Release lets the messages that follow a request start. A handler calls it before it does slow
// work or sends a request to the client. It may be called several times.
func Release(ctx context.Context) {
	if call, ok := CallOf(ctx); ok {
		call.Release()
	}
}

// Options are what differs between protocols. The functions are called while other handlers run.
type Options struct {
	Log    *slog.Logger
	Decode Decode
	// CancelMethod is the notification that cancels a request, and CancelledID reads which from its
	// parameters.
	CancelMethod string
	CancelledID  func(params []byte) (jsonrpc2.ID, error)
	// Code returns the code of an error that has none.
	Code func(err error) jsonrpc2.Code
	// Admit returns an error if the method is not answered now; nil admits all. A notification that is
	// not admitted is ignored.
	Admit func(method string) error
	// Around runs a request with what the protocol does before and after it; nil does nothing. The
	// parameters are borrowed: they count until serve is called.
	Around func(ctx context.Context, call *Call, params []byte, serve func() (any, error)) (any, error)
}

// A Router runs the handlers.
type Router struct {
	Options
	baseContext context.Context // the parent of the handlers' contexts

	mu      sync.Mutex
	routes  map[string]Route
	running map[jsonrpc2.ID]context.CancelFunc
}

// NewRouter returns a router whose handlers' contexts end with ctx.
func NewRouter(ctx context.Context, o Options, routes ...Route) *Router {
	r := &Router{Options: o, baseContext: ctx, routes: map[string]Route{}, running: map[jsonrpc2.ID]context.CancelFunc{}}
	r.Add(routes...)
	return r
}

// Add adds routes. A handler may add those of what it has opened.
func (r *Router) Add(routes ...Route) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, route := range routes {
		r.routes[route.Method] = route
	}
}

// began makes it possible to cancel a call.
func (r *Router) began(call *Call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running[call.ID] = call.Cancel
}

// ended forgets a call.
func (r *Router) ended(call *Call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, call.ID)
}

// Handle is the handler of a [jsonrpc2.Conn].
func (r *Router) Handle(pooled context.Context, req *jsonrpc2.Request) (any, error) {
	if !req.IsCall() {
		if err := r.notified(req); err != nil {
			r.Log.Error("a notification failed", "method", req.Method(), "error", err)
		}
		return nil, nil
	}
	call := &Call{ID: req.ID(), Release: sync.OnceFunc(func() { jsonrpc2.Async(pooled) })}
	ctx, cancel := context.WithCancel(WithCall(r.baseContext, call))
	call.Cancel = cancel
	defer cancel()
	r.began(call)
	defer r.ended(call)
	result, err := r.around(ctx, call, req)
	if err != nil {
		return nil, r.coded(ctx, err)
	}
	return result, nil
}

func (r *Router) around(ctx context.Context, call *Call, req *jsonrpc2.Request) (any, error) {
	serve := func() (any, error) { return r.serve(ctx, req) }
	if r.Around == nil {
		return serve()
	}
	return r.Around(ctx, call, req.Params(), serve)
}

// notified runs the handler of a notification, of which an extension may be ignored.
func (r *Router) notified(req *jsonrpc2.Request) error {
	if req.Method() == r.CancelMethod {
		return r.cancel(req.Params())
	}
	if _, known := r.route(req.Method()); !known || r.admit(req.Method()) != nil {
		return nil
	}
	_, err := r.serve(r.baseContext, req)
	return err
}

// serve runs the handler of a message.
func (r *Router) serve(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
	method := req.Method()
	defer func() {
		if p := recover(); p != nil {
			r.Log.Error("a handler panicked", "method", method, "panic", p, "stack", string(debug.Stack()))
			err = jsonrpc2.Errorf(jsonrpc2.InternalError, "%s failed inside ploke-lsp: %v; its log has the details", method, p)
		}
	}()
	if err := r.admit(method); err != nil {
		return nil, err
	}
	route, ok := r.route(method)
	if !ok || route.notification == req.IsCall() {
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "method %q is not supported", method)
	}
	return route.serve(ctx, r.Decode, req.Params())
}

func (r *Router) admit(method string) error {
	if r.Admit == nil {
		return nil
	}
	return r.Admit(method)
}

func (r *Router) route(method string) (route Route, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	route, ok = r.routes[method]
	return route, ok
}

// cancel cancels the request that the parameters name.
func (r *Router) cancel(params []byte) error {
	id, err := r.CancelledID(params)
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

// coded returns an error with its code.
func (r *Router) coded(ctx context.Context, err error) error {
	var coded *jsonrpc2.Error
	switch {
	case errors.As(err, &coded):
		return coded
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return jsonrpc2.NewError(CodeRequestCancelled, "the request was cancelled")
	}
	return jsonrpc2.NewError(r.Code(err), err.Error())
}
