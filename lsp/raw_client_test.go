package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"sync"
	"testing"
	"time"

	"ploke-lsp/lsp"
	"ploke-lsp/lsp/lsptest/lspcheck"
)

// A rawClient is a client that sends any bytes. It answers what the server asks with null.
type rawClient struct {
	conn    net.Conn
	write   sync.Mutex
	replies chan string // the ids of replies
	calls   int
	check   *lspcheck.Session

	mu       sync.Mutex
	violated []lspcheck.Violation
}

// dialRaw connects a client to a server, and ends both with the test.
func dialRaw(f *testing.F, server *lsp.Server) *rawClient {
	ours, theirs := net.Pipe()
	ended := make(chan struct{})
	go func() { defer close(ended); _ = server.Serve(context.Background(), theirs) }()
	c := &rawClient{conn: ours, replies: make(chan string, 64)}
	check, err := lspcheck.NewSession(c.violation)
	if err != nil {
		f.Fatal(err)
	}
	c.check = check
	go c.read()
	f.Cleanup(func() { ours.Close(); <-ended })
	return c
}

// violation takes a wrong message of the server.
func (c *rawClient) violation(v lspcheck.Violation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.violated = append(c.violated, v)
}

// report fails the test for each wrong message since the last call.
func (c *rawClient) report(t *testing.T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, v := range c.violated {
		t.Errorf("the server violates the rule %q of LSP: %s\n%s", v.Rule, v.Problem, v.Message)
	}
	c.violated = nil
}

func (c *rawClient) read() {
	in := bufio.NewReader(c.conn)
	for {
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			return
		}
		length, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, length)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		c.check.FromServer(body)
		var m struct {
			ID     json.RawMessage
			Method string
		}
		switch err := json.Unmarshal(body, &m); {
		case err != nil || len(m.ID) == 0 || string(m.ID) == "null":
		case m.Method != "":
			go c.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":null}`)
		default:
			c.replies <- string(m.ID)
		}
	}
}

func (c *rawClient) send(body string) error {
	c.write.Lock()
	defer c.write.Unlock()
	c.check.FromClient([]byte(body))
	_, err := fmt.Fprintf(c.conn, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

func (c *rawClient) notify(t testing.TB, method, params string) {
	if err := c.send(`{"jsonrpc":"2.0","method":` + quote(method) + `,"params":` + params + `}`); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
}

// call sends a request and waits for its reply, whatever it is.
func (c *rawClient) call(t testing.TB, method, params string) {
	c.calls++
	id := strconv.Itoa(c.calls)
	if err := c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":` + quote(method) + `,"params":` + params + `}`); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	if !json.Valid([]byte(params)) {
		return // the error reply has no id
	}
	limit := time.NewTimer(30 * time.Second)
	defer limit.Stop()
	for {
		select {
		case replied := <-c.replies:
			if replied == id {
				return
			}
		case <-limit.C:
			t.Fatalf("%s was not answered within 30 s", method)
		}
	}
}

func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(data)
}
