package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"

	"go.lsp.dev/jsonrpc2"
)

// plain is a protocol without peculiarities.
func plain(t *testing.T) Options {
	return Options{
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Decode: func(params []byte, into any) error {
			if len(params) == 0 {
				return nil
			}
			return json.Unmarshal(params, into)
		},
		CancelMethod: "cancel",
		CancelledID: func(params []byte) (jsonrpc2.ID, error) {
			var n int64
			err := json.Unmarshal(params, &n)
			return jsonrpc2.NewNumberID(n), err
		},
		Code: func(error) jsonrpc2.Code { return 1 },
	}
}

// dialRouter connects a client to a router with the given routes.
func dialRouter(t *testing.T, routes ...Route) jsonrpc2.Conn {
	t.Helper()
	ours, theirs := net.Pipe()
	r := NewRouter(t.Context(), plain(t), routes...)
	server := jsonrpc2.NewConn(jsonrpc2.NewStream(theirs))
	server.Go(context.Background(), r.Handle)
	client := jsonrpc2.NewConn(jsonrpc2.NewStream(ours))
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
		OnRequest("panics", func(context.Context, *None) (any, error) { panic("boo") }),
		OnRequest("panicsLater", func(ctx context.Context, _ *None) (any, error) { Release(ctx); panic("boo") }),
		OnNotification("panicsSilently", func(context.Context, *None) error { panic("boo") }),
		OnRequest("works", func(context.Context, *None) (string, error) { return "fine", nil }),
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
		waits := func(name string, early bool) Route {
			return OnRequest(name, func(ctx context.Context, _ *None) (any, error) {
				started = append(started, name)
				if early {
					Release(ctx)
				}
				<-finish
				return nil, nil
			})
		}
		ours, theirs := net.Pipe()
		r := NewRouter(t.Context(), plain(t), waits("a", true), waits("b", false), waits("c", true))
		server := jsonrpc2.NewConn(jsonrpc2.NewStream(theirs))
		server.Go(context.Background(), r.Handle)
		go func() {
			for i, m := range []string{"a", "b", "c"} {
				body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q}`, i, m)
				fmt.Fprintf(ours, "Content-Length: %d\r\n\r\n%s", len(body), body)
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

// TestMessages sends requests and notifications, well-formed or not, and requests that fail.
func TestMessages(t *testing.T) {
	shut := errors.New("it is shut")
	o := plain(t)
	o.Admit = func(method string) error {
		if method == "shut" {
			return shut
		}
		return nil
	}
	notified := make(chan string, 2)
	ours, theirs := net.Pipe()
	var r *Router
	r = NewRouter(t.Context(), o,
		OnRequest("length", func(_ context.Context, p *struct{ Text string }) (int, error) { return len(p.Text), nil }),
		OnRequest("fails", func(context.Context, *None) (any, error) { return nil, errors.New("boo") }),
		OnRequest("shut", func(context.Context, *None) (any, error) { return nil, nil }),
		OnNotification("note", func(_ context.Context, text *string) error { notified <- *text; return nil }),
		OnRequest("open", func(context.Context, *None) (any, error) {
			r.Add(OnRequest("opened", func(context.Context, *None) (string, error) { return "later", nil }))
			return nil, nil
		}),
	)
	server := jsonrpc2.NewConn(jsonrpc2.NewStream(theirs))
	server.Go(context.Background(), r.Handle)
	c := jsonrpc2.NewConn(jsonrpc2.NewStream(ours))
	c.Go(context.Background(), jsonrpc2.MethodNotFoundHandler)
	defer server.Close()
	defer c.Close()
	for _, tt := range []struct {
		method string
		params any
		code   jsonrpc2.Code // 0 if it succeeds
		want   string        // of the result or the error
	}{
		{"length", map[string]string{"text": "four"}, 0, "4"},
		{"length", []int{1}, jsonrpc2.InvalidParams, "length: the parameters don't have the expected form"},
		{"fails", nil, 1, "boo"},
		{"shut", nil, 1, "it is shut"},
		{"note", "as a request", jsonrpc2.MethodNotFound, `"note" is not supported`},
		{"opened", nil, jsonrpc2.MethodNotFound, `"opened" is not supported`},
		{"open", nil, 0, "null"},
		{"opened", nil, 0, `"later"`},
	} {
		for _, ignored := range []string{"nothing", "shut"} {
			if err := c.Notify(t.Context(), ignored, nil); err != nil {
				t.Fatal(err)
			}
		}
		var result json.RawMessage
		_, err := c.Call(t.Context(), tt.method, tt.params, &result)
		got := string(result)
		if tt.code != 0 {
			if got = fmt.Sprint(err); code(t, err) != tt.code {
				t.Errorf("%s: %v, want the code %d", tt.method, err, tt.code)
			}
		} else if err != nil {
			t.Errorf("%s: %v", tt.method, err)
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.method, got, tt.want)
		}
	}
	if err := c.Notify(t.Context(), "note", "hello"); err != nil {
		t.Fatal(err)
	}
	if got := <-notified; got != "hello" {
		t.Errorf("the notification says %q", got)
	}
}

// TestCancel cancels a request that runs, and one that has ended.
func TestCancel(t *testing.T) {
	started := make(chan jsonrpc2.ID, 1)
	c := dialRouter(t, OnRequest("wait", func(ctx context.Context, _ *None) (any, error) {
		call, _ := CallOf(ctx)
		started <- call.ID
		Release(ctx)
		Release(ctx)
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	go func() {
		id, _ := (<-started).Number()
		c.Notify(t.Context(), "cancel", id+1000)
		c.Notify(t.Context(), "cancel", id)
	}()
	if _, err := c.Call(t.Context(), "wait", nil, nil); code(t, err) != CodeRequestCancelled {
		t.Errorf("%v, want that the request was cancelled", err)
	}
}
