package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"

	"go.lsp.dev/jsonrpc2"

	ploke "ploke-lsp/lsp/protocol"
)

// dialRouter connects a client to a router with the given routes.
func dialRouter(t *testing.T, routes ...route) jsonrpc2.Conn {
	t.Helper()
	ours, theirs := net.Pipe()
	r := newRouter(t.Context(), routes, func(string) error { return nil }, t.Logf)
	server := jsonrpc2.NewConn(newStream(theirs), jsonrpc2.WithCodec(ploke.Codec{}))
	server.Go(context.Background(), r.handle)
	client := jsonrpc2.NewConn(jsonrpc2.NewStream(ours), jsonrpc2.WithCodec(ploke.Codec{}))
	client.Go(context.Background(), jsonrpc2.MethodNotFoundHandler)
	t.Cleanup(func() {
		client.Close()
		server.Close()
	})
	return client
}

func code(t *testing.T, err error) jsonrpc2.Code {
	t.Helper()
	var e *jsonrpc2.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an error from the server", err)
	}
	return e.Code
}

func TestPanicFailsOnlyItsRequest(t *testing.T) {
	c := dialRouter(t,
		onRequest("panics", func(context.Context, *noParams) (any, error) { panic("boo") }),
		onRequest("panicsLater", func(ctx context.Context, _ *noParams) (any, error) { release(ctx); panic("boo") }),
		onNotification("panicsSilently", func(context.Context, *noParams) error { panic("boo") }),
		onRequest("works", func(context.Context, *noParams) (string, error) { return "fine", nil }),
	)
	for _, method := range []string{"panics", "panicsLater"} {
		if _, err := c.Call(t.Context(), method, nil, nil); code(t, err) != jsonrpc2.InternalError {
			t.Errorf("%s: %v, want InternalError", method, err)
		}
	}
	if err := c.Notify(t.Context(), "panicsSilently", nil); err != nil {
		t.Fatal(err)
	}
	var got string
	if _, err := c.Call(t.Context(), "works", nil, &got); err != nil || got != "fine" {
		t.Errorf("the request after the panics: %q, %v", got, err)
	}
}

// TestRequestsRunInOrderUntilTheyRelease writes raw messages, because the library pools the
// channels of its calls, which must not be shared between synctest bubbles.
func TestRequestsRunInOrderUntilTheyRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var started []string
		finish := make(chan struct{})
		waits := func(name string, early bool) route {
			return onRequest(name, func(ctx context.Context, _ *noParams) (any, error) {
				started = append(started, name)
				if early {
					release(ctx)
				}
				<-finish
				return nil, nil
			})
		}
		ours, theirs := net.Pipe()
		r := newRouter(t.Context(), []route{waits("a", true), waits("b", false), waits("c", true)}, func(string) error { return nil }, t.Logf)
		server := jsonrpc2.NewConn(newStream(theirs), jsonrpc2.WithCodec(ploke.Codec{}))
		server.Go(context.Background(), r.handle)
		go func() {
			for i, m := range []string{"a", "b", "c"} {
				io.WriteString(ours, framed(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q}`, i, m)))
			}
		}()
		synctest.Wait()
		if got := strings.Join(started, " "); got != "a b" {
			t.Errorf("started %s, want a b: a has called release, b has not", got)
		}
		go io.Copy(io.Discard, ours)
		close(finish)
		synctest.Wait()
		if got := strings.Join(started, " "); got != "a b c" {
			t.Errorf("at the end started %s, want a b c", got)
		}
		ours.Close()
		<-server.Done()
	})
}

func TestCancelByAnyID(t *testing.T) {
	ours, theirs := net.Pipe()
	running := make(chan struct{})
	r := newRouter(t.Context(), []route{onRequest("wait", func(ctx context.Context, _ *noParams) (any, error) {
		release(ctx)
		running <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	})}, func(string) error { return nil }, t.Logf)
	server := jsonrpc2.NewConn(newStream(theirs), jsonrpc2.WithCodec(ploke.Codec{}))
	server.Go(context.Background(), r.handle)
	raw := jsonrpc2.NewStream(ours)
	t.Cleanup(func() { raw.Close(); server.Close() })
	for _, id := range []jsonrpc2.ID{jsonrpc2.NewNumberID(1), jsonrpc2.NewNumberID(1 << 40), jsonrpc2.NewStringID("text")} {
		if _, err := raw.Write(t.Context(), jsonrpc2.NewCall(id, "wait", nil)); err != nil {
			t.Fatal(err)
		}
		<-running
		params := jsonrpc2.RawMessage(`{"id":` + idJSON(id) + `}`)
		if _, err := raw.Write(t.Context(), jsonrpc2.NewNotification("$/cancelRequest", params)); err != nil {
			t.Fatal(err)
		}
		msg, _, err := raw.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := code(t, msg.(*jsonrpc2.Response).Err()); got != codeRequestCancelled {
			t.Errorf("id %v: code %d, want RequestCancelled", id, got)
		}
	}
}
