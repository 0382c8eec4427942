package mcp

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestAMalformedLineEndsNothing sends what is no message, and then a ping.
func TestAMalformedLineEndsNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		line string
		code int
	}{
		"cut off":          {`{"jsonrpc":"2.0",`, -32700},
		"words":            {"hello", -32700},
		"trailing text":    {`{"jsonrpc":"2.0","id":1,"method":"ping"} x`, -32700},
		"two messages":     {`{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, -32700},
		"bytes":            {"\xff\xfe{\x00", -32700},
		"header":           {"Content-Length: 20", -32700},
		"number":           {"1", -32600},
		"null":             {"null", -32600},
		"string":           {`"ping"`, -32600},
		"no version":       {`{"id":1,"method":"ping"}`, -32600},
		"other version":    {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600},
		"nothing in it":    {`{}`, -32600},
		"id is an object":  {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600},
		"method is number": {`{"jsonrpc":"2.0","id":1,"method":1}`, -32600},
		"empty batch":      {`[]`, -32600},
		"batch of numbers": {`[1]`, -32600},
		"too long":         {`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", messageBytes) + `"}`, -32600},
	} {
		t.Run(name, func(t *testing.T) {
			to, from := serveRaw(t)
			expectAnswer(t, to, from, tt.line, fmt.Sprintf(`"code":%d`, tt.code), `"id":null`)
			expectAnswer(t, to, from, `{"jsonrpc":"2.0","id":7,"method":"ping"}`, `"id":7`, `"result"`)
		})
	}
}

// TestLinesThatAreMessages sends messages in unusual forms.
func TestLinesThatAreMessages(t *testing.T) {
	to, from := serveRaw(t)
	for _, line := range []string{"\uFEFF" + `{"jsonrpc":"2.0","id":7,"method":"ping"}`,
		"\n\r\n" + ` {"jsonrpc":"2.0","id":7,"method":"ping"} ` + "\r",
		`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`} {
		expectAnswer(t, to, from, line, `"id":7`, `"result"`)
	}
}

func serveRaw(t *testing.T) (to io.Writer, from *bufio.Reader) {
	t.Helper()
	s := &Server{opened: make(chan struct{})}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- s.ServeStdio(t.Context(), fromClient, toClient) }()
	t.Cleanup(func() {
		toServer.Close()
		fromServer.Close()
		<-served
	})
	from = bufio.NewReader(fromServer)
	expectAnswer(t, toServer, from,
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t",`+
			`"version":"1"}}}`, `"id":0`)
	if _, err := io.WriteString(toServer, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	return toServer, from
}

func expectAnswer(t *testing.T, to io.Writer, from *bufio.Reader, line string, parts ...string) {
	t.Helper()
	if _, err := io.WriteString(to, line+"\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := from.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		if !strings.Contains(answer, part) {
			t.Errorf("%.200s has no %s", answer, part)
		}
	}
}
