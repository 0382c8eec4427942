package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"testing"
	"time"
)

const patience = time.Minute // of tests for what is certain to happen

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener
}

// TestServersEndWithTheProject ends a server that does not end by itself, and what it has started; and
// one that a client does not use any more.
func TestServersEndWithTheProject(t *testing.T) {
	for _, test := range []struct {
		role string
		end  func(s *Servers)
	}{
		{"stubborn", func(s *Servers) { s.Close() }},
		{"leaves", func(s *Servers) { s.Use("c", nil) }},
	} {
		t.Run(test.role, func(t *testing.T) {
			listener := listen(t)
			w := newWorld(t, Options{})
			w.servers.Use("c", []Server{programOf(t, "a client's", test.role, listener.Addr().String())})
			w.expect(w.tools(), "a_client_s__say", `{"text":"hello"}`, "a_client_s"+says+"you said: hello")
			child, err := listener.Accept()
			if err != nil {
				t.Fatal(err)
			}
			gone := make(chan struct{})
			go func() { // the connection ends with the process
				defer close(gone)
				child.Read(make([]byte, 1))
			}()
			test.end(w.servers)
			select {
			case <-gone:
			case <-time.After(patience):
				t.Error("a process of the server still runs")
			}
		})
	}
}

// TestCallThatTakesTooLong ends a call with its context. A server that answers a ping afterwards goes on.
// One that does not is ended.
func TestCallThatTakesTooLong(t *testing.T) {
	tooLong := errors.New("too long")
	call := func(ctx context.Context, w *world, name string) {
		t.Helper()
		tool, _ := w.tools().Get(name)
		if _, err := tool.Run(ctx, w, json.RawMessage(`{}`)); err != tooLong {
			t.Errorf("%s: %v", name, err)
		}
	}
	w := newWorld(t, Options{}, programOf(t, "good", "good", ""))
	set := w.tools()
	l := w.servers.connectionsOf("")[0].link
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, tooLong)
	defer cancel()
	call(ctx, w, "good__wait")
	w.expect(set, "good__say", `{}`, "good"+says+"you said: ")
	if l.ctx.Err() != nil {
		t.Error("the server was ended")
	}

	listener := listen(t)
	w = newWorld(t, Options{pingTimeout: time.Millisecond}, programOf(t, "it", "hangs", listener.Addr().String()))
	w.tools()
	c := w.servers.connectionsOf("")[0]
	l = c.link
	hanging, end := context.WithCancelCause(t.Context())
	go func() {
		listener.Accept() // the server has the call
		end(tooLong)
	}()
	call(hanging, w, "it__go")
	select {
	case <-l.ctx.Done():
	case <-time.After(patience):
		t.Fatal("the server was not ended")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil || c.failure.Error() != "it does not answer any more" {
		t.Errorf("it ended since %v", c.failure)
	}
}

// TestServerThatKeepsDying is started again at once after its first end, and then after times that grow.
func TestServerThatKeepsDying(t *testing.T) {
	c := &connection{}
	var delays []time.Duration
	for range 8 {
		before := time.Now()
		c.died(errors.New("out of memory"))
		delays = append(delays, c.retryAt.Sub(before).Round(time.Second))
	}
	for i, want := range []time.Duration{0, 1, 4, 16, 64, 256, 300, 300} {
		if delays[i] != want*time.Second {
			t.Errorf("after the end %d it waits %v", i+1, delays[i])
		}
	}
	c.worked()
	before := time.Now()
	if c.died(errors.New("again")); c.retryAt.Sub(before).Round(time.Second) != 0 {
		t.Error("a call that worked does not count")
	}
}
