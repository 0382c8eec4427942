package lsptest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// Call sends a request that must succeed.
func (e *Editor) Call(method string, params, result any) {
	e.t.Helper()
	if err := e.Try(e.untilShutdown(), method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// untilShutdown returns a context that does not end with the test's, since the editor may owe an answer then.
func (e *Editor) untilShutdown() context.Context { return context.WithoutCancel(e.t.Context()) }

// Try sends a request and waits for the reply. If ctx ends first, it sends
// $/cancelRequest and still waits.
func (e *Editor) Try(ctx context.Context, method string, params, result any) error {
	waiting, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(e.options.Timeout, timeout))
	defer cancel()
	e.flush()
	return e.call(ctx, waiting, method, params, result)
}

// Error sends a request that must fail, and returns its error. The message must not
// contain the path of a workspace folder, unless it is about a path outside the workspace.
func (e *Editor) Error(method string, params any) *jsonrpc2.Error {
	e.t.Helper()
	err := e.Try(e.t.Context(), method, params, nil)
	var wire *jsonrpc2.Error
	if !errors.As(err, &wire) {
		e.t.Fatalf("%s: got %v, want an error from the server", method, err)
	}
	for _, root := range e.options.Roots {
		if strings.Contains(wire.Message, root) && !strings.Contains(wire.Message, "outside the workspace") {
			e.t.Errorf("%s: the error contains the path of the folder: %s", method, wire.Message)
		}
	}
	return wire
}

// Notify sends a notification.
func (e *Editor) Notify(method string, params any) {
	e.t.Helper()
	e.flush()
	if err := e.conn.Notify(e.untilShutdown(), method, params); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// Await waits until holds returns true. It calls holds again after every message from
// the server.
func (e *Editor) Await(what string, holds func() bool) {
	e.t.Helper()
	limit := time.NewTimer(cmp.Or(e.options.Timeout, timeout))
	defer limit.Stop()
	for {
		e.mu.Lock()
		changed := e.changed
		e.mu.Unlock()
		if holds() {
			return
		}
		select {
		case <-changed:
		case <-limit.C:
			e.t.Fatalf("timed out waiting for %s", what)
		case <-e.conn.Done():
			e.t.Fatalf("the connection ended while waiting for %s: %v", what, e.conn.Err())
		}
	}
}

// AwaitIndex waits until the server reports that the index is ready.
func (e *Editor) AwaitIndex() {
	e.t.Helper()
	e.AwaitState(ploke.IndexReady)
}

// AwaitState waits until the latest reported status of the index has this state, and
// returns that status.
func (e *Editor) AwaitState(state ploke.IndexState) (status *ploke.IndexStatus) {
	e.t.Helper()
	e.Await("the index to be "+string(state), func() bool {
		for _, ev := range slices.Backward(e.Events()) {
			if ev.Type == ploke.PartIndex {
				status = ev.Index
				return status.State == state
			}
		}
		return false
	})
	return status
}

// marshal encodes a value of a test; it panics if that fails.
func marshal(v any) protocol.LSPAny {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
